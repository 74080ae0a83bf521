import { EdgeworkError } from './errors.ts';
import type { WebhookHeaders, WebhookOptions } from './types.ts';

const DEFAULT_TOLERANCE_SECONDS = 300;

/**
 * Checks a message by the rules of Standard Webhooks, and returns its parsed body. Throws an EdgeworkError if the
 * message is too old or isn't signed with one of the secrets.
 * @param secrets one secret, or the old and the new one during a rotation
 * @param body the body as it was received, because parsing and serializing would change it
 */
export async function verifyWebhook(
  secrets: string | readonly string[],
  headers: WebhookHeaders,
  body: string | Uint8Array<ArrayBuffer>,
  { tolerance = DEFAULT_TOLERANCE_SECONDS }: WebhookOptions = {},
): Promise<unknown> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    readHeader(headers, `webhook-${name}`),
  );
  if (!id || !timestamp || !signatures)
    throw signatureError('The webhook-id, webhook-timestamp or webhook-signature header is missing.');
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= tolerance))
    throw signatureError("The message is too old, or this machine's clock is wrong.");
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const content = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const givenSignatures = signatures
    .split(' ')
    .flatMap((each) => (each.startsWith('v1,') ? [each.slice(3)] : []));
  for (const secret of [secrets].flat()) {
    const key = await importSigningKey(secret);
    for (const signature of givenSignatures) {
      const bytes = decodeBase64(signature);
      // Compares in constant time.
      if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, content))) return JSON.parse(text);
    }
  }
  throw signatureError("None of the message's signatures match.");
}

function signatureError(message: string): EdgeworkError {
  return new EdgeworkError(message, 'invalid_signature');
}

function readHeader(headers: WebhookHeaders, name: string): string | null {
  const value =
    typeof headers.get === 'function' ? headers.get(name) : (headers as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : null;
}

function importSigningKey(secret: string): Promise<CryptoKey> {
  const bytes = decodeBase64(secret.replace(/^whsec_/, ''));
  if (!bytes?.length) throw new TypeError('The secret must have the form whsec_…');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
