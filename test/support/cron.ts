import { createExecutionContext, createScheduledController, waitOnExecutionContext } from 'cloudflare:test';
import worker from '../../src/index.ts';
import { type KeeperMemory, runDatabaseJobs } from '../../src/upkeep/keeper/run-database-jobs.ts';
import { env } from './env.ts';

const memoryByKeeper = new Map<string, Map<string, unknown>>();

export function getKeeperMemory(name: string): KeeperMemory {
  const stored = memoryByKeeper.get(name) ?? new Map<string, unknown>();
  memoryByKeeper.set(name, stored);
  return {
    get: <T>(key: string) => structuredClone(stored.get(key)) as T | undefined,
    put: (key, value) => void stored.set(key, structuredClone(value)),
  };
}

/**
 * Runs the jobs of a cron expression in the test's own invocation, one database after the other, and waits for them.
 * @param bindingsOf returns a keeper's bindings, if they differ from the bindings of the tick
 */
export async function runCron(
  cron: string,
  variables: Partial<Env> = {},
  bindingsOf: (keeper: string, bindings: Env) => Env = (_, bindings) => bindings,
): Promise<void> {
  const bindings = { ...env, ...variables };
  const context = createExecutionContext();
  const waitUntil = (work: Promise<unknown>) => context.waitUntil(work);
  const runs: (() => Promise<void>)[] = [];
  const getByName = (name: string) => ({
    tick: async (asked: string, cell: number | null) => {
      const keeper = { env: bindingsOf(name, bindings), memory: getKeeperMemory(name), waitUntil, cell };
      runs.push(() => runDatabaseJobs(keeper, [asked]));
    },
  });
  const DATABASE_KEEPER = { getByName } as unknown as Env['DATABASE_KEEPER'];
  await worker.scheduled(createScheduledController({ cron }), { ...bindings, DATABASE_KEEPER }, context);
  for (const run of runs) await run();
  await waitOnExecutionContext(context);
}
