// Warns if the bundle has grown, and stops if Cloudflare would reject it (docs/adr/0039-bundle-guard.md).

import { gzipSync } from 'node:zlib';
import { DeployError } from './configuration.ts';

export const GZIP_BYTES_WARN = 600 * 1024;
const STARTUP_MS_WARN = 400;
/** Cloudflare rejects a Worker that takes longer to start. */
const STARTUP_MS_MAX = 1_000;
const MEASUREMENTS_MAX = 3;

export function describeBundle(modules: readonly Uint8Array[]): string {
  const rawBytes = modules.reduce((sum, bytes) => sum + bytes.length, 0);
  const gzipBytes = modules.reduce((sum, bytes) => sum + gzipSync(bytes, { level: 9 }).length, 0);
  const text = `Bundle: ${formatKiB(rawBytes)} raw, ${formatKiB(gzipBytes)} gzip.`;
  if (gzipBytes <= GZIP_BYTES_WARN) return text;
  return `${text} Warning: more than ${formatKiB(GZIP_BYTES_WARN)} gzip. Find what grew, or raise GZIP_BYTES_WARN and say why.`;
}

/**
 * Reports the lowest of up to three measurements, because a busy machine makes them too high. Throws if even the lowest
 * exceeds Cloudflare's limit. `measure` returns the CPU time in milliseconds, or null if this machine can't measure it.
 */
export function describeStartup(measure: () => number | null): string {
  let best = Number.POSITIVE_INFINITY;
  for (let count = 0; count < MEASUREMENTS_MAX && best > STARTUP_MS_WARN; count += 1) {
    const ms = measure();
    if (ms === null) return 'Start-up: could not be measured on this machine.';
    best = Math.min(best, ms);
  }
  const text = `Start-up: ${Math.round(best)} ms of CPU on this machine.`;
  if (best > STARTUP_MS_MAX) {
    throw new DeployError(
      `${text} Cloudflare rejects more than ${STARTUP_MS_MAX} ms. Move work out of the modules' top level (npx wrangler check startup shows a profile).`,
    );
  }
  return best > STARTUP_MS_WARN ? `${text} Warning: more than ${STARTUP_MS_WARN} ms.` : text;
}

export function readStartupMs(output: string): number | null {
  const active = /Active: ([\d.]+) ms/.exec(output)?.[1];
  return active === undefined ? null : Number(active);
}

function formatKiB(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`;
}
