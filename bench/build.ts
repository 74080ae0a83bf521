import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Module } from '../scripts/bundle.ts';
import { root } from '../scripts/databases.ts';
import { runWrangler } from '../scripts/wrangler.ts';

// Uses wrangler's own version of esbuild.
const esbuild: typeof import('esbuild') = createRequire(createRequire(import.meta.url).resolve('wrangler'))(
  'esbuild',
);

/** Builds the bare worker, which needs none of the bindings in wrangler.toml. */
export function bundleBareWorker(folder: string): Module[] {
  const outfile = join(folder, 'bare-worker.js');
  esbuild.buildSync({
    entryPoints: [join(root, 'bench', 'bare-worker.ts')],
    outfile,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2024',
    logLevel: 'error',
  });
  return [{ type: 'ESModule', path: outfile, bytes: readFileSync(outfile) }];
}

export function measureBundle(modules: readonly Module[]): { rawBytes: number; gzipBytes: number } {
  const sum = (measure: (bytes: Buffer) => number) =>
    modules.reduce((total, { bytes }) => total + measure(bytes), 0);
  return {
    rawBytes: sum((bytes) => bytes.length),
    gzipBytes: sum((bytes) => gzipSync(bytes, { level: 9 }).length),
  };
}

/** Returns the CPU milliseconds that the worker takes to start, or null if wrangler can't measure them. */
export function measureStartUpMs(folder: string): number | null {
  const profile = join(folder, 'startup.cpuprofile');
  mkdirSync(folder, { recursive: true });
  try {
    const active = /Active:\s*([\d.]+) ms/.exec(
      runWrangler(['check', 'startup', '--outfile', profile, '--args=--minify']),
    );
    return active ? Number(active[1]) : null;
  } catch {
    return null;
  }
}
