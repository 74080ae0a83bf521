import { type SignedMessage, signatureHeaders } from '../secrets/signature.ts';
import { readRetryAfter } from './schedule.ts';

const TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 64 * 1024;
const ANSWER_CHARACTERS_KEPT = 1024;

/** What came of one attempt. */
export interface Attempt {
  readonly isDelivered: boolean;
  /** HTTP status; null where none came. */
  readonly status: number | null;
  /** Why it counts as failed. */
  readonly error: string | null;
  /** The beginning of the answer. */
  readonly answer: string | null;
  readonly ms: number;
  readonly retryAfterMs: number | null;
}

/** Posts a signed message, once. Never throws: whatever goes wrong is what the attempt says. */
export async function send(
  url: string,
  secrets: readonly string[],
  message: SignedMessage,
): Promise<Attempt> {
  const startedAt = Date.now();
  // Not AbortSignal.timeout(), which would keep the object awake, and paid for, until its time is over.
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), TIMEOUT_MS);
  const { signal } = timeout;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Edgework-Webhooks/1.0',
        ...signatureHeaders(secrets, message),
      },
      body: message.body,
      // A redirect could lead to an address that was not checked.
      redirect: 'manual',
      signal,
    });
    const { status, ok: isDelivered } = response;
    const retryAfterMs = readRetryAfter(response.headers.get('Retry-After'), startedAt);
    // The status has decided already, so an answer that breaks off changes nothing.
    const answer = await readBeginning(response.body, signal).catch(() => null);
    const error = isDelivered ? null : describeStatus(status);
    return { isDelivered, status, error, answer, ms: Date.now() - startedAt, retryAfterMs };
  } catch {
    const error = signal.aborted ? `no answer within ${TIMEOUT_MS / 1000} seconds` : 'the connection failed';
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
  if (status >= 300 && status < 400) return `it redirects (${status}), which is not followed`;
  return `it answered ${status}`;
}

/** Reads at most 64 KiB, so that the connection can be used again, and keeps the first KB. */
async function readBeginning(body: ReadableStream<Uint8Array> | null, signal: AbortSignal): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for await (const part of body ?? []) {
    if (text.length < ANSWER_CHARACTERS_KEPT) text += decoder.decode(part, { stream: true });
    length += part.byteLength;
    if (length >= ANSWER_BYTES_MAX || signal.aborted) break;
  }
  // A database keeps neither U+0000 nor half of a surrogate pair.
  return text.slice(0, ANSWER_CHARACTERS_KEPT).replaceAll('\0', '').toWellFormed();
}
