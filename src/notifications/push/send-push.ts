import { parseRetryAfter } from '../../kernel/net/retry-after.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { hashSecret } from '../../kernel/secrets/tokens.ts';
import type { PushMessage } from './compose-push.ts';
import { type BrowserKeys, encryptPush } from './encrypt-push.ts';
import { describeUnknownEndpoint } from './push-services.ts';
import { NOTIFICATION_AGE_MS_MAX } from './push-task.ts';
import { findVapidKey, signVapidHeader } from './vapid.ts';

const TIMEOUT_MS = 5_000;
/** Edge's push service returns 406 if it gets too many messages. */
const temporaryStatuses = [406, 408, 429];
/** RFC 8030 §5.4 allows no more. */
const TOPIC_CHARACTERS = 32;

interface Recipient extends BrowserKeys {
  readonly session_hash: string;
  readonly endpoint: string;
}

export type PushOutcome =
  | { readonly kind: 'sent' }
  /** The browser has unsubscribed. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly reason: string; readonly retryAfterMs: number | null }
  /** The push service will never accept the message. */
  | { readonly kind: 'rejected'; readonly reason: string };

/** Sends a message to a push service (RFC 8030), which keeps it for up to an hour if the browser is offline. */
export async function sendPush(
  { config, origin, now }: Pick<RequestScope, 'config' | 'origin' | 'now'>,
  recipient: Recipient,
  { urgency, payload }: PushMessage,
): Promise<PushOutcome> {
  const { endpoint } = recipient;
  const { vapidPrivateKey, isLocal, mailFrom } = config;
  const deploymentHost = new URL(origin).hostname;
  const unknown = describeUnknownEndpoint(endpoint, { isLocal, deploymentHost });
  const key = await findVapidKey(vapidPrivateKey);
  if (unknown || !key) return { kind: 'rejected', reason: unknown ?? 'no VAPID_PRIVATE_KEY' };
  const contact = `mailto:${/<([^<>]+)>/.exec(mailFrom)?.[1] ?? mailFrom.trim()}`;
  const request = {
    method: 'POST',
    headers: {
      Authorization: await signVapidHeader(key, { endpoint, contact, now }),
      'Content-Encoding': 'aes128gcm',
      'Content-Type': 'application/octet-stream',
      TTL: String(NOTIFICATION_AGE_MS_MAX / 1000),
      Topic: toTopic(recipient, payload.tag),
      Urgency: urgency,
    },
    body: await encryptPush(JSON.stringify(payload), recipient),
    // A redirect could go to an unchecked address.
    redirect: 'manual',
  } as const;
  try {
    const response = await fetch(endpoint, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.body?.cancel();
    return toOutcome(response, now);
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError';
    return { kind: 'failed', reason: isTimeout ? 'no response' : 'connection failed', retryAfterMs: null };
  }
}

/** Differs for each browser, so that push services can't tell which browsers got the same notification. */
function toTopic({ session_hash }: Recipient, tag: string): string {
  return hashSecret(`${session_hash} ${tag}`).slice(0, TOPIC_CHARACTERS);
}

function toOutcome({ ok, status, headers }: Response, now: number): PushOutcome {
  if (ok) return { kind: 'sent' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  const reason = `returned ${status}`;
  if (!temporaryStatuses.includes(status) && status < 500) return { kind: 'rejected', reason };
  return { kind: 'failed', reason, retryAfterMs: parseRetryAfter(headers.get('Retry-After'), now) };
}
