import type { EdgeworkErrorCode, EdgeworkErrorDetails } from './types.ts';

export class EdgeworkError extends Error implements EdgeworkErrorDetails {
  readonly code: EdgeworkErrorCode;
  readonly status: number;
  readonly field: string | null;
  readonly requestId: string | null;
  readonly retryAfter: number | null;

  constructor(
    message: string,
    code: EdgeworkErrorCode,
    { status = 0, field = null, requestId = null, retryAfter = null }: Partial<EdgeworkErrorDetails> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'EdgeworkError';
    this.code = code;
    this.status = status;
    this.field = field;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}

export function toEdgeworkError({ status, headers }: Response, text: string): EdgeworkError {
  const { code = status === 429 ? 'rate_limited' : 'internal', message = `The server returned ${status}.` } =
    parseErrorBody(text);
  const retryAfter = headers.get('Retry-After') ?? '';
  return new EdgeworkError(message, code, {
    status,
    field: headers.get('Error-Field'),
    requestId: headers.get('X-Request-Id'),
    retryAfter: /^\d+$/.test(retryAfter) ? Number(retryAfter) : null,
  });
}

/** A proxy may respond with something other than the server's JSON. */
function parseErrorBody(text: string): { code?: EdgeworkErrorCode; message?: string } {
  try {
    return JSON.parse(text).error ?? {};
  } catch {
    return {};
  }
}
