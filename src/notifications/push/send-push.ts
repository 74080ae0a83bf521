import { decodeBase64 } from '@oslojs/encoding';
import { parseRetryAfter } from '../../kernel/net/retry-after.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { hashSecret } from '../../kernel/secrets/tokens.ts';
import { describeUnknownEndpoint } from './push-services.ts';
import { importVapidKey, signVapidHeader } from './vapid.ts';

const TIMEOUT_MS = 10_000;
/** RFC 8030 §5.4 allows no more. */
const TOPIC_CHARACTERS = 32;

interface OutgoingMessage {
  readonly session_hash: string;
  readonly endpoint: string;
  readonly topic: string;
  readonly urgency: string;
  /** In base64. */
  readonly body: string;
  readonly expires_at: number;
}

export type PushOutcome =
  | { readonly kind: 'sent' }
  /** The browser has unsubscribed. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly reason: string; readonly retryAfterMs: number | null }
  /** The push service will never accept the message. */
  | { readonly kind: 'rejected'; readonly reason: string };

/** Sends a message to a push service (RFC 8030). Never throws. */
export async function sendPush(
  { config, origin, now }: Pick<RequestScope, 'config' | 'origin' | 'now'>,
  message: OutgoingMessage,
): Promise<PushOutcome> {
  const { endpoint, urgency, body, expires_at: expiresAt } = message;
  const { vapidPrivateKey, isLocal, mailFrom } = config;
  const deploymentHost = new URL(origin).hostname;
  const unknown = describeUnknownEndpoint(endpoint, { isLocal, deploymentHost });
  if (unknown || !vapidPrivateKey) return { kind: 'rejected', reason: unknown ?? 'no VAPID_PRIVATE_KEY' };
  const contact = `mailto:${/<([^<>]+)>/.exec(mailFrom)?.[1] ?? mailFrom.trim()}`;
  try {
    const key = await importVapidKey(vapidPrivateKey);
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        Authorization: await signVapidHeader(key, { endpoint, contact, now }),
        'Content-Encoding': 'aes128gcm',
        'Content-Type': 'application/octet-stream',
        TTL: String(Math.max(0, Math.floor((expiresAt - now) / 1000))),
        Topic: hideTopic(message),
        Urgency: urgency,
      },
      body: decodeBase64(body),
      // A redirect could go to an unchecked address.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return toOutcome(response, now);
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    return { kind: 'failed', reason: isTimeout ? 'no response' : 'connection failed', retryAfterMs: null };
  }
}

/** Differs for each browser, so that push services can't tell which browsers got the same notification. */
function hideTopic({ session_hash, topic }: OutgoingMessage): string {
  return hashSecret(`${session_hash} ${topic}`).slice(0, TOPIC_CHARACTERS);
}

function toOutcome({ ok, status, headers }: Response, now: number): PushOutcome {
  if (ok) return { kind: 'sent' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  const reason = `returned ${status}`;
  if (status !== 429 && status < 500) return { kind: 'rejected', reason };
  return { kind: 'failed', reason, retryAfterMs: parseRetryAfter(headers.get('Retry-After'), now) };
}
