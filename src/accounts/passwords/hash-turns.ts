import { tooManyRequests } from '../../kernel/rate-limit/rate-limit.ts';
import { PAUSE_MS, TURN_MS } from './work.ts';

/** About 30 passwords at once; further requests get 429. */
const WAIT_MS_MAX = 8_000;
/** No hash takes longer, so a request that broke off delays nobody. */
const BUSY_MS_MAX = 2_000;

let nextTurn = 0;
let busyUntil = 0;

/**
 * Computes one password at a time in this isolate. Each waits for its turn, and other requests run between two turns.
 * A turn is a moment in time and does not wait for another request's promise, so a request that breaks off blocks nobody.
 * Throws 429 if the queue is long.
 */
export async function inTurn<T>(compute: () => Promise<T>): Promise<T> {
  const now = Date.now();
  const turn = Math.max(now, nextTurn);
  if (turn - now > WAIT_MS_MAX) throw tooManyRequests(Math.ceil((turn - now) / 1000));
  nextTurn = turn + TURN_MS;
  if (turn > now) await scheduler.wait(turn - now);
  while (Date.now() < busyUntil) await scheduler.wait(PAUSE_MS);
  busyUntil = Date.now() + BUSY_MS_MAX;
  try {
    return await compute();
  } finally {
    // The clock stands still during a computation; after a timer it is right again.
    await scheduler.wait(0);
    busyUntil = Date.now() + PAUSE_MS;
  }
}
