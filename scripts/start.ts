// `npm start`: prepares this machine, serves what would be deployed, and prints the lines that a newcomer needs first.
import { root } from './databases.ts';
import { COLLECT_EARLY } from './local.ts';
import { describeServer } from './start/greeting.ts';
import { prepareMachine } from './start/machine.ts';
import { startServer } from './start/server-process.ts';
import { quiet } from './wrangler.ts';

process.chdir(root);
Object.assign(process.env, quiet, { MINIFLARE_WORKERD_V8_FLAGS: COLLECT_EARLY });

const machine = await prepareMachine('npm start');
let isGreeted = false;
const server = startServer(['scripts/serve.ts', `--port=${machine.port}`], {
  origin: machine.origin,
  // The runtime's own notes are kept for failures; the lines of the worker's log are shown.
  show: (line) => isGreeted && line.startsWith('{"level"') && console.log(line),
});
await server.untilReady();
console.log(describeServer(machine));
isGreeted = true;
