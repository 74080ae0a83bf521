import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { HASH_COST } from './hash-cost.ts';
import { runInHashQueue } from './hash-queue.ts';

const SALT_BYTES = 16;
const HASH_BYTES = 32;
const MEMORY_BYTES_MAX = 64 * 1024 * 1024;
/** The production runtime rejects a larger product of N, r and p. */
const SCRYPT_WORK_MAX = 2 ** 20;

/** The result includes the scrypt parameters, so that they can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await deriveHash(password, salt, HASH_BYTES, HASH_COST);
  return [
    'scrypt',
    HASH_COST.N,
    HASH_COST.r,
    HASH_COST.p,
    salt.toString('base64url'),
    hash.toString('base64url'),
  ].join('$');
}

/** Returns false, after the same amount of work, for a wrong password or an account without a password. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const known = stored === null ? null : parseStoredHash(stored);
  if (!known) {
    await deriveHash(password, Buffer.alloc(SALT_BYTES), HASH_BYTES, HASH_COST);
    return false;
  }
  const hash = await deriveHash(password, known.salt, known.hash.length, known.cost);
  return timingSafeEqual(hash, known.hash);
}

export function isOutdatedHash(stored: string): boolean {
  const { N, r, p } = parseStoredHash(stored)?.cost ?? {};
  return N !== HASH_COST.N || r !== HASH_COST.r || p !== HASH_COST.p;
}

function parseStoredHash(stored: string) {
  const [scheme, N, r, p, salt, hash] = stored.split('$');
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  if (scheme !== 'scrypt' || !salt || !hash || !(cost.N * cost.r * cost.p <= SCRYPT_WORK_MAX)) return null;
  return { cost, salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') };
}

function deriveHash(password: string, salt: Buffer, bytes: number, cost: ScryptOptions): Promise<Buffer> {
  // Different keyboards encode the same accented character differently.
  const text = password.normalize('NFKC');
  return runInHashQueue(
    () =>
      new Promise((resolve, reject) => {
        scrypt(text, salt, bytes, { ...cost, maxmem: MEMORY_BYTES_MAX }, (error, key) =>
          error ? reject(error) : resolve(key),
        );
      }),
  );
}
