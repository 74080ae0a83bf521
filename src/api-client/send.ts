import { EdgeworkError, toEdgeworkError } from './errors.ts';
import type { ClientOptions } from './types.ts';

const DEFAULT_RETRIES = 4;
const DEFAULT_LONGEST_PAUSE_SECONDS = 60;
const FIRST_PAUSE_SECONDS = 0.5;
/** A gateway that returns 502 or 504 doesn't know whether the server received the request. */
const AMBIGUOUS_STATUSES = [502, 504];
const OVERLOAD_STATUSES = [429, 503];

interface ReceivedResponse {
  readonly text: string;
  readonly link: string | null;
  readonly etag: string | null;
}

/**
 * Sends a request until it succeeds. Throws an EdgeworkError if the request fails and can't be retried, and the
 * signal's reason if the request is aborted.
 * @param isRepeatable false if a repeated request could take effect twice
 */
export async function sendWithRetries(
  options: ClientOptions,
  url: string,
  init: RequestInit,
  isRepeatable: boolean,
): Promise<ReceivedResponse> {
  const send = options.fetch ?? globalThis.fetch.bind(globalThis);
  for (let attempt = 0; ; attempt += 1) {
    const received = await sendOnce(send, url, init);
    if (!(received instanceof EdgeworkError)) return received;
    const { status, retryAfter } = received;
    const isRetryable =
      OVERLOAD_STATUSES.includes(status) ||
      (isRepeatable && (status === 0 || AMBIGUOUS_STATUSES.includes(status)));
    const pause = retryAfter ?? FIRST_PAUSE_SECONDS * 2 ** attempt * (0.5 + Math.random());
    const isTooLong = pause > (options.longestPause ?? DEFAULT_LONGEST_PAUSE_SECONDS);
    if (!isRetryable || isTooLong || attempt >= (options.retries ?? DEFAULT_RETRIES)) throw received;
    await sleep(pause * 1000, init.signal);
  }
}

/** Also reads the body, because the connection can break while the body arrives. */
async function sendOnce(
  send: typeof fetch,
  url: string,
  init: RequestInit,
): Promise<ReceivedResponse | EdgeworkError> {
  try {
    const response = await send(url, init);
    const text = await response.text();
    const { ok, headers } = response;
    return ok
      ? { text, link: headers.get('Link'), etag: headers.get('ETag') }
      : toEdgeworkError(response, text);
  } catch (cause) {
    init.signal?.throwIfAborted();
    return new EdgeworkError(`No response: ${(cause as Error).message}`, 'network', {}, { cause });
  }
}

function sleep(ms: number, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
