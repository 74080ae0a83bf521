// Starts the other scripts on a fresh clone: installs what is missing, then runs the given script with Node 24.
// Plain Node 20 and no dependencies, because nothing else is there yet.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const binaries = join(root, 'node_modules', '.bin');
const [script, ...args] = process.argv.slice(2);
process.chdir(root);

if (!isInstalled()) install();
process.env.PATH = [binaries, ...pathWithoutBinaries()].join(delimiter);
if (script) await runWithNode24(resolve(root, script));

/** Compares what npm last installed with the lock file. npm writes its record last: none means an interrupted run. */
function isInstalled() {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages;
  const { '': _project, ...wanted } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  ).packages;
  // Optional packages are those of other platforms.
  return Object.entries(wanted).every(([path, { version, optional }]) =>
    installed[path] ? installed[path].version === version : optional,
  );
}

function install() {
  // Wrangler runs from the folder that an installation replaces.
  if (process.env.WRANGLER_COMMAND) {
    console.error(
      'The dependencies are not those of package-lock.json. Run `npm ci`, then this command again.',
    );
    process.exit(1);
  }
  console.log('Installing dependencies (npm ci) …');
  // The Node that started npm: the one in node_modules is about to be replaced.
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  const [command, first] = npm && node ? [node, [npm]] : ['npm', []];
  // Without warnings: those of packages that want the Node of this project would be about the Node that is here.
  const line = [...first, 'ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, error } = spawnSync(command, line, {
    env: { ...process.env, PATH: pathWithoutBinaries().join(delimiter) },
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32' && command === 'npm',
  });
  if (status === 0) return;
  console.error(
    error ? `npm could not be started: ${error.message}` : 'npm ci failed; its reason stands above.',
  );
  process.exit(1);
}

function pathWithoutBinaries() {
  return (process.env.PATH ?? '').split(delimiter).filter((entry) => resolve(entry) !== binaries);
}

async function runWithNode24(path) {
  const node = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (Number(process.versions.node.split('.')[0]) >= 24) {
    process.argv.splice(1, process.argv.length, path, ...args);
    await import(pathToFileURL(path).href);
    return;
  }
  const child = spawn(existsSync(node) ? node : 'node', [path, ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}
