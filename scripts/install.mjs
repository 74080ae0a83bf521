// Starts the other scripts on a fresh clone: installs what is missing, then runs the given script with Node 24.
// Written for Node 20 and without dependencies, because nothing else is installed yet.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const binaries = join(root, 'node_modules', '.bin');
const [script, ...args] = process.argv.slice(2);
process.chdir(root);

if (!isInstalled()) install();
process.env.PATH = [binaries, ...listPathEntriesOutsideProject()].join(delimiter);
if (script) await runWithNode24(resolve(root, script));

/**
 * Compares the installed packages with the lock file. npm writes its own record last, so an interrupted installation
 * leaves no record.
 */
function isInstalled() {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages;
  const { '': _project, ...wanted } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  ).packages;
  // Optional packages may be for another platform.
  return Object.entries(wanted).every(([path, { version, optional }]) =>
    installed[path] ? installed[path].version === version : optional,
  );
}

function install() {
  // Wrangler is running from the folder that an installation would replace.
  if (process.env.WRANGLER_COMMAND) {
    console.error('The dependencies differ from package-lock.json. Run `npm ci`, then this command again.');
    process.exit(1);
  }
  console.log('Installing dependencies (npm ci) …');
  // Uses the Node that started npm, because this installation replaces the one in node_modules.
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  const [command, first] = npm && node ? [node, [npm]] : ['npm', []];
  // Hides warnings about the current Node version, because the project installs its own Node.
  const line = [...first, 'ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, error } = spawnSync(command, line, {
    env: { ...process.env, PATH: listPathEntriesOutsideProject().join(delimiter) },
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32' && command === 'npm',
  });
  if (status === 0) return;
  console.error(
    error ? `npm could not be started: ${error.message}` : 'npm ci failed; see its output above.',
  );
  process.exit(1);
}

function listPathEntriesOutsideProject() {
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
