// workerd under the Miniflare API: what `wrangler dev` runs, without the proxy that it puts before the worker, which costs
// more time than most requests and three quarters as much memory again.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Cron } from 'croner';
import type { Miniflare as Runtime, V4SharedOptions, V4WorkerOptions, V4WorkerOptionsShape } from 'miniflare';
import {
  unstable_readConfig as readConfig,
  unstable_getMiniflareWorkerOptions as readWorkerOptions,
} from 'wrangler';
import type { Module } from './bundle.ts';
import { root } from './databases.ts';

const require = createRequire(createRequire(import.meta.url).resolve('wrangler'));
// The one that wrangler brings.
const {
  convertV4MiniflareOptions,
  Log,
  LogLevel,
  Miniflare,
}: typeof import('miniflare') = require('miniflare');

/** What of a worker's options is read here; the rest is passed on. */
export interface WorkerOptions extends V4WorkerOptionsShape {
  readonly name: string;
  readonly compatibilityDate: string;
  readonly bindings: NonNullable<V4WorkerOptionsShape['bindings']>;
}

/**
 * The worker of wrangler.toml as the runtime takes it, without its modules.
 * @param variables a file to take instead of .dev.vars.
 */
export function readWorker(variables?: string): { options: WorkerOptions; crons: string[] } {
  // It warns of every experimental setting otherwise.
  process.env.WRANGLER_LOG ??= 'error';
  const config = readConfig({ config: join(root, 'wrangler.toml') });
  // Wrangler reads `envFiles` here and does not declare it.
  const files: { envFiles?: string[]; containerBuildId?: string } = variables
    ? { envFiles: [variables] }
    : {};
  const { workerOptions } = readWorkerOptions(config, undefined, files);
  const { modulesRules: _rules, cronTriggers: _crons, ...options } = workerOptions;
  const { name, compatibility_date: compatibilityDate, triggers } = config;
  if (!name || !compatibilityDate) throw new Error('wrangler.toml has no name or no compatibility_date');
  const bindings = { ...(options.bindings as WorkerOptions['bindings'] | undefined) };
  return { options: { ...options, name, compatibilityDate, bindings }, crons: triggers.crons ?? [] };
}

/** The modules of a bundle as a worker names them. */
export function modulesOf(bundle: readonly Module[]) {
  return { modules: bundle.map(({ type, path }) => ({ type, path })), modulesRoot: '/' };
}

/**
 * Starts workers in one process, on this machine only.
 * @param folder what the databases, files and objects are kept in.
 */
export async function openRuntime({
  folder,
  ...options
}: V4SharedOptions & { folder: string; workers: V4WorkerOptions[] }): Promise<Runtime> {
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

/** Runs every cron once, since it may have come due while this machine was off, and then whenever it comes due. */
export async function keepCrons(crons: readonly string[], fire: (cron: string) => Promise<void>) {
  for (const cron of crons) {
    await fire(cron);
    new Cron(cron, { timezone: 'UTC', protect: true }, () => fire(cron));
  }
}
