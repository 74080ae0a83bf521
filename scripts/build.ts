// Wrangler runs this before each build (`[build]` in wrangler.toml). It prepares the demo for a bare `wrangler dev`, and
// stops a bare `wrangler deploy` that would publish a broken service.

import { root } from './databases.ts';
import { findObstacles } from './deploy/bare-deploy.ts';
import { createTools } from './deploy/tools.ts';
import { describeDemo } from './start/greeting.ts';
import { isNotBuiltYet, prepareDatabases } from './start/machine.ts';

process.chdir(root);
await import('./assets.ts');

/** True if wrangler wasn't started by our own scripts, which have already prepared and checked everything. */
const isBare = process.env.EDGEWORK_SCRIPT === undefined;
const command = process.env.WRANGLER_COMMAND;
// Otherwise, processes that this script starts would inherit the command.
delete process.env.WRANGLER_COMMAND;

if (isBare && command === 'dev') {
  const demo = prepareDatabases();
  if (isNotBuiltYet()) console.log(describeDemo(demo.key));
}
if (isBare && (command === 'deploy' || command?.startsWith('versions'))) {
  const obstacles = findObstacles(await createTools());
  if (obstacles !== null) {
    console.error(`${obstacles}

Nothing was published. \`npm run deploy\` creates what is missing, applies the migrations and publishes
(docs/deploy.md). \`npm run deploy -- --dry-run\` checks without an account.`);
    process.exit(1);
  }
}
