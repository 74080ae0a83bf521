import { encodeBase64 } from '@oslojs/encoding';
import type { PlainMessage } from './compose-push.ts';
import { encryptPush } from './encrypt-push.ts';
import type { NewMessage } from './messages.queries.ts';

interface Subscription {
  readonly session_hash: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** Encrypts messages before they are queued, so that the queue contains no readable text. */
export function encryptMessages(
  subscription: Subscription,
  messages: readonly PlainMessage[],
): Promise<NewMessage[]> {
  const { session_hash: sessionHash, p256dh } = subscription;
  return Promise.all(
    messages.map(async ({ topic, urgency, payload }) => {
      const body = encodeBase64(await encryptPush(JSON.stringify(payload), subscription));
      return { sessionHash, p256dh, topic, urgency, body };
    }),
  );
}
