// Bundles as `wrangler deploy` would ship them.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from '../scripts/databases.mjs';

const esbuild = createRequire(createRequire(import.meta.url).resolve('wrangler'))('esbuild');
const wrangler = join(root, 'node_modules', 'wrangler', 'bin', 'wrangler.js');

/** Builds one entry; answers its modules, the main one first. */
export function bundle(entry, folder, { minify = false } = {}) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  run([
    'deploy',
    ...(entry ? [entry] : []),
    '--dry-run',
    '--outdir',
    folder,
    ...(minify ? ['--minify'] : []),
  ]);
  const names = readdirSync(folder).filter((name) => !name.endsWith('.map') && name !== 'README.md');
  const main = names.find((name) => /^(index|.*-worker)\.m?js$/.test(name));
  if (!main) throw new Error(`wrangler built no main module in ${folder}`);
  return [main, ...names.filter((name) => name !== main)].map((name) => ({
    type: moduleType(name),
    path: join(folder, name),
    bytes: readFileSync(join(folder, name)),
  }));
}

function moduleType(name) {
  if (/\.m?js$/.test(name)) return 'ESModule';
  return name.endsWith('.wasm') ? 'CompiledWasm' : /\.(txt|html|sql)$/.test(name) ? 'Text' : 'Data';
}

/** Builds the bare worker, which needs none of what wrangler.toml binds. */
export function bundleBare(folder) {
  const outfile = join(folder, 'bare-worker.js');
  esbuild.buildSync({
    entryPoints: [join(root, 'bench', 'bare-worker.mjs')],
    outfile,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2024',
    logLevel: 'error',
  });
  return [{ type: 'ESModule', path: outfile, bytes: readFileSync(outfile) }];
}

/** Bytes as they are and as gzip makes them. Static assets are no part of a bundle. */
export function bundleSize(modules) {
  const sum = (measure) => modules.reduce((total, { bytes }) => total + measure(bytes), 0);
  return {
    rawBytes: sum((bytes) => bytes.length),
    gzipBytes: sum((bytes) => gzipSync(bytes, { level: 9 }).length),
  };
}

/** Milliseconds of CPU that the runtime spends on starting the worker; null where wrangler cannot tell. */
export function startUpMs(folder) {
  const profile = join(folder, 'startup.cpuprofile');
  mkdirSync(folder, { recursive: true });
  try {
    const active = /Active:\s*([\d.]+) ms/.exec(
      run(['check', 'startup', '--outfile', profile, '--args=--minify']),
    );
    return active ? Number(active[1]) : null;
  } catch {
    return null;
  }
}

function run(args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [wrangler, ...args], {
    cwd: root,
    encoding: 'utf8',
    timeout: 180_000,
    env: {
      ...process.env,
      CI: 'true',
      NO_COLOR: '1',
      WRANGLER_LOG: 'log',
      WRANGLER_SEND_METRICS: 'false',
      WRANGLER_HIDE_BANNER: 'true',
    },
  });
  if (status !== 0) throw new Error(`wrangler ${args.join(' ')} failed:\n${stdout}${stderr}`);
  return stdout;
}
