// Starts the worker in one process with its databases, or in two processes that share databases in a third one.
import { writeFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import { bundle } from '../../scripts/bundle.ts';
import { findFreePort } from '../../scripts/local.ts';
import type { PreparedServer } from '../../scripts/own-server.ts';
import { openRuntime, readWorker, toWorkerModules } from '../../scripts/runtime.ts';
import { createCpuMeter, findRuntime } from '../runtime.ts';

export interface BenchServers {
  /** The server of the noisy workspace. */
  readonly noisy: string;
  /** The server of the measured workspace. Equals `noisy` if there is one process. */
  readonly quiet: string;
  readonly databases: Readonly<Record<'DIRECTORY' | 'CELL_0', D1Database>>;
  cpuMs(): Readonly<Record<string, number | null>>;
  stop(): Promise<void>;
}

/** Serves the databases to other processes over HTTP, as D1 does. */
const databaseServer = `
  export default {
    async fetch(request, env) {
      const { name, statements } = await request.json();
      const database = env[name];
      try {
        const prepared = statements.map(({ sql, params }) => database.prepare(sql).bind(...params));
        return Response.json({ results: await database.batch(prepared) });
      } catch (error) {
        return Response.json({ error: error.message });
      }
    },
  };`;

const buildRemoteEntry = (main: string, url: string) => `
  import worker, { RateWindow as Rates, UploadSession as Uploads, WorkspaceHub as Hub } from './${main}';
  const connect = (name) => ({
    prepare: (sql) => ({ sql, params: [], bind: (...params) => ({ sql, params }) }),
    async batch(statements) {
      const body = JSON.stringify({ name, statements: statements.map(({ sql, params }) => ({ sql, params })) });
      const answer = await (await fetch('${url}', { method: 'POST', body })).json();
      if (answer.error) throw new Error(answer.error);
      return answer.results;
    },
  });
  const known = new WeakMap();
  const connected = (env) => {
    if (!known.has(env)) known.set(env, { ...env, DIRECTORY: connect('DIRECTORY'), CELL_0: connect('CELL_0') });
    return known.get(env);
  };
  const withDatabases = (Class) => class extends Class {
    constructor(ctx, env) {
      super(ctx, connected(env));
    }
  };
  export const RateWindow = withDatabases(Rates);
  export const UploadSession = withDatabases(Uploads);
  export const WorkspaceHub = withDatabases(Hub);
  export default { fetch: (request, env, ctx) => worker.fetch(request, connected(env), ctx) };`;

const NICENESS_INCREASE = 10;

/**
 * On Cloudflare, workspaces share only databases, so the noisy workspace must not slow down the other workspace by
 * using this machine's processor.
 */
export function lowerPriority(pid: number): void {
  setPriority(pid, Math.min(constants.priority.PRIORITY_LOW, getPriority() + NICENESS_INCREASE));
}

export async function startBenchServers(
  { state, variables }: PreparedServer,
  isShared: boolean,
): Promise<BenchServers> {
  const { queueConsumers: _consumers, ...options } = readWorker(variables).options;
  const modules = bundle(null, join(state, 'bundle'), { minify: true });
  const runtimes: { name: string; stop(): Promise<void>; cpuMs(): number | null }[] = [];
  const start = async (
    name: string,
    folder: string,
    worker: (origin: string) => Parameters<typeof openRuntime>[0]['workers'][number],
  ) => {
    const port = await findFreePort();
    const origin = `http://localhost:${port}`;
    const runtime = await openRuntime({
      port,
      folder: join(state, folder),
      // Prints only errors, because the worker logs a line per request.
      handleStructuredLogs: ({ level, message }) => level === 'error' && console.error(message),
      workers: [worker(origin)],
    });
    runtimes.push({ name, stop: () => runtime.dispose(), cpuMs: createCpuMeter() });
    return { origin, runtime };
  };
  const bindingsAt = (origin: string) => {
    // Removes the unlimited budgets of benches, so that the defaults of a deployment apply.
    const others = Object.entries(options.bindings).filter(([name]) => !name.startsWith('DATABASE_BUDGET'));
    return { ...Object.fromEntries(others), PUBLIC_URL: origin };
  };
  const place = {
    cpuMs: () => Object.fromEntries(runtimes.map(({ name, cpuMs }) => [name, cpuMs()])),
    stop: async () => void (await Promise.all(runtimes.map(({ stop }) => stop()))),
  };

  if (isShared) {
    const { origin, runtime } = await start('everything', 'v3', (at) => ({
      ...options,
      ...toWorkerModules(modules),
      bindings: bindingsAt(at),
    }));
    return { ...place, noisy: origin, quiet: origin, databases: await runtime.getBindings(options.name) };
  }
  const { name, compatibilityDate, d1Databases } = options;
  const { origin: url, runtime } = await start('databases', 'v3', () => ({
    name,
    compatibilityDate,
    d1Databases: d1Databases ?? [],
    modules: true,
    script: databaseServer,
  }));
  const [main] = modules;
  const entry = join(state, 'bundle', 'remote.js');
  writeFileSync(entry, buildRemoteEntry(main?.path.split('/').at(-1) ?? '', url));
  const remote = [{ type: 'ESModule', path: entry, bytes: Buffer.alloc(0) } as const, ...modules];
  const startWorker = (who: string) =>
    start(who, who, (at) => {
      const { d1Databases: _databases, ...rest } = options;
      return { ...rest, ...toWorkerModules(remote), bindings: bindingsAt(at) };
    });
  const { origin: noisy } = await startWorker('noisy');
  const noisyRuntime = findRuntime();
  if (noisyRuntime !== null) lowerPriority(noisyRuntime);
  const { origin: quiet } = await startWorker('quiet');
  return { ...place, noisy, quiet, databases: await runtime.getBindings(name) };
}
