// `npm run dev` prepares this machine as `npm start` does, and runs `wrangler dev`, which reloads after every edit.
// Wrangler doesn't run cron jobs, so this script does.

import { root } from './databases.ts';
import { readWorker, runCrons } from './runtime.ts';
import { describeServer } from './start/greeting.ts';
import { prepareMachine } from './start/machine.ts';
import { startServer } from './start/server-process.ts';
import { quietEnvironment, wranglerPath } from './wrangler.ts';

process.chdir(root);
Object.assign(process.env, quietEnvironment);

const machine = await prepareMachine('npm run dev');
const { port, origin } = machine;
const { crons } = readWorker();
// `readWorker` silences wrangler, but this script needs its output.
process.env.WRANGLER_LOG = 'log';
const server = startServer(
  [
    wranglerPath,
    'dev',
    '--ip=127.0.0.1',
    `--port=${port}`,
    '--var',
    `PUBLIC_URL:${origin}`,
    '--test-scheduled',
  ],
  { origin, show: (line) => console.log(line) },
);
await server.untilReady();
console.log(describeServer(machine));
await runCrons(crons, fire);

async function fire(cron: string): Promise<void> {
  try {
    const answer = await fetch(`${origin}/__scheduled?cron=${encodeURIComponent(cron)}`);
    if (!answer.ok) console.error(`The cron '${cron}' returned ${answer.status}: ${await answer.text()}`);
  } catch (error) {
    console.error(`The cron '${cron}' did not run: ${error}`);
  }
}
