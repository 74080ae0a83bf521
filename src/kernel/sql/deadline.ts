import { DatabaseUnavailableError } from '../errors/unavailable.ts';

/** Far above the longest batch, which takes 250 ms, and below the 30 seconds after which D1 ends a query. */
export const BATCH_DEADLINE_MS = 15_000;

export async function withinDeadline<T>(work: Promise<T>): Promise<T> {
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new DatabaseUnavailableError(`no response within ${BATCH_DEADLINE_MS} ms`)),
    BATCH_DEADLINE_MS,
  );
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
