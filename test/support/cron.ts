import { createExecutionContext, createScheduledController, waitOnExecutionContext } from 'cloudflare:test';
import worker from '../../src/index.ts';
import { type KeeperMemory, runDatabaseJobs } from '../../src/upkeep/keeper/run-database-jobs.ts';
import { env } from './env.ts';

const memories = new Map<string, Map<string, unknown>>();

export function openMemory(name: string): KeeperMemory {
  const stored = memories.get(name) ?? new Map<string, unknown>();
  memories.set(name, stored);
  return {
    get: <T>(key: string) => structuredClone(stored.get(key)) as T | undefined,
    put: (key, value) => void stored.set(key, structuredClone(value)),
  };
}

/**
 * Runs the jobs of a cron expression now, and waits for them. They run in the test's own invocation, one database after the other, with the bindings that the test passes.
 * @param bindingsOf the bindings of a keeper, if they differ from those of the tick
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
      const keeper = { env: bindingsOf(name, bindings), memory: openMemory(name), waitUntil, cell };
      runs.push(() => runDatabaseJobs(keeper, [asked]));
    },
  });
  const DATABASE_KEEPER = { getByName } as unknown as Env['DATABASE_KEEPER'];
  await worker.scheduled(createScheduledController({ cron }), { ...bindings, DATABASE_KEEPER }, context);
  for (const run of runs) await run();
  await waitOnExecutionContext(context);
}
