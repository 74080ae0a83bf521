// `npm start` prepares this machine, serves the bundle that would be deployed, and prints what newcomers need first.
import { root } from './databases.ts';
import { EARLY_GC_FLAGS } from './local.ts';
import { describeServer } from './start/greeting.ts';
import { prepareMachine } from './start/machine.ts';
import { startServer } from './start/server-process.ts';
import { quietEnvironment } from './wrangler.ts';

process.chdir(root);
Object.assign(process.env, quietEnvironment, { MINIFLARE_WORKERD_V8_FLAGS: EARLY_GC_FLAGS });

const machine = await prepareMachine('npm start');
let isGreeted = false;
const server = startServer(['scripts/serve.ts', `--port=${machine.port}`], {
  origin: machine.origin,
  // Shows only the Worker's log lines. The runtime's messages are printed only after a failure.
  show: (line) => isGreeted && line.startsWith('{"level"') && console.log(line),
});
await server.untilReady();
console.log(describeServer(machine));
isGreeted = true;
