import { tooManyRequests } from '../rate-limit/rate-limit.ts';

/** What a password takes of an isolate's only thread, with room for others behind it. */
const TURN_MS = 250;
/** About 30 passwords at once; whoever comes then is asked to come again. */
const WAIT_MS_MAX = 8_000;
/** Nobody computes for longer; so a request that was broken off holds nobody up. */
const BUSY_MS_MAX = 2_000;
const PAUSE_MS = 50;

let nextTurn = 0;
let busyUntil = 0;

/**
 * Computes one password at a time in this isolate, each in a turn that it waits for, and lets other requests through
 * between two. Turns are moments, not promises of other requests: none is lost with a request that is broken off.
 * Throws 429 where the queue is long.
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
    // The clock stands still while one computes; behind a timer it is right again.
    await scheduler.wait(0);
    busyUntil = Date.now() + PAUSE_MS;
  }
}
