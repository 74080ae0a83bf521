// `npm run plan -- <workspace> <free|medium|pro>`: gives a workspace another plan; there is no billing. A smaller plan
// deletes nothing, and refuses to add more than it allows. On this machine with the server stopped.
// -- --remote for production; -- --persist-to=<directory> for the databases of another local server.
import { parseArgs } from 'node:util';
import { setPlan } from '../src/workspace-settings/set-plan.ts';
import { openDatabases } from './check-data/databases.ts';

const plans = ['free', 'medium', 'pro'] as const;
const { values, positionals } = parseArgs({
  options: { remote: { type: 'boolean', default: false }, 'persist-to': { type: 'string' } },
  allowPositionals: true,
});
const [workspaceId, wanted] = positionals;
const plan = plans.find((each) => each === wanted);
if (!workspaceId || !plan || positionals.length > 2) {
  console.error(`Say which workspace and which plan: npm run plan -- ws_… ${plans.join('|')} [--remote]`);
  process.exit(2);
}
const databases = await openDatabases({
  isRemote: values.remote,
  isWritten: true,
  ...(values['persist-to'] && { persistTo: values['persist-to'] }),
});
try {
  const before = await setPlan(databases, workspaceId, plan);
  if (before === null) {
    console.error(`There is no workspace ${workspaceId}. GET /v1/workspaces shows the ids.`);
    process.exitCode = 1;
  } else {
    console.log(
      before === plan ? `${workspaceId} is on ${plan} already.` : `${workspaceId}: ${before} → ${plan}`,
    );
  }
} finally {
  await databases.close();
}
