// Runs workerd with Miniflare, like `wrangler dev`, but without its proxy, which takes longer than most requests and
// almost doubles memory use.
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
const {
  convertV4MiniflareOptions,
  Log,
  LogLevel,
  Miniflare,
}: typeof import('miniflare') = require('miniflare');

/** The Worker options that are read here. All other options are passed on. */
export interface WorkerOptions extends V4WorkerOptionsShape {
  readonly name: string;
  readonly compatibilityDate: string;
  readonly bindings: NonNullable<V4WorkerOptionsShape['bindings']>;
}

/**
 * Reads the Worker's settings in wrangler.toml as options for the runtime. Leaves out the Worker's modules.
 * @param variables a file to use instead of .dev.vars
 */
export function readWorker(variables?: string): { options: WorkerOptions; crons: string[] } {
  // Hides wrangler's warnings about experimental settings.
  process.env.WRANGLER_LOG ??= 'error';
  const config = readConfig({ config: join(root, 'wrangler.toml') });
  // Wrangler reads `envFiles` but doesn't declare it.
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

export function toWorkerModules(bundle: readonly Module[]) {
  return { modules: bundle.map(({ type, path }) => ({ type, path })), modulesRoot: '/' };
}

/**
 * Starts Workers in one process. Only this machine can reach them.
 * @param folder the folder of the databases, files and objects
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

/** Runs every cron job on schedule, and also now, because it may have been due while this machine was off. */
export async function runCrons(crons: readonly string[], fire: (cron: string) => Promise<void>) {
  for (const cron of crons) {
    await fire(cron);
    new Cron(cron, { timezone: 'UTC', protect: true }, () => fire(cron));
  }
}
