// Wrangler runs this before each build (`[build]` in wrangler.toml). It builds the assets, prepares the demo if someone
// runs `wrangler dev` without our scripts, and stops a direct `wrangler deploy` that would publish a broken service.

import { root } from './databases.ts';
import { findDeployProblem } from './deploy/bare-deploy.ts';
import { createTools } from './deploy/tools.ts';
import { describeDemo } from './start/greeting.ts';
import { claimFirstBuild, prepareDatabases } from './start/machine.ts';

process.chdir(root);
await import('./assets.ts');

/** True if wrangler wasn't started by our own scripts, which prepare and check everything beforehand. */
const isBare = process.env.EDGEWORK_SCRIPT === undefined;
const command = process.env.WRANGLER_COMMAND;
/** An environment in wrangler.toml, whose own `[build]` passes its name. Undefined means production. */
const env = process.argv[2];
// Prevents child processes from inheriting the command.
delete process.env.WRANGLER_COMMAND;

if (isBare && command === 'dev') {
  const demo = prepareDatabases();
  if (claimFirstBuild())
    console.log(
      `${describeDemo(demo.key)}\n\n  Wrangler doesn't run cron jobs. \`npm run dev\` does (CONTRIBUTING.md).`,
    );
}
if (isBare && (command === 'deploy' || command?.startsWith('versions'))) {
  const problem = findDeployProblem(await createTools(env));
  if (problem !== null) {
    const deploy = `npm run deploy${env ? ` -- --env ${env}` : ''}`;
    console.error(`${problem}

Nothing was published. \`${deploy}\` creates what is missing, applies the migrations and publishes (docs/deploy.md).
\`npm run deploy -- --dry-run\` checks without an account.`);
    process.exit(1);
  }
}
