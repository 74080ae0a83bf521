// `npm run revoke -- <leaked key or token | usr_… | ws_… | client id>`: ends credentials after an incident, and every way
// in of a person or into a workspace. On this machine with the server stopped.
// -- --remote for production; -- --persist-to=<directory> for the databases of another local server.
import { revoke } from '../src/upkeep/incidents/revoke.ts';
import { changeDatabases, readCommand, refuse } from './operator.ts';

const { words, ...where } = readCommand();
const [subject] = words;
if (!subject || words.length > 1)
  refuse('Say what to revoke: npm run revoke -- <leaked key or token | usr_… | ws_… | client id> [--remote]');
await changeDatabases(where, async (databases) => {
  const revoked = await revoke(databases, subject, Date.now());
  if (revoked === null) {
    console.error('This is no key or token of this deployment: it may be cut off. Nothing was changed.');
    process.exitCode = 1;
  } else {
    for (const { kind, id, name } of revoked) console.log(`${kind} ${id}  ${name}`);
    console.log(`${revoked.length} revoked.`);
    if (revoked.length === 0) {
      console.error(
        'Nothing that still works belongs to it. Check what you typed, or it was revoked before.',
      );
      process.exitCode = 1;
    }
  }
});
