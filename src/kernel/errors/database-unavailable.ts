import { AppError, internalError } from './errors.ts';

const RETRY_SECONDS = 5;

/** Thrown if the database is overloaded or isn't responding. A batch without a response may still be committed. */
export class DatabaseUnavailableError extends Error {}

/** Replaces an unexpected error, because its message may contain secrets. */
export function toServiceError(error: unknown): AppError {
  return error instanceof DatabaseUnavailableError ? unavailableError() : internalError();
}

function unavailableError(): AppError {
  return new AppError(
    'internal',
    `The database is overloaded or isn't responding. Wait ${RETRY_SECONDS} seconds, then send the request again. If the request had an Idempotency-Key, send the same key, so that the request takes effect only once.`,
    { status: 503, headers: { 'Retry-After': String(RETRY_SECONDS) } },
  );
}
