import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { root } from '../databases.ts';
import { writeIfChanged } from './web-app.ts';

/** Bundles `ew` into one file that runs on Node without dependencies. Includes the output of `buildClient`. */
export function buildCommandLine(): void {
  const { outputFiles } = buildSync({
    entryPoints: [join(root, 'src', 'command-line', 'main.ts')],
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    define: { EW_VERSION: JSON.stringify(readVersion()) },
    banner: {
      js: `#!/usr/bin/env node
// Edgework on the command line. See /docs/command-line.
// Contains Commander (copyright 2011 TJ Holowaychuk) and oauth4webapi (copyright 2022 Filip Skokan), under the MIT
// license: https://opensource.org/license/mit
import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`,
    },
    write: false,
  });
  const [file] = outputFiles;
  if (!file) throw new Error('esbuild produced no output for ew');
  const path = join(root, '.wrangler', 'assets', 'ew.mjs');
  writeIfChanged(path, file.contents);
  chmodSync(path, 0o755);
}

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return version;
}
