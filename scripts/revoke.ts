// `npm run revoke -- <leaked key or token | usr_… | ws_… | client id>`: ends credentials after an incident; those of a
// person end with their browser sessions. On this machine with the server stopped.
// -- --remote for production; -- --persist-to=<directory> for the databases of another local server.
import { parseArgs } from 'node:util';
import { revoke } from '../src/incidents/revoke.ts';
import { openDatabases } from './check-data/databases.ts';

const { values, positionals } = parseArgs({
  options: { remote: { type: 'boolean', default: false }, 'persist-to': { type: 'string' } },
  allowPositionals: true,
});
const [subject] = positionals;
if (!subject || positionals.length > 1) {
  console.error(
    'Say what to revoke: npm run revoke -- <leaked key or token | usr_… | ws_… | client id> [--remote]',
  );
  process.exit(2);
}
const databases = await openDatabases({
  isRemote: values.remote,
  isWritten: true,
  ...(values['persist-to'] && { persistTo: values['persist-to'] }),
});
try {
  const revoked = await revoke(databases, subject, Date.now());
  if (revoked === null) {
    console.error('This is no key or token of this deployment: it may be cut off. Nothing was changed.');
    process.exitCode = 1;
  } else {
    for (const { kind, id, name } of revoked) console.log(`${kind} ${id}  ${name}`);
    console.log(`${revoked.length} revoked.`);
  }
} finally {
  await databases.close();
}
