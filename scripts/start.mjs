// `npm start`: secrets, local databases, demo content, server, and the lines that a newcomer needs first.
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { signSessionToken } from '../src/credentials/session-token.ts';
import { migrationsFingerprint, readDatabases, root } from './databases.mjs';
import { COLLECT_EARLY } from './v8-flags.mjs';
import { quiet, wrangler } from './wrangler.mjs';

const DEMO_PASSWORD = 'demo-password-1';
const DEMO_PEOPLE = ['owner', 'admin', 'lead', 'member', 'client', 'outsider'];
const READY_MS_MAX = 90_000;

process.chdir(root);
Object.assign(process.env, quiet, { MINIFLARE_WORKERD_V8_FLAGS: COLLECT_EARLY });

const port = Number(process.env.PORT ?? 8787);
if (!Number.isInteger(port) || port < 1 || port > 65_535)
  fail(`PORT must be 1 to 65535; got '${process.env.PORT}'.`);
const origin = `http://localhost:${port}`;
const state = join(root, '.wrangler', 'state');

await requireFreePort();
writeSecretsOnce();
forgetInterruptedSeed();
migrate();
const owner = seedOnce();
let isGreeted = false;
const server = startServer();
await untilReady();
await greet();

async function requireFreePort() {
  const probe = createServer();
  const error = await new Promise((done) => {
    probe.once('error', done);
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => done(null)));
  });
  if (error) fail(`Port ${port} cannot be used (${error.code}). Choose another: PORT=${port + 1} npm start`);
}

/** Adds what an earlier version of this script did not write yet, and changes nothing that stands there. */
function writeSecretsOnce() {
  const known = existsSync('.dev.vars')
    ? readFileSync('.dev.vars', 'utf8')
    : '# Written by `npm start`, for this machine only.\n';
  const values = {
    SESSION_SECRET: randomBytes(48).toString('base64url'),
    ENVIRONMENT: 'local',
    EXPOSE_COST: 'true',
    // Of the local emulation of R2, as wrangler.toml has them.
    R2_ACCESS_KEY_ID: 'local',
    R2_SECRET_ACCESS_KEY: 'only-for-the-local-emulation',
  };
  const lines = Object.entries(values)
    .filter(([name]) => !new RegExp(`^${name}=`, 'm').test(known))
    .map(([name, value]) => `${name}="${value}"\n`);
  if (lines.length === 0) return;
  const ended = known === '' || known.endsWith('\n') ? known : `${known}\n`;
  writeFileSync('.dev.vars', ended + lines.join(''), { mode: 0o600 });
}

function readSecret() {
  const secret = /^SESSION_SECRET="?([^"\n]*)"?$/m.exec(readFileSync('.dev.vars', 'utf8'))?.[1];
  return secret ?? fail('.dev.vars has no SESSION_SECRET. Delete the file; the next start writes a new one.');
}

/** Half a demo would never be completed, so it is begun again. */
function forgetInterruptedSeed() {
  if (readMark('seed') === 'started') rmSync(state, { recursive: true, force: true });
}

function migrate() {
  const fingerprint = migrationsFingerprint();
  if (readMark('migrations') === fingerprint) return;
  console.log('Preparing the local databases …');
  for (const { binding } of readDatabases()) {
    runQuietly(`migrating ${binding}`, [wrangler, 'd1', 'migrations', 'apply', binding, '--local']);
  }
  writeMark('migrations', fingerprint);
}

/** The demo owner's user, workspace and cell, as a session token names them. */
function seedOnce() {
  const known = readMark('seed');
  if (known !== null) return JSON.parse(known);
  console.log('Filling the demo workspace, once …');
  writeMark('seed', 'started');
  const answer = runQuietly('seeding the demo', ['scripts/seed.mjs']).trim().split('\n').at(-1);
  writeMark('seed', answer);
  return JSON.parse(answer);
}

function readMark(name) {
  const path = join(state, `${name}.mark`);
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

function writeMark(name, text) {
  mkdirSync(state, { recursive: true });
  writeFileSync(join(state, `${name}.mark`), text);
}

function runQuietly(what, args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, CI: 'true' },
  });
  if (status !== 0)
    fail(`${stdout}${stderr}\nFailed: ${what}. \`npm run reset\` starts over with empty databases.`);
  return stdout;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

function startServer() {
  // Its own process group, so that the runtime that it starts ends with it.
  const child = spawn(process.execPath, ['scripts/serve.mjs', `--port=${port}`], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: process.platform !== 'win32',
  });
  const output = [];
  let isStopping = false;
  const stop = (code) => {
    if (isStopping) return;
    isStopping = true;
    try {
      if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f']);
      else process.kill(-child.pid, 'SIGTERM');
    } catch {} // already gone
    setTimeout(() => {
      try {
        process.kill(-child.pid, 'SIGKILL');
      } catch {} // already gone
      process.exit(code);
    }, 2000);
    child.once('exit', () => process.exit(code));
    if (child.exitCode !== null) process.exit(code);
  };
  const show = (chunk) => {
    output.push(chunk.toString());
    if (output.length > 500) output.shift();
    // The runtime's own notes are kept for failures; the lines of the worker's log are shown.
    if (!isGreeted) return;
    for (const line of chunk.toString().split('\n')) if (line.startsWith('{"level"')) console.log(line);
  };
  child.stdout.on('data', show);
  child.stderr.on('data', show);
  child.once('exit', () => {
    if (isStopping) return;
    console.error(`${output.join('')}\nThe server ended.`);
    process.exit(1);
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop(0));
  // Whoever started this may be killed without passing the signal on.
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && stop(0), 1000).unref();
  return { stop, output };
}

async function untilReady() {
  const deadline = Date.now() + READY_MS_MAX;
  while (Date.now() < deadline) {
    const answer = await fetch(`${origin}/health`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((done) => setTimeout(done, 200));
  }
  console.error(`${server.output.join('')}\nThe server did not answer ${origin}/health.`);
  server.stop(1);
  await new Promise(() => {});
}

async function greet() {
  const key = await createKey().catch((error) => {
    console.error(`No API key could be created: ${error.message}`);
    return null;
  });
  console.log(`
Edgework runs on ${origin}

  Base URL     ${origin}/v1
  MCP          ${origin}/mcp (docs/agents.md)
  Reference    ${origin}/docs
  Keys, apps   ${origin}/connected-apps
  Mail         ${origin}/dev/outbox (nothing is sent from here)

  Accounts     ${DEMO_PEOPLE.map((name) => `${name}@demo.test`).join(', ')}
  Password     ${DEMO_PASSWORD}
  API key      ${key ?? '(none)'}
               of owner@demo.test in Northwind Studio; the key of the start before is revoked

Try:

  export KEY=${key ?? '…'}
  curl -H "Authorization: Bearer $KEY" "${origin}/v1/tasks?status=in_progress&limit=3"

Ctrl-C ends it. npm run reset empties the databases.
`);
  isGreeted = true;
}

/** A key for the demo owner, made the way a person makes one; earlier ones of this script are revoked. */
async function createKey() {
  const { token } = await signSessionToken({ secret: readSecret(), issuer: origin }, owner, Date.now());
  const call = async (method, path, body) => {
    const answer = await fetch(`${origin}/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const json = await answer.json();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${json.error?.message}`);
    return json;
  };
  const { data } = await call('GET', '/connected-apps?limit=100');
  const earlier = data.filter((app) => app.name === 'npm start' && app.status === 'active');
  for (const app of earlier) await call('DELETE', `/connected-apps/${app.id}`);
  const created = await call('POST', '/connected-apps/api-keys', { name: 'npm start' });
  return created.key;
}
