// Serves the worker on this machine as `wrangler deploy` would ship it, and fires its crons: a process of its own for
// `npm start`, the browser tests and the soak, which ends with the one that started it.
//   node scripts/serve.mjs --port 8787 [--state <directory>] [--variables <file>]
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Cron } from 'croner';
import { bundle } from './bundle.mjs';
import { root } from './databases.mjs';
import { modulesOf, openRuntime, readWorker } from './runtime.mjs';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8787' },
    state: { type: 'string', default: join(root, '.wrangler', 'state') },
    variables: { type: 'string' },
  },
});
const port = Number(values.port);
const state = resolve(values.state);

const { options, crons } = readWorker(values.variables);
const modules = modulesOf(bundle(null, join(state, 'bundle'), { minify: true }));
const bindings = { ...options.bindings, PUBLIC_URL: `http://localhost:${port}` };
const runtime = await openRuntime({
  port,
  // Where `wrangler` keeps them as well.
  folder: join(state, 'v3'),
  workers: [{ ...options, ...modules, bindings }],
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) process.once(signal, stop);

process.on('message', ({ cron }) => fire(cron));
for (const cron of crons) {
  // It may have come due while this machine was off.
  await fire(cron);
  new Cron(cron, { timezone: 'UTC', protect: true }, () => fire(cron));
}

async function fire(cron) {
  try {
    const worker = await runtime.getWorker();
    await worker.scheduled({ cron });
  } catch (error) {
    console.error(`The cron '${cron}' did not run: ${error}`);
  }
}

async function stop() {
  await runtime.dispose().catch(() => undefined);
  process.exit(0);
}
