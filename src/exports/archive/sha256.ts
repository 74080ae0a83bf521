/*
 * SHA-256 (FIPS 180-4) with a state that can be stored. The platform's own functions can't continue a hash in another
 * invocation, and a file of an archive can take several.
 */

const BLOCK_BYTES = 64;

const listPrimes = (count: number) => {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number += 1) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  return primes;
};
const toFraction = (root: number) => ((root - Math.floor(root)) * 2 ** 32) >>> 0;
const primes = listPrimes(64);
const constants = Uint32Array.from(primes, (prime) => toFraction(Math.cbrt(prime)));
const initialWords = primes.slice(0, 8).map((prime) => toFraction(Math.sqrt(prime)));

export interface Sha256State {
  readonly words: readonly number[];
  readonly bytes: number;
  /** The bytes of the last, incomplete block, in Base64. */
  readonly rest: string;
}

export const emptySha256: Sha256State = { words: initialWords, bytes: 0, rest: '' };

export function updateSha256(state: Sha256State, data: Uint8Array): Sha256State {
  const words = Uint32Array.from(state.words);
  const schedule = new Uint32Array(BLOCK_BYTES);
  const rest = Buffer.from(state.rest, 'base64');
  const missing = rest.length === 0 ? 0 : Math.min(data.length, BLOCK_BYTES - rest.length);
  const first = Buffer.concat([rest, data.subarray(0, missing)]);
  const bytes = state.bytes + data.length;
  if (first.length > 0 && first.length < BLOCK_BYTES)
    return { words: [...words], bytes, rest: first.toString('base64') };
  if (first.length > 0) hashBlocks(words, schedule, first, 0, BLOCK_BYTES);
  const end = missing + Math.floor((data.length - missing) / BLOCK_BYTES) * BLOCK_BYTES;
  hashBlocks(words, schedule, data, missing, end);
  return { words: [...words], bytes, rest: Buffer.from(data.subarray(end)).toString('base64') };
}

export function finishSha256(state: Sha256State): string {
  const rest = state.bytes % BLOCK_BYTES;
  const padding = new Uint8Array((rest < 56 ? 64 : 128) - rest);
  padding[0] = 0x80;
  new DataView(padding.buffer).setBigUint64(padding.length - 8, BigInt(state.bytes) * 8n);
  const { words } = updateSha256(state, padding);
  return words.map((word) => word.toString(16).padStart(8, '0')).join('');
}

const rotate = (word: number, by: number) => (word >>> by) | (word << (32 - by));

function hashBlocks(words: Uint32Array, schedule: Uint32Array, data: Uint8Array, start: number, end: number) {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const w = schedule;
  let [h0, h1, h2, h3, h4, h5, h6, h7] = words as unknown as EightWords;
  for (let offset = start; offset < end; offset += BLOCK_BYTES) {
    for (let index = 0; index < 16; index += 1) w[index] = view.getUint32(offset + index * 4);
    for (let index = 16; index < 64; index += 1) {
      const early = at(w, index - 15);
      const late = at(w, index - 2);
      const small = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
      const large = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
      w[index] = (at(w, index - 16) + small + at(w, index - 7) + large) | 0;
    }
    let [a, b, c, d, e, f, g, h] = [h0, h1, h2, h3, h4, h5, h6, h7];
    for (let index = 0; index < 64; index += 1) {
      const sum1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const choice = (e & f) ^ (~e & g);
      const one = (h + sum1 + choice + at(constants, index) + at(w, index)) | 0;
      const sum0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const majority = (a & b) ^ (a & c) ^ (b & c);
      h = g;
      g = f;
      f = e;
      e = (d + one) | 0;
      d = c;
      c = b;
      b = a;
      a = (one + sum0 + majority) | 0;
    }
    h0 = (h0 + a) | 0;
    h1 = (h1 + b) | 0;
    h2 = (h2 + c) | 0;
    h3 = (h3 + d) | 0;
    h4 = (h4 + e) | 0;
    h5 = (h5 + f) | 0;
    h6 = (h6 + g) | 0;
    h7 = (h7 + h) | 0;
  }
  words.set([h0, h1, h2, h3, h4, h5, h6, h7]);
}

type EightWords = readonly [number, number, number, number, number, number, number, number];

/** Every index is within the array. */
const at = (words: ArrayLike<number>, index: number) => words[index] as number;
