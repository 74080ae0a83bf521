// `npm run dev`: prepares this machine as `npm start` does, and runs `wrangler dev`, which reloads at every edit. It fires
// no crons by itself, so they are fired here.

import { root } from './databases.ts';
import { keepCrons, readWorker } from './runtime.ts';
import { describeServer } from './start/greeting.ts';
import { prepareMachine } from './start/machine.ts';
import { startServer } from './start/server-process.ts';
import { quiet, wrangler } from './wrangler.ts';

process.chdir(root);
Object.assign(process.env, quiet);

const machine = await prepareMachine('npm run dev');
const { port, origin } = machine;
const { crons } = readWorker();
// Reading silences wrangler, which shall tell here what it does.
process.env.WRANGLER_LOG = 'log';
const server = startServer(
  [wrangler, 'dev', '--ip=127.0.0.1', `--port=${port}`, '--var', `PUBLIC_URL:${origin}`, '--test-scheduled'],
  { origin, show: (line) => console.log(line) },
);
await server.untilReady();
console.log(describeServer(machine));
await keepCrons(crons, fire);

/** Through the address that `--test-scheduled` opens. */
async function fire(cron: string): Promise<void> {
  try {
    const answer = await fetch(`${origin}/__scheduled?cron=${encodeURIComponent(cron)}`);
    if (!answer.ok) console.error(`The cron '${cron}' answered ${answer.status}: ${await answer.text()}`);
  } catch (error) {
    console.error(`The cron '${cron}' did not run: ${error}`);
  }
}
