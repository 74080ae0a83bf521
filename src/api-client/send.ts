import { EdgeworkError, toError } from './errors.ts';
import type { ClientOptions } from './types.ts';

const RETRIES = 4;
const LONGEST_PAUSE_SECONDS = 60;
const FIRST_PAUSE_SECONDS = 0.5;
/** A gateway that returns 502 or 504 doesn't know whether the server received the request. */
const UNCERTAIN = [502, 504];
const OVERLOADED = [429, 503];

interface Received {
  readonly text: string;
  readonly link: string | null;
  readonly tag: string | null;
}

/**
 * Sends a request until it succeeds, or throws an EdgeworkError.
 * @param isRepeatable false if a repeated request could take effect twice
 */
export async function sendWithRetries(
  options: ClientOptions,
  url: string,
  init: RequestInit,
  isRepeatable: boolean,
): Promise<Received> {
  const send = options.fetch ?? globalThis.fetch.bind(globalThis);
  for (let attempt = 0; ; attempt += 1) {
    const received = await tryOnce(send, url, init);
    if (!(received instanceof EdgeworkError)) return received;
    const { status, retryAfter } = received;
    const isWorthwhile =
      OVERLOADED.includes(status) || (isRepeatable && (status === 0 || UNCERTAIN.includes(status)));
    const pause = retryAfter ?? FIRST_PAUSE_SECONDS * 2 ** attempt * (0.5 + Math.random());
    const isTooLong = pause > (options.longestPause ?? LONGEST_PAUSE_SECONDS);
    if (!isWorthwhile || isTooLong || attempt >= (options.retries ?? RETRIES)) throw received;
    await sleep(pause * 1000, init.signal);
  }
}

/** Also reads the body, because the connection may break in the middle of it. */
async function tryOnce(
  send: typeof fetch,
  url: string,
  init: RequestInit,
): Promise<Received | EdgeworkError> {
  try {
    const response = await send(url, init);
    const text = await response.text();
    const { ok, headers } = response;
    return ok ? { text, link: headers.get('Link'), tag: headers.get('ETag') } : toError(response, text);
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
