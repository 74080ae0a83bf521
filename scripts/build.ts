// Wrangler runs this before each build (`[build]` in wrangler.toml). A bare `wrangler dev` gets a machine that is ready to
// serve the demo, and a bare `wrangler deploy` stops before it publishes something that can't work.

import { root } from './databases.ts';
import { findObstacles } from './deploy/bare-deploy.ts';
import { realTools } from './deploy/tools.ts';
import { describeDemo } from './start/greeting.ts';
import { isFirstBuild, prepareDatabases } from './start/machine.ts';

process.chdir(root);
await import('./assets.ts');

/** Our own scripts have prepared and checked everything before they start wrangler. */
const isBare = process.env.EDGEWORK_SCRIPT === undefined;
const command = process.env.WRANGLER_COMMAND;
// Wrangler passes its own command on to the processes that this one starts.
delete process.env.WRANGLER_COMMAND;

if (isBare && command === 'dev') {
  const demo = prepareDatabases();
  if (isFirstBuild()) console.log(describeDemo(demo.key));
}
if (isBare && (command === 'deploy' || command?.startsWith('versions'))) {
  const obstacles = findObstacles(await realTools());
  if (obstacles !== null) {
    console.error(`${obstacles}

Nothing was published. \`npm run deploy\` creates what is missing, applies the migrations and publishes
(docs/deploy.md). \`npm run deploy -- --dry-run\` checks without an account.`);
    process.exit(1);
  }
}
