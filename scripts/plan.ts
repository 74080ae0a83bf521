// `npm run plan -- <workspace> <free|medium|pro>`: gives a workspace another plan; there is no billing. A smaller plan
// deletes nothing, and refuses to add more than it allows. On this machine with the server stopped.
// -- --remote for production; -- --persist-to=<directory> for the databases of another local server.
import { setPlan } from '../src/workspaces/settings/set-plan.ts';
import { changeDatabases, readCommand, refuse } from './operator.ts';

const plans = ['free', 'medium', 'pro'] as const;
const { words, ...where } = readCommand();
const [workspaceId, wanted] = words;
const plan = plans.find((each) => each === wanted);
if (!workspaceId || !plan || words.length > 2)
  refuse(`Say which workspace and which plan: npm run plan -- ws_… ${plans.join('|')} [--remote]`);
await changeDatabases(where, async (databases) => {
  const before = await setPlan(databases, workspaceId, plan);
  if (before === null) {
    console.error(`There is no workspace ${workspaceId}. GET /v1/workspaces shows the ids.`);
    process.exitCode = 1;
  } else {
    console.log(
      before === plan ? `${workspaceId} is on ${plan} already.` : `${workspaceId}: ${before} → ${plan}`,
    );
  }
});
