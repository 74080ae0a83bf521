import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runWrangler } from './wrangler.ts';

export interface Module {
  readonly type: 'ESModule' | 'CompiledWasm' | 'Text' | 'Data';
  readonly path: string;
  readonly bytes: Buffer;
}

/** Empties `folder` first. If `entry` is null, builds the entry point in wrangler.toml. */
export function bundle(entry: string | null, folder: string, { minify = false } = {}): Module[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  runWrangler([
    'deploy',
    ...(entry ? [entry] : []),
    '--dry-run',
    '--outdir',
    folder,
    ...(minify ? ['--minify'] : []),
  ]);
  return readBundle(folder);
}

/** The main module comes first. */
export function readBundle(folder: string): Module[] {
  const names = readdirSync(folder).filter((name) => !name.endsWith('.map') && name !== 'README.md');
  const main = names.find((name) => /^(index|.*-worker)\.m?js$/.test(name));
  if (!main) throw new Error(`${folder} contains no main module from wrangler`);
  return [main, ...names.filter((name) => name !== main)].map((name) => ({
    type: getModuleType(name),
    path: join(folder, name),
    bytes: readFileSync(join(folder, name)),
  }));
}

function getModuleType(name: string): Module['type'] {
  if (/\.m?js$/.test(name)) return 'ESModule';
  return name.endsWith('.wasm') ? 'CompiledWasm' : /\.(txt|html|sql)$/.test(name) ? 'Text' : 'Data';
}
