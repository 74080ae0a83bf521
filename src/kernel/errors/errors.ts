import { defaultWords, formatWording, type Vocabulary, type Wording } from '../text/wording.ts';
import { quoteValue } from './describe-parse-error.ts';

export const errorStatus = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden_plan: 403,
  forbidden: 403,
  not_found: 404,
  rate_limited: 429,
  internal: 500,
} as const;

export type ErrorCode = keyof typeof errorStatus;

interface ErrorOptions {
  status?: number;
  headers?: Record<string, string>;
  /** The parameter or field at fault. Defaults to the first field that the message names. */
  field?: Wording;
}

/** An error with a message for the client. In the API, any other error becomes a generic `internal` error. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly wording: Wording;
  readonly #field: Wording | undefined;

  constructor(code: ErrorCode, wording: Wording, options: ErrorOptions = {}) {
    super(formatWording(wording, defaultWords));
    this.name = 'AppError';
    this.code = code;
    this.wording = wording;
    this.status = options.status ?? errorStatus[code];
    this.headers = options.headers ?? {};
    this.#field = options.field;
  }

  getField(words: Vocabulary): string | null {
    if (this.#field !== undefined) return formatWording(this.#field, words) || null;
    let first: string | null = null;
    formatWording(this.wording, {
      ...words,
      field(name) {
        const shown = words.field(name);
        first ??= shown;
        return shown;
      },
    });
    return first;
  }

  toBody(words: Vocabulary) {
    return { error: { code: this.code, message: formatWording(this.wording, words) } };
  }
}

export function invalidRequestError(wording: Wording, field?: Wording): AppError {
  return new AppError('invalid_request', wording, field === undefined ? {} : { field });
}

export function unauthorizedError(wording: Wording): AppError {
  return new AppError('unauthorized', wording, { headers: { 'WWW-Authenticate': 'Bearer' } });
}

export function forbiddenError(wording: Wording): AppError {
  return new AppError('forbidden', wording);
}

/**
 * Uses the same message for missing and invisible items, so that it doesn't reveal whether an id exists. `listing`
 * names the call that lists valid ids. Omit `field` if the id is in the path.
 */
export function notFoundError(kind: string, id: string | number, listing: Wording, field?: string): AppError {
  return new AppError(
    'not_found',
    (words) =>
      `No ${kind} with id ${quoteValue(String(id))} is visible to this credential. Use ${formatWording(listing, words)} to find valid ids.`,
    field === undefined ? {} : { field: (words) => words.field(field) },
  );
}

export function internalError(): AppError {
  return new AppError(
    'internal',
    'Something went wrong on our end. Every change is applied completely or not at all, so you can send the request again. If the request had an Idempotency-Key, send the same key, so that the request takes effect only once. If the problem persists, report the X-Request-Id of this response.',
  );
}
