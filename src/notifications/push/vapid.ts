import { decodeBase64urlIgnorePadding, encodeBase64urlNoPadding } from '@oslojs/encoding';
import { HOUR_MS } from '../../kernel/dates/durations.ts';
import { log } from '../../kernel/operation/log.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;
/** Push services accept at most 24 hours (RFC 8292 §2). */
const TOKEN_LIFETIME_MS = 12 * HOUR_MS;
/** A PKCS #8 key without its public point, which the runtime computes. The 32 bytes of the private key follow. */
const PKCS8_START = Uint8Array.from(
  [0x30, 0x41, 2, 1, 0, 0x30, 0x13, 6, 7, 0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1, 6, 8].concat([
    0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7, 4, 0x27, 0x30, 0x25, 2, 1, 1, 4, 0x20,
  ]),
);

export interface VapidKey {
  readonly signingKey: CryptoKey;
  /** The uncompressed point in base64url, which browsers call `applicationServerKey`. */
  readonly publicKey: string;
}

const importedKeys = new Map<string, Promise<VapidKey | null>>();

/**
 * Returns the key that identifies this deployment to push services (RFC 8292). Returns null if push is off, because
 * there is no valid `VAPID_PRIVATE_KEY` or no queue.
 */
export async function findPushKey({
  config,
  env,
}: Pick<RequestScope, 'config' | 'env'>): Promise<VapidKey | null> {
  return env.PUSH_NOTIFICATIONS ? findVapidKey(config.vapidPrivateKey) : null;
}

/** @param privateKey 32 bytes in base64url. */
export async function findVapidKey(privateKey: string | null): Promise<VapidKey | null> {
  if (privateKey === null) return null;
  const known = importedKeys.get(privateKey) ?? importPrivateKey(privateKey).catch(reportInvalidKey);
  importedKeys.set(privateKey, known);
  return known;
}

function reportInvalidKey(): null {
  log('error', 'push.invalid_key', {});
  return null;
}

async function importPrivateKey(privateKey: string): Promise<VapidKey> {
  const pkcs8 = Uint8Array.from([...PKCS8_START, ...decodeBase64urlIgnorePadding(privateKey)]);
  const signingKey = await crypto.subtle.importKey('pkcs8', pkcs8, ALGORITHM, true, ['sign']);
  const { x = '', y = '' } = (await crypto.subtle.exportKey('jwk', signingKey)) as JsonWebKey;
  const point = Uint8Array.from([4, ...decodeBase64urlIgnorePadding(x), ...decodeBase64urlIgnorePadding(y)]);
  return { signingKey, publicKey: encodeBase64urlNoPadding(point) };
}

interface VapidClaims {
  readonly endpoint: string;
  /** A `mailto:` or `https:` URL where the push service can reach the operator. */
  readonly contact: string;
  readonly now: number;
}

/** Returns the `Authorization` header of a request to the endpoint. */
export async function signVapidHeader(
  { signingKey, publicKey }: VapidKey,
  { endpoint, contact, now }: VapidClaims,
): Promise<string> {
  const exp = Math.floor((now + TOKEN_LIFETIME_MS) / 1000);
  const parts = [
    { typ: 'JWT', alg: 'ES256' },
    { aud: new URL(endpoint).origin, exp, sub: contact },
  ];
  const text = parts.map((part) => encodeBase64urlNoPadding(encode(JSON.stringify(part)))).join('.');
  const signature = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, signingKey, encode(text));
  return `vapid t=${text}.${encodeBase64urlNoPadding(new Uint8Array(signature))}, k=${publicKey}`;
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
