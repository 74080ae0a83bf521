import { DatabaseUnavailableError } from '../errors/database-unavailable.ts';

/**
 * Far longer than the longest batch, which takes 250 ms, and shorter than the 30 seconds after which D1 ends a query.
 */
export const BATCH_DEADLINE_MS = 15_000;

/** Longer than any query can run, because scripts can wait. */
export const SCRIPT_DEADLINE_MS = 10 * 60_000;

export async function withDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new DatabaseUnavailableError(`no response within ${ms} ms`)), ms);
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
