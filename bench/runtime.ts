import { execFileSync } from 'node:child_process';
import { constants, copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { V4WorkerOptions } from 'miniflare';
import type { Module } from '../scripts/bundle.ts';
import { getDatabaseFile } from '../scripts/databases.ts';
import { unlimitedBudgets } from '../scripts/local.ts';
import { openRuntime, readWorker, toWorkerModules } from '../scripts/runtime.ts';
import type { RecordedRequests } from './bare-worker.ts';

const require = createRequire(createRequire(import.meta.url).resolve('wrangler'));
const { options: workerOptions } = readWorker();

export const PUBLIC_URL = 'https://bench.edgework.test';
export const SESSION_SECRET = 'only-for-the-bench-0123456789-0123456789';

const PROBLEMS_MAX = 20;

export type Databases = Record<string, { id: string }> & { CELL_0: { id: string } };

type NamedWorker = V4WorkerOptions & { name: string };

export interface Runtime {
  readonly urls: ReadonlyMap<string, URL>;
  readonly problems: readonly string[];
  /** `cpuMs` and `memoryBytes` return null if the system doesn't report the value. */
  cpuMs(): number | null;
  memoryBytes(): number | null;
  stop(): Promise<void>;
}

export function readVersions(): { wrangler: string; workerd: string } {
  const of = (name: string): string => require(`${name}/package.json`).version;
  return { wrangler: of('wrangler'), workerd: of('workerd') };
}

export async function startRuntime(workers: NamedWorker[], folder: string): Promise<Runtime> {
  const problems: string[] = [];
  const runtime = await openRuntime({
    port: 0,
    folder,
    // Keeps only errors, because the worker logs a line per request.
    handleStructuredLogs({ level, message }) {
      if (level === 'error' && problems.length < PROBLEMS_MAX) problems.push(message);
    },
    workers,
  });
  const urls = new Map<string, URL>();
  for (const { name } of workers) urls.set(name, await runtime.unsafeGetDirectURL(name));
  const pid = findRuntime();
  return {
    urls,
    problems,
    cpuMs: () => readCpuMs(pid),
    memoryBytes: () => readMemoryBytes(pid),
    stop: () => runtime.dispose(),
  };
}

export function getWorkerUrl({ urls }: Runtime, name: string): URL {
  const url = urls.get(name);
  if (!url) throw new Error(`No worker ${name} was started`);
  return url;
}

export function createWorkerOptions(
  name: string,
  modules: readonly Module[],
  databases: Databases,
): NamedWorker {
  // Without queues, a request sends its own emails, so its cost includes them.
  const {
    assets: _assets,
    queueProducers: _producers,
    queueConsumers: _consumers,
    ...options
  } = workerOptions;
  return {
    ...options,
    name,
    ...toWorkerModules(modules),
    d1Databases: databases,
    bindings: {
      ...options.bindings,
      ...unlimitedBudgets,
      SESSION_SECRET,
      PUBLIC_URL,
      ENVIRONMENT: 'production',
      EXPOSE_COST: 'true',
    },
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
    unsafeRegisterWorker: false,
  };
}

export function createBareWorkerOptions(
  name: string,
  modules: readonly Module[],
  databases: Databases,
  plans: RecordedRequests,
): NamedWorker {
  return {
    name,
    compatibilityDate: workerOptions.compatibilityDate,
    ...toWorkerModules(modules),
    d1Databases: databases,
    bindings: { PLANS: JSON.stringify(plans) },
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
    unsafeRegisterWorker: false,
  };
}

/** Puts a SQLite file where the runtime expects the database with this id. */
export function placeDatabase(folder: string, id: string, file: string): void {
  const target = getDatabaseFile(folder, id);
  mkdirSync(join(target, '..'), { recursive: true });
  for (const suffix of ['', '-wal', '-shm']) rmSync(target + suffix, { force: true });
  copyFileSync(file, target, constants.COPYFILE_FICLONE);
}

/** The runtime must not be running. */
export function copyDatabase(folder: string, from: string, to: string): void {
  const source = getDatabaseFile(folder, from);
  const db = new DatabaseSync(source);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  placeDatabase(folder, to, source);
}

export function findRuntime(parent = process.pid): number | null {
  try {
    const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,comm='], { encoding: 'utf8' });
    const found = table
      .split('\n')
      .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
      .filter((match) => Number(match?.[2]) === parent && match?.[3]?.includes('workerd'))
      .map((match) => Number(match?.[1]));
    return found.at(-1) ?? null;
  } catch {
    return null;
  }
}

export function createCpuMeter(): () => number | null {
  const pid = findRuntime();
  return () => readCpuMs(pid);
}

const CPU_TICK_MS = 10;

/** The sum of user and system time. Returns null for an unknown process, and on systems without /proc. */
function readCpuMs(pid: number | null): number | null {
  const path = `/proc/${pid}/stat`;
  if (pid === null || !existsSync(path)) return null;
  const fields = readFileSync(path, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * CPU_TICK_MS;
}

function readMemoryBytes(pid: number | null): number | null {
  if (pid === null) return null;
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024;
}
