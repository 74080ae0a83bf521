import { createHmac } from 'node:crypto';

/** Secrets and signatures have the format of Standard Webhooks 1.0.0. */
const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const SIGNATURE_VERSION = 'v1';

export interface SignedMessage {
  readonly id: string;
  /** The time of this attempt, in seconds. */
  readonly timestamp: number;
  readonly body: string;
}

export function createWebhookSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES));
  return SECRET_PREFIX + Buffer.from(bytes).toString('base64');
}

export function buildSignatureHeaders(
  secrets: readonly string[],
  message: SignedMessage,
): Record<string, string> {
  return {
    'webhook-id': message.id,
    'webhook-timestamp': String(message.timestamp),
    'webhook-signature': secrets.map((secret) => signMessage(secret, message)).join(' '),
  };
}

function signMessage(secret: string, { id, timestamp, body }: SignedMessage): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`);
  return `${SIGNATURE_VERSION},${mac.digest('base64')}`;
}
