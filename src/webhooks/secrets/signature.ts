import { createHmac } from 'node:crypto';

/** Standard Webhooks 1.0.0: how the secret and the signature are written. */
const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const VERSION = 'v1';

/** What a receiver can verify and tell apart. */
export interface SignedMessage {
  /** The same for every attempt to send the same events to the same webhook. */
  readonly id: string;
  /** Seconds since the epoch, of this attempt. */
  readonly timestamp: number;
  /** The body as it is sent. */
  readonly body: string;
}

/** A fresh secret as its owner stores it. */
export function createWebhookSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return SECRET_PREFIX + Buffer.from(bytes).toString('base64');
}

/** The headers of a message, signed with every secret that is valid. */
export function signatureHeaders(secrets: readonly string[], message: SignedMessage): Record<string, string> {
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': secrets.map((secret) => sign(secret, message)).join(' '),
  };
}

function sign(secret: string, { id, timestamp, body }: SignedMessage): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`);
  return `${VERSION},${mac.digest('base64')}`;
}
