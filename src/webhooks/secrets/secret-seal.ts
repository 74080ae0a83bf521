import type { Config } from '../../kernel/operation/config.ts';

type SessionSecrets = Pick<Config, 'sessionSecret' | 'sessionSecretPrevious'>;

const HKDF_INFO = 'edgework webhook secrets';
const KEY_ID_CHARACTERS = 8;
const IV_BYTES = 12;

/** Encrypts a secret as `<key id>.<iv>.<ciphertext>`. A hash isn't enough, because signing needs the secret. */
export async function sealSecret(
  { sessionSecret }: SessionSecrets,
  owner: string,
  secret: string,
): Promise<string> {
  const { id, key } = await deriveKey(sessionSecret);
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const sealed = await crypto.subtle.encrypt(
    buildAlgorithm(iv, owner),
    key,
    new TextEncoder().encode(secret),
  );
  return [id, toBase64Url(iv), toBase64Url(new Uint8Array(sealed))].join('.');
}

/** Returns null unless the secret was encrypted for this owner with one of the two session secrets. */
export async function openSecret(
  secrets: SessionSecrets,
  owner: string,
  seal: string,
): Promise<string | null> {
  const [id, iv = '', sealed = ''] = seal.split('.');
  for (const sessionSecret of [secrets.sessionSecret, secrets.sessionSecretPrevious]) {
    if (sessionSecret === null) continue;
    const derived = await deriveKey(sessionSecret);
    if (derived.id !== id) continue;
    const algorithm = buildAlgorithm(Buffer.from(iv, 'base64url'), owner);
    const opened = await crypto.subtle
      .decrypt(algorithm, derived.key, Buffer.from(sealed, 'base64url'))
      .catch(() => null);
    if (opened !== null) return new TextDecoder().decode(opened);
  }
  return null;
}

export async function getCurrentKeyId({ sessionSecret }: SessionSecrets): Promise<string> {
  return (await deriveKey(sessionSecret)).id;
}

interface DerivedKey {
  readonly id: string;
  readonly key: CryptoKey;
}

/** Caches keys rather than promises, because a promise belongs to the request that created it. */
const derivedKeys = new Map<string, DerivedKey>();

/** Derives a separate key (HKDF), so that the key for webhook secrets can't sign session tokens. */
async function deriveKey(sessionSecret: string): Promise<DerivedKey> {
  const derived = derivedKeys.get(sessionSecret) ?? (await deriveUncachedKey(sessionSecret));
  derivedKeys.set(sessionSecret, derived);
  return derived;
}

async function deriveUncachedKey(sessionSecret: string): Promise<DerivedKey> {
  const encoder = new TextEncoder();
  const source = await crypto.subtle.importKey('raw', encoder.encode(sessionSecret), 'HKDF', false, [
    'deriveBits',
  ]);
  const hkdf = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encoder.encode(HKDF_INFO) };
  // The first 256 bits are the key. The rest becomes its id, which identifies the session secret.
  const bits = new Uint8Array(await crypto.subtle.deriveBits(hkdf, source, 512));
  const key = await crypto.subtle.importKey('raw', bits.slice(0, 32), 'AES-GCM', false, [
    'encrypt',
    'decrypt',
  ]);
  return { id: toBase64Url(bits.slice(32)).slice(0, KEY_ID_CHARACTERS), key };
}

function buildAlgorithm(iv: Uint8Array, owner: string) {
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(owner) };
}

function toBase64Url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
