import type { Config } from '../../kernel/operation/config.ts';

type Secrets = Pick<Config, 'sessionSecret' | 'sessionSecretPrevious'>;

const INFO = 'edgework webhook secrets';
const KEY_ID_CHARACTERS = 8;
const IV_BYTES = 12;

/**
 * The secret as the database keeps it: `<key id>.<iv>.<AES-256-GCM>`, in base64url. It must be readable to sign, so it is
 * encrypted and not hashed; a copy of the database alone signs nothing.
 * @param owner binds the seal to its workspace, so that it opens in no other row.
 */
export async function sealSecret({ sessionSecret }: Secrets, owner: string, secret: string): Promise<string> {
  const { id, key } = await deriveKey(sessionSecret);
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const sealed = await crypto.subtle.encrypt(parameters(iv, owner), key, new TextEncoder().encode(secret));
  return [id, base64url(iv), base64url(new Uint8Array(sealed))].join('.');
}

/** The secret behind a seal; null where neither of the two session secrets has sealed it for this owner. */
export async function openSecret(secrets: Secrets, owner: string, seal: string): Promise<string | null> {
  const [id, iv = '', sealed = ''] = seal.split('.');
  for (const sessionSecret of [secrets.sessionSecret, secrets.sessionSecretPrevious]) {
    if (sessionSecret === null) continue;
    const derived = await deriveKey(sessionSecret);
    if (derived.id !== id) continue;
    const algorithm = parameters(Buffer.from(iv, 'base64url'), owner);
    const opened = await crypto.subtle
      .decrypt(algorithm, derived.key, Buffer.from(sealed, 'base64url'))
      .catch(() => null);
    if (opened !== null) return new TextDecoder().decode(opened);
  }
  return null;
}

/** What every seal of the session secret that signs now begins with. */
export async function currentKeyId({ sessionSecret }: Secrets): Promise<string> {
  return (await deriveKey(sessionSecret)).id;
}

interface DerivedKey {
  readonly id: string;
  readonly key: CryptoKey;
}

/** Keys, and no promises of them: a promise belongs to the request that made it. */
const derivedKeys = new Map<string, DerivedKey>();

/** A key of its own (HKDF): what opens webhook secrets must not be able to sign a session token. */
async function deriveKey(sessionSecret: string): Promise<DerivedKey> {
  const derived = derivedKeys.get(sessionSecret) ?? (await derive(sessionSecret));
  derivedKeys.set(sessionSecret, derived);
  return derived;
}

async function derive(sessionSecret: string): Promise<DerivedKey> {
  const encoder = new TextEncoder();
  const source = await crypto.subtle.importKey('raw', encoder.encode(sessionSecret), 'HKDF', false, [
    'deriveBits',
  ]);
  const hkdf = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encoder.encode(INFO) };
  // 256 bits of the key, and its name, which tells which session secret it came from.
  const bits = new Uint8Array(await crypto.subtle.deriveBits(hkdf, source, 512));
  const key = await crypto.subtle.importKey('raw', bits.slice(0, 32), 'AES-GCM', false, [
    'encrypt',
    'decrypt',
  ]);
  return { id: base64url(bits.slice(32)).slice(0, KEY_ID_CHARACTERS), key };
}

function parameters(iv: Uint8Array, owner: string) {
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(owner) };
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}
