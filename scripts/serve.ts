// Serves the Worker on this machine as `wrangler deploy` would publish it, and runs its crons. Runs as a separate
// process for `npm start`, the browser tests and the soak test, and exits when the process that started it does.
//   node scripts/serve.ts --port 8787 [--state <directory>] [--variables <file>] [--built]
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bundle, readBundle } from './bundle.ts';
import { root } from './databases.ts';
import { openRuntime, readWorker, runCrons, toWorkerModules } from './runtime.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8787' },
    state: { type: 'string', default: join(root, '.wrangler', 'state') },
    variables: { type: 'string' },
    /** Skips the build, and serves the bundle that the previous run left in the `state` folder. */
    built: { type: 'boolean', default: false },
  },
});
const port = Number(values.port);
const state = resolve(values.state);

const { options, crons } = readWorker(values.variables);
const folder = join(state, 'bundle');
const modules = toWorkerModules(values.built ? readBundle(folder) : bundle(null, folder, { minify: true }));
const bindings = { ...options.bindings, PUBLIC_URL: `http://localhost:${port}` };
const runtime = await openRuntime({
  port,
  // Wrangler uses the same folder.
  folder: join(state, 'v3'),
  unsafeTriggerHandlers: true,
  workers: [{ ...options, ...modules, bindings }],
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect']) process.once(signal, stop);

process.on('message', ({ cron }: { cron: string }) => fire(cron));
await runCrons(crons, fire);

/** Sends a request, because the runtime's own method would keep this process from reading the Worker's logs. */
async function fire(cron: string): Promise<void> {
  try {
    const url = `http://127.0.0.1:${port}/cdn-cgi/local/scheduled?cron=${encodeURIComponent(cron)}`;
    const response = await fetch(url);
    if (!response.ok)
      console.error(`The cron '${cron}' returned ${response.status}: ${await response.text()}`);
  } catch (error) {
    console.error(`The cron '${cron}' did not run: ${error}`);
  }
}

async function stop(): Promise<never> {
  await runtime.dispose().catch(() => undefined);
  process.exit(0);
}
