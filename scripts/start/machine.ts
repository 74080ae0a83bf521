// Prepares a developer's machine for the server: a port, secrets, migrated databases and the demo.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { computeMigrationsFingerprint, readDatabases, root } from '../databases.ts';
import { createLocalSecrets } from '../local.ts';
import { quietEnvironment, wranglerPath } from '../wrangler.ts';

const state = join(root, '.wrangler', 'state');
const variables = join(root, '.dev.vars');

export interface PreparedMachine {
  readonly port: number;
  readonly origin: string;
  readonly demo: DemoAccess;
}

interface DemoAccess {
  readonly key: string;
}

/** Skips steps that are already done. `command` is the suggestion in the error message if the port is in use. */
export async function prepareMachine(command: string): Promise<PreparedMachine> {
  const port = Number(process.env.PORT ?? 8787);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    fail(`PORT must be 1 to 65535; got '${process.env.PORT}'.`);
  await requireFreePort(port, command);
  return { port, origin: `http://localhost:${port}`, demo: prepareDatabases() };
}

export function prepareDatabases(): DemoAccess {
  writeSecretsOnce();
  deleteInterruptedSeed();
  migrate();
  return seedOnce();
}

/** Returns true for the first build of the running wrangler, which builds again after each edit. */
export function claimFirstBuild(): boolean {
  const parent = String(process.ppid);
  if (readMarkerFile('build') === parent) return false;
  writeMarkerFile('build', parent);
  return true;
}

async function requireFreePort(port: number, command: string): Promise<void> {
  const probe = createServer();
  const error = await new Promise<NodeJS.ErrnoException | null>((done) => {
    probe.once('error', done);
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => done(null)));
  });
  if (error) fail(`Port ${port} cannot be used (${error.code}). Choose another: PORT=${port + 1} ${command}`);
}

function writeSecretsOnce(): void {
  const known = existsSync(variables)
    ? readFileSync(variables, 'utf8')
    : '# Written by `npm start`, for this machine only.\n';
  const lines = Object.entries(createLocalSecrets())
    .filter(([name]) => !new RegExp(`^${name}=`, 'm').test(known))
    .map(([name, value]) => `${name}="${value}"\n`);
  if (lines.length === 0) return;
  const ended = known === '' || known.endsWith('\n') ? known : `${known}\n`;
  writeFileSync(variables, ended + lines.join(''), { mode: 0o600 });
}

function deleteInterruptedSeed(): void {
  if (readMarkerFile('seed') === 'started') rmSync(state, { recursive: true, force: true });
}

function migrate(): void {
  const fingerprint = computeMigrationsFingerprint();
  if (readMarkerFile('migrations') === fingerprint) return;
  console.log('Preparing the local databases …');
  for (const { binding } of readDatabases()) {
    runQuietly(`migrating ${binding}`, [wranglerPath, 'd1', 'migrations', 'apply', binding, '--local']);
  }
  writeMarkerFile('migrations', fingerprint);
}

function seedOnce(): DemoAccess {
  const known = readMarkerFile('seed');
  if (known !== null) return { key: '(none: create one under Connected apps)', ...JSON.parse(known) };
  console.log('Creating the demo workspace …');
  writeMarkerFile('seed', 'started');
  const answer = runQuietly('seeding the demo', ['scripts/seed.ts']).trim().split('\n').at(-1) ?? '';
  writeMarkerFile('seed', answer);
  return JSON.parse(answer);
}

function readMarkerFile(name: string): string | null {
  const path = join(state, `${name}.mark`);
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

function writeMarkerFile(name: string, text: string): void {
  mkdirSync(state, { recursive: true });
  writeFileSync(join(state, `${name}.mark`), text);
}

function runQuietly(what: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...quietEnvironment, CI: 'true' },
  });
  if (status !== 0)
    fail(`${stdout}${stderr}\nFailed: ${what}. \`npm run reset\` starts over with empty databases.`);
  return stdout;
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
