import { tooManyRequestsError } from '../../kernel/rate-limit/rate-limit.ts';
import { HASH_INTERVAL_MS, PAUSE_AFTER_HASH_MS } from './hash-cost.ts';

/** Long enough for about 30 queued passwords. Further requests get 429. */
const WAIT_MS_MAX = 8_000;
const HASH_MS_MAX = 2_000;

let nextStartAt = 0;
let busyUntil = 0;

/**
 * Throws 429 if the queue is full. Each request reserves a start time and waits until then, so an aborted request can't
 * block the queue.
 */
export async function runInHashQueue<T>(compute: () => Promise<T>): Promise<T> {
  const now = Date.now();
  const turn = Math.max(now, nextStartAt);
  if (turn - now > WAIT_MS_MAX) throw tooManyRequestsError(Math.ceil((turn - now) / 1000));
  nextStartAt = turn + HASH_INTERVAL_MS;
  if (turn > now) await scheduler.wait(turn - now);
  while (Date.now() < busyUntil) await scheduler.wait(PAUSE_AFTER_HASH_MS);
  busyUntil = Date.now() + HASH_MS_MAX;
  try {
    return await compute();
  } finally {
    // In Workers, the clock advances only while waiting, not during a computation.
    await scheduler.wait(0);
    busyUntil = Date.now() + PAUSE_AFTER_HASH_MS;
  }
}
