// workerd under the Miniflare API: what `wrangler dev` runs, without the proxy that it puts before the worker, which costs
// more time than most requests and three quarters as much memory again.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import {
  unstable_readConfig as readConfig,
  unstable_getMiniflareWorkerOptions as readWorkerOptions,
} from 'wrangler';
import { root } from './databases.mjs';

const require = createRequire(createRequire(import.meta.url).resolve('wrangler'));
const { convertV4MiniflareOptions, Log, LogLevel, Miniflare } = require('miniflare');

/**
 * The worker of wrangler.toml as the runtime takes it, without its modules.
 * @param variables a file to take instead of .dev.vars.
 */
export function readWorker(variables) {
  // It warns of every experimental setting otherwise.
  process.env.WRANGLER_LOG ??= 'error';
  const config = readConfig({ config: join(root, 'wrangler.toml') });
  const { workerOptions } = readWorkerOptions(config, undefined, variables ? { envFiles: [variables] } : {});
  const { modulesRules: _rules, cronTriggers: crons, ...options } = workerOptions;
  return { options: { ...options, name: config.name }, crons };
}

/** The modules of a bundle as a worker names them. */
export function modulesOf(bundle) {
  return { modules: bundle.map(({ type, path }) => ({ type, path })), modulesRoot: '/' };
}

/**
 * Starts workers in one process, on this machine only.
 * @param folder what the databases, files and objects are kept in.
 */
export async function openRuntime({ folder, ...options }) {
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      cf: false,
      log: new Log(LogLevel.ERROR),
      resourcePersistencePath: folder,
      ...options,
    }),
  );
  await runtime.ready;
  return runtime;
}
