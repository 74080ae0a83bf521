import { parseEnv } from './env.ts';
import { getDurableObject } from './kernel/operation/durable-objects.ts';
import { describeError, log } from './kernel/operation/log.ts';
import { crons } from './upkeep/cron/due-jobs.ts';

const CONCURRENT_CALLS_MAX = 50;
const CALL_MS_MAX = 5_000;

/** Calls each database's `DatabaseKeeper`, which returns immediately and runs the jobs in a separate invocation. */
export async function runScheduled({ cron }: Pick<ScheduledController, 'cron'>, env: Env): Promise<void> {
  if (!crons.includes(cron)) {
    log('error', 'cron.unknown', { cron });
    return;
  }
  const queue = [null, ...parseEnv(env).cells.keys()].values();
  const callNext = async () => {
    for (const cell of queue) await callKeeper(env, cron, cell);
  };
  await Promise.all(Array.from({ length: CONCURRENT_CALLS_MAX }, callNext));
}

/** Only logs a failure, so that the other keepers are still called. The next tick calls this one again. */
async function callKeeper(env: Env, cron: string, cell: number | null): Promise<void> {
  const name = cell === null ? 'directory' : `cell ${cell}`;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No response within ${CALL_MS_MAX} ms`)), CALL_MS_MAX);
  });
  try {
    await Promise.race([getDurableObject(env, 'DATABASE_KEEPER', name).tick(cron, cell), deadline]);
  } catch (error) {
    log('error', 'cron.unreachable', { keeper: name, cause: describeError(error) });
  } finally {
    clearTimeout(timer);
  }
}
