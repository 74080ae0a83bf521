import { decodeBase64urlIgnorePadding } from '@oslojs/encoding';

/** The keys that a browser creates with its subscription, in base64url. */
export interface BrowserKeys {
  readonly p256dh: string;
  readonly auth: string;
}

interface EncryptionOptions {
  /** A key pair and salt that are used for this message only. */
  readonly keys?: CryptoKeyPair;
  readonly salt?: Uint8Array;
  /** The text is padded to a multiple of this size, so that its length tells the push service little. */
  readonly paddingBytes?: number;
}

export const PUBLIC_KEY_BYTES = 65;
export const AUTH_BYTES = 16;
const CURVE = { name: 'ECDH', namedCurve: 'P-256' } as const;
const SALT_BYTES = 16;
const KEY_BYTES = 16;
const NONCE_BYTES = 12;
const SECRET_BYTES = 32;
/** Every push service accepts a body of this size (RFC 8030 §7.2). The whole body is one record. */
const RECORD_BYTES = 4096;
const LAST_RECORD_DELIMITER = 2;
const PADDING_BYTES = 1024;

/** Encrypts a message so that only the browser can read it (RFC 8291, with the content coding of RFC 8188). */
export async function encryptPush(
  text: string,
  { p256dh, auth }: BrowserKeys,
  options: EncryptionOptions = {},
): Promise<Uint8Array> {
  const { salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES)), paddingBytes = PADDING_BYTES } = options;
  const keys = options.keys ?? (await generateKeys());
  const browserKey = decodeBase64urlIgnorePadding(p256dh);
  const ownKey = new Uint8Array((await crypto.subtle.exportKey('raw', keys.publicKey)) as ArrayBuffer);
  const shared = await deriveSharedSecret(keys.privateKey, browserKey);
  const about = joinBytes(encode('WebPush: info\0'), browserKey, ownKey);
  const input = await deriveBytes(shared, decodeBase64urlIgnorePadding(auth), about, SECRET_BYTES);
  const key = await deriveBytes(input, salt, encode('Content-Encoding: aes128gcm\0'), KEY_BYTES);
  const iv = await deriveBytes(input, salt, encode('Content-Encoding: nonce\0'), NONCE_BYTES);
  const cipher = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt']);
  const padded = pad(encode(text), paddingBytes);
  const record = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, cipher, padded));
  const recordSize = new Uint8Array(4);
  new DataView(recordSize.buffer).setUint32(0, RECORD_BYTES);
  const body = joinBytes(salt, recordSize, Uint8Array.of(ownKey.length), ownKey, record);
  if (body.length > RECORD_BYTES) throw new Error(`A push message of ${body.length} bytes is too large`);
  return body;
}

function generateKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(CURVE, true, ['deriveBits']) as Promise<CryptoKeyPair>;
}

export function importBrowserKey(bytes: Uint8Array): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', bytes, CURVE, false, []);
}

async function deriveSharedSecret(ownKey: CryptoKey, browserKey: Uint8Array): Promise<Uint8Array> {
  // The types of workerd have another name for `public`.
  const algorithm = { name: 'ECDH', public: await importBrowserKey(browserKey) };
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, ownKey, SECRET_BYTES * 8));
}

/** HKDF with SHA-256 (RFC 5869). */
async function deriveBytes(
  secret: Uint8Array,
  salt: Uint8Array,
  info: Uint8Array,
  length: number,
): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits']);
  const algorithm = { name: 'HKDF', hash: 'SHA-256', salt, info };
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, length * 8));
}

function pad(text: Uint8Array, multiple: number): Uint8Array {
  const length = Math.max(text.length + 1, Math.ceil((text.length + 1) / multiple) * multiple);
  const padded = new Uint8Array(length);
  padded.set(text);
  padded[text.length] = LAST_RECORD_DELIMITER;
  return padded;
}

function joinBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
