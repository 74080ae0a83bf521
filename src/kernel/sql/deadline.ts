import { DatabaseUnavailableError } from '../errors/database-unavailable.ts';

/** The longest batch takes 250 ms, and D1 cancels a query after 30 seconds. */
export const BATCH_DEADLINE_MS = 15_000;

/** Scripts can wait, so they use a deadline that no query can reach. */
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
