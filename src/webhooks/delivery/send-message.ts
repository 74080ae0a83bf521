import { parseRetryAfter } from '../../kernel/net/retry-after.ts';
import { buildSignatureHeaders, type SignedMessage } from '../secrets/signature.ts';

const TIMEOUT_MS = 10_000;
const RESPONSE_BYTES_MAX = 64 * 1024;
const RESPONSE_CHARACTERS_KEPT = 1024;

export interface DeliveryAttempt {
  readonly isDelivered: boolean;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
  readonly ms: number;
  readonly retryAfterMs: number | null;
}

/** Never throws. The returned attempt contains the error, if any. */
export async function sendMessage(
  url: string,
  secrets: readonly string[],
  message: SignedMessage,
): Promise<DeliveryAttempt> {
  const startedAt = Date.now();
  // AbortSignal.timeout() would keep the Durable Object awake, and billed, until the timeout has passed.
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), TIMEOUT_MS);
  const { signal } = timeout;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Edgework-Webhooks/1.0',
        ...buildSignatureHeaders(secrets, message),
      },
      body: message.body,
      // A redirect could go to an unchecked address.
      redirect: 'manual',
      signal,
    });
    const { status, ok: isDelivered } = response;
    const retryAfterMs = parseRetryAfter(response.headers.get('Retry-After'), startedAt);
    // Only the status counts, so an interrupted body doesn't matter.
    const answer = await readResponseStart(response.body, signal).catch(() => null);
    const error = isDelivered ? null : describeStatus(status);
    return { isDelivered, status, error, answer, ms: Date.now() - startedAt, retryAfterMs };
  } catch {
    const error = signal.aborted ? `no response within ${TIMEOUT_MS / 1000} seconds` : 'connection failed';
    return {
      isDelivered: false,
      status: null,
      error,
      answer: null,
      ms: Date.now() - startedAt,
      retryAfterMs: null,
    };
  } finally {
    clearTimeout(timer);
  }
}

function describeStatus(status: number): string {
  if (status >= 300 && status < 400) return `redirected (${status}); redirects are not followed`;
  return `returned ${status}`;
}

/** Reads up to 64 KiB, so that the connection can be reused, but returns only the start of the text. */
async function readResponseStart(
  body: ReadableStream<Uint8Array> | null,
  signal: AbortSignal,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for await (const part of body ?? []) {
    if (text.length < RESPONSE_CHARACTERS_KEPT) text += decoder.decode(part, { stream: true });
    length += part.byteLength;
    if (length >= RESPONSE_BYTES_MAX || signal.aborted) break;
  }
  // D1 can't store U+0000 or unpaired surrogates.
  return text.slice(0, RESPONSE_CHARACTERS_KEPT).replaceAll('\0', '').toWellFormed();
}
