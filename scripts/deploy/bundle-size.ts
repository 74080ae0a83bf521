import { gzipSync } from 'node:zlib';
import { Refusal } from './refusal.ts';

// The platform allows 64 MiB. This bound reports what grew by accident and leaves room for an urgent fix.
export const GZIP_BYTES_MAX = 600 * 1024;

/** @param modules the text or bytes of what would be uploaded; static assets are no part of it. */
export function describeBundle(modules: readonly Uint8Array[]): string {
  const rawBytes = modules.reduce((sum, bytes) => sum + bytes.length, 0);
  const gzipBytes = modules.reduce((sum, bytes) => sum + gzipSync(bytes, { level: 9 }).length, 0);
  const text = `Bundle: ${toKiB(rawBytes)} raw, ${toKiB(gzipBytes)} gzip, of ${toKiB(GZIP_BYTES_MAX)} allowed.`;
  if (gzipBytes > GZIP_BYTES_MAX)
    throw new Refusal(`${text} Find what grew, or raise GZIP_BYTES_MAX and say why.`);
  return text;
}

function toKiB(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`;
}
