// Starts an Edgework server with the demo for a test or bench, with its own port and databases. Stops it by process id.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { bundle } from './bundle.ts';
import { readDatabases, root } from './databases.ts';
import { createLocalSecrets, findFreePort, unlimitedBudgets } from './local.ts';
import { quietEnvironment, runWrangler } from './wrangler.ts';

const READY_MS_MAX = 600_000;
const STOP_MS_MAX = 5_000;
const OUTPUT_CHARACTERS_MAX = 200_000;
const VARIABLES_FILE = 'vars.env';
/** The environment variable for the folder that `createServerTemplate` has filled. */
const TEMPLATE_VARIABLE = 'EDGEWORK_TEMPLATE';
const getServerEnvironment = () => ({ ...process.env, ...quietEnvironment, CI: 'true' });

export interface PreparedServer {
  readonly state: string;
  readonly variables: string;
  readonly sessionSecret: string;
  readonly operatorKey: string;
  readonly port: number;
  readonly origin: string;
  /** True if the folder also contains the built Worker. */
  readonly isBuilt: boolean;
  remove(): void;
}

export interface RunningServer {
  readonly pid: number;
  output(): string;
  fire(cron: string): void;
  /** Kills the server immediately, like a power failure. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Runs `work` with a server on new demo databases. `name` is the prefix of their folder. */
export async function withServer<T>(name: string, work: (server: PreparedServer) => Promise<T>): Promise<T> {
  const prepared = await prepareServer(name);
  try {
    const server = await startServer(prepared);
    try {
      return await work(prepared);
    } finally {
      await server.stop();
    }
  } finally {
    prepared.remove();
  }
}

/**
 * Creates demo databases, which exist until `remove` is called. Copies the template from `createServerTemplate` if
 * there is one.
 * @param name the prefix of the databases' folder
 */
export async function prepareServer(name: string): Promise<PreparedServer> {
  const state = mkdtempSync(join(tmpdir(), `edgework-${name}-`));
  const template = process.env[TEMPLATE_VARIABLE];
  const remove = () => rmSync(state, { recursive: true, force: true });
  try {
    if (template) cpSync(template, state, { recursive: true });
    else createDatabases(state);
    const variables = join(state, VARIABLES_FILE);
    const { SESSION_SECRET: sessionSecret = '', OPERATOR_KEY: operatorKey = '' } = parseEnv(
      readFileSync(variables, 'utf8'),
    );
    const port = await findFreePort();
    const origin = `http://localhost:${port}`;
    return {
      state,
      variables,
      sessionSecret,
      operatorKey,
      port,
      origin,
      isBuilt: template !== undefined,
      remove,
    };
  } catch (error) {
    remove();
    throw error;
  }
}

/**
 * Creates a folder to copy in every later call of `prepareServer` in this process and its children. Returns a function
 * that removes the folder.
 */
export function createServerTemplate(): () => void {
  const state = mkdtempSync(join(tmpdir(), 'edgework-template-'));
  createDatabases(state);
  bundle(null, join(state, 'bundle'), { minify: true });
  process.env[TEMPLATE_VARIABLE] = state;
  return () => rmSync(state, { recursive: true, force: true });
}

function createDatabases(state: string): void {
  const variables = join(state, VARIABLES_FILE);
  const lines = Object.entries({ ...createLocalSecrets(), ...unlimitedBudgets }).map(
    ([name, value]) => `${name}="${value}"\n`,
  );
  writeFileSync(variables, lines.join(''), { mode: 0o600 });
  for (const { binding } of readDatabases()) {
    runWrangler(['d1', 'migrations', 'apply', binding, '--local', `--persist-to=${state}`]);
  }
  runScript([join(root, 'scripts', 'seed.ts'), state, variables]);
}

/**
 * Starts the server on its databases and waits until it is ready.
 * @param isBuilt true if an earlier start has already built the Worker
 * @param checkout the folder of the code to run, if it is another version
 */
export async function startServer(
  { state, variables, port, origin, isBuilt: isPrepared }: PreparedServer,
  isBuilt = isPrepared,
  checkout = root,
): Promise<RunningServer> {
  const serve = join(checkout, 'scripts', 'serve.ts');
  // Starts a process group, so that signals to the server also reach the runtime.
  const child = spawn(
    process.execPath,
    [
      serve,
      `--port=${port}`,
      `--state=${state}`,
      `--variables=${variables}`,
      ...(isBuilt ? ['--built'] : []),
    ],
    { cwd: checkout, stdio: ['ignore', 'pipe', 'pipe', 'ipc'], detached: true, env: getServerEnvironment() },
  );
  let output = '';
  const keep = (chunk: Buffer) => {
    output = (output + chunk).slice(-OUTPUT_CHARACTERS_MAX);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const ended = new Promise((done) => child.once('exit', done));
  const { pid } = child;
  if (pid === undefined) throw new Error(`${serve} could not be started`);
  const signal = (name: NodeJS.Signals) => {
    try {
      process.kill(-pid, name);
    } catch {} // The process has already ended.
  };
  const onExit = () => signal('SIGKILL');
  process.once('exit', onExit);
  const end = async (name: NodeJS.Signals) => {
    signal(name);
    await Promise.race([ended, sleep(STOP_MS_MAX, undefined, { ref: false })]);
    signal('SIGKILL');
    process.removeListener('exit', onExit);
  };
  const server = {
    pid,
    output: () => output,
    fire(cron: string) {
      if (child.connected) child.send({ cron });
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
  const deadline = Date.now() + READY_MS_MAX;
  while (Date.now() < deadline && child.exitCode === null) {
    const answer = await fetch(`${origin}/health`, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
    if (answer?.ok) return server;
    await sleep(200);
  }
  await server.kill();
  throw new Error(`The server did not respond at ${origin}/health:\n${output.slice(-5_000)}`);
}

function runScript(args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    env: getServerEnvironment(),
  });
  if (status !== 0) throw new Error(`${args.join(' ')} failed:\n${stdout}${stderr}`);
}
