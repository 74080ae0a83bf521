import { crc32 } from 'node:zlib';
import { sha256 } from '@oslojs/crypto/sha2';
import { encodeBase64urlNoPadding, encodeHexLowerCase } from '@oslojs/encoding';
import { BOT_ID_PREFIX } from '../access/bot-ids.queries.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CELL_CHARACTERS = 2;
const RANDOM_BYTES = 20;
const RANDOM_CHARACTERS = 27; // ceil(160 bits / log2 62)
const CHECKSUM_CHARACTERS = 6;

/** Returns `<prefix><cell><160 random bits><crc32>` in base62. The checksum catches typos without a query. */
export function createToken(prefix: string, cell: number): string {
  const body =
    toBase62(BigInt(cell), CELL_CHARACTERS) + toBase62(createRandomInteger(RANDOM_BYTES), RANDOM_CHARACTERS);
  return prefix + body + computeChecksum(prefix + body);
}

export function parseTokenCell(prefix: string, token: string): number | null {
  if (token.length !== prefix.length + CELL_CHARACTERS + RANDOM_CHARACTERS + CHECKSUM_CHARACTERS) return null;
  if (!token.startsWith(prefix)) return null;
  const signed = token.slice(0, -CHECKSUM_CHARACTERS);
  if (computeChecksum(signed) !== token.slice(-CHECKSUM_CHARACTERS)) return null;
  let cell = 0;
  for (const character of token.slice(prefix.length, prefix.length + CELL_CHARACTERS)) {
    cell = cell * 62 + BASE62.indexOf(character);
  }
  return cell;
}

export function createSecret(): string {
  return encodeBase64urlNoPadding(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)));
}

export function createId(prefix: 'usr' | 'ws'): string {
  return `${prefix}_${toBase62(createRandomInteger(15), 21)}`;
}

export function createBotId(): string {
  return `${BOT_ID_PREFIX}${toBase62(createRandomInteger(15), 21)}`;
}

/** SHA-256 is enough for random secrets. Passwords use scrypt. */
export function hashSecret(secret: string): string {
  return encodeHexLowerCase(sha256(new TextEncoder().encode(secret)));
}

function computeChecksum(text: string): string {
  return toBase62(BigInt(crc32(text)), CHECKSUM_CHARACTERS);
}

function createRandomInteger(bytes: number): bigint {
  return BigInt(`0x${encodeHexLowerCase(crypto.getRandomValues(new Uint8Array(bytes)))}`);
}

function toBase62(value: bigint, characters: number): string {
  let text = '';
  for (let rest = value; text.length < characters; rest /= 62n)
    text = BASE62.charAt(Number(rest % 62n)) + text;
  return text;
}
