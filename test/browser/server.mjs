// A seeded Edgework of its own for a test: free port, own databases, ended by process id. Others may run beside it.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readDatabases, root } from '../../scripts/databases.mjs';

const READY_MS_MAX = 90_000;
const STOP_MS_MAX = 5_000;
const wrangler = join(root, 'node_modules', 'wrangler', 'bin', 'wrangler.js');
const quiet = {
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  CI: 'true',
};

export const demo = { password: 'demo-password-1', owner: 'owner@demo.test', member: 'member@demo.test' };

/** The server of this run: the one that run.mjs started, or a new one where a file is run by itself. */
export async function openServer() {
  const shared = process.env.EDGEWORK_TEST_ORIGIN;
  return shared ? { origin: shared, stop: async () => undefined } : startServer();
}

/** Starts a server on a free port of this machine. `stop` ends it and removes what it stored. */
export async function startServer() {
  mkdirSync(join(root, '.wrangler'), { recursive: true });
  const state = mkdtempSync(join(root, '.wrangler', 'browser-test-'));
  const variables = join(state, 'vars.env');
  const lines = [
    `SESSION_SECRET="${randomBytes(48).toString('base64url')}"`,
    'ENVIRONMENT="local"',
    'EXPOSE_COST="true"',
  ];
  writeFileSync(variables, `${lines.join('\n')}\n`, { mode: 0o600 });
  const forget = () => rmSync(state, { recursive: true, force: true });
  try {
    run([join(root, 'scripts', 'assets.mjs')]);
    for (const { binding } of readDatabases()) {
      run([wrangler, 'd1', 'migrations', 'apply', binding, '--local', `--persist-to=${state}`]);
    }
    run([join(root, 'test', 'browser', 'seed.mjs'), state, variables]);
    return await serve(state, variables, forget);
  } catch (error) {
    forget();
    throw error;
  }
}

function run(args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, ...quiet },
  });
  if (status !== 0) throw new Error(`${args.join(' ')} failed:\n${stdout}${stderr}`);
}

async function serve(state, variables, forget) {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  // Its own process group, so that everything wrangler starts ends with it.
  const child = spawn(
    process.execPath,
    [
      wrangler,
      'dev',
      '--ip=127.0.0.1',
      `--port=${port}`,
      '--inspector-port=0',
      `--persist-to=${state}`,
      `--env-file=${variables}`,
      `--var=PUBLIC_URL:${origin}`,
      '--show-interactive-dev-session=false',
    ],
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], detached: true, env: { ...process.env, ...quiet } },
  );
  let output = '';
  const keep = (chunk) => {
    output = (output + chunk).slice(-20_000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const ended = new Promise((done) => child.once('exit', done));
  const end = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch {} // already gone
  };
  const onExit = () => end('SIGKILL');
  process.once('exit', onExit);
  const stop = async () => {
    end('SIGTERM');
    await Promise.race([ended, sleep(STOP_MS_MAX)]);
    end('SIGKILL');
    process.removeListener('exit', onExit);
    forget();
  };

  const deadline = Date.now() + READY_MS_MAX;
  while (Date.now() < deadline && child.exitCode === null) {
    const answer = await fetch(`${origin}/health`).catch(() => null);
    if (answer?.ok) return { origin, pid: child.pid, stop };
    await sleep(200);
  }
  await stop();
  throw new Error(`The server did not answer ${origin}/health:\n${output}`);
}

function freePort() {
  const probe = createServer();
  return new Promise((resolve, reject) => {
    probe.once('error', reject);
    probe.listen({ port: 0, host: '127.0.0.1' }, () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
