// Tests `wrangler` commands in a fresh clone, without `npm start` or `npm run deploy`.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { root } from '../../scripts/databases.ts';
import { findFreePort, getPort } from '../../scripts/local.ts';
import { HANG_MS, pollUntil } from '../support/timeout.ts';

const workDirectory = mkdtempSync(join(tmpdir(), 'edgework-bare-'));
const wrangler = join(root, 'node_modules', 'wrangler', 'bin', 'wrangler.js');
const environment = { ...process.env, WRANGLER_SEND_METRICS: 'false', EDGEWORK_SCRIPT: undefined };

before(() => {
  const { status, stdout } = spawnSync(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  assert.equal(status, 0);
  for (const path of stdout.split('\0').filter(Boolean)) cpSync(join(root, path), join(workDirectory, path));
  symlinkSync(join(root, 'node_modules'), join(workDirectory, 'node_modules'));
});

after(() => rmSync(workDirectory, { recursive: true, force: true }));

it('`wrangler dev` serves the demo, and prints accounts and a working key', async () => {
  const port = await findFreePort();
  const server = spawn(process.execPath, [wrangler, 'dev', '--ip=127.0.0.1', `--port=${port}`], {
    cwd: workDirectory,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (piece) => (output += piece));
  const origin = `http://localhost:${port}`;
  try {
    await pollUntil(async () => {
      assert.equal(server.exitCode, null, output);
      return (await fetch(`${origin}/health`).catch(() => null))?.ok ?? false;
    });
    const key = /ew_live_\w+/.exec(output)?.[0];
    const me = await fetch(`${origin}/v1/me`, { headers: { Authorization: `Bearer ${key}` } });
    assert.equal(me.status, 200, output);
    assert.match(await me.text(), /"email":"owner@demo\.test"/);
    assert.match(output, /demo-password-1/);
    const tasks = await fetch(`${origin}/v1/tasks`, { headers: { Authorization: `Bearer ${key}` } });
    assert.ok(((await tasks.json()) as { meta: { total: number } }).meta.total > 100);
    assert.match(await (await fetch(`${origin}/sign-in`)).text(), /<form/);
  } finally {
    if (server.pid !== undefined) process.kill(-server.pid, 'SIGTERM');
  }
});

/**
 * Runs `wrangler deploy` with a fake account that responds with `answer`. Returns the exit status, the output and the
 * requests that the account received.
 */
async function deploy(answer: (path: string) => unknown) {
  const asked: string[] = [];
  const account = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const result = answer(request.url ?? '');
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ success: true, errors: [], messages: [], result }));
  });
  await new Promise<void>((done) => account.listen(0, '127.0.0.1', done));
  try {
    const child = spawn(process.execPath, [wrangler, 'deploy'], {
      cwd: workDirectory,
      env: {
        ...environment,
        CI: 'true',
        CLOUDFLARE_API_TOKEN: 'token',
        CLOUDFLARE_ACCOUNT_ID: 'account',
        CLOUDFLARE_API_BASE_URL: `http://127.0.0.1:${getPort(account)}`,
      },
      timeout: HANG_MS,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += piece));
    const status = await new Promise((done) => child.once('close', done));
    return { status, output, asked };
  } finally {
    account.close();
  }
}

it('`wrangler deploy` publishes nothing while wrangler.toml has the defaults, and explains what to do', async () => {
  const { status, output, asked } = await deploy(() => []);
  assert.notEqual(status, 0);
  assert.match(output, /MAIL_FROM/);
  assert.match(output, /npm run deploy/);
  assert.deepEqual(
    asked.filter((each) => !each.startsWith('GET ')),
    [],
  );
});

it('`wrangler deploy` publishes nothing while secrets are missing, and lists them', async () => {
  const path = join(workDirectory, 'wrangler.toml');
  const original = readFileSync(path, 'utf8');
  writeFileSync(path, original.replace('no-reply@example.com', 'no-reply@edgework.dev'));
  try {
    const { status, output, asked } = await deploy((url) =>
      /\/accounts(\?|$)/.test(url)
        ? [{ id: 'account', name: 'Account' }]
        : /\/user(\?|$)/.test(url)
          ? { id: 'user', email: 'owner@edgework.dev' }
          : [],
    );
    assert.notEqual(status, 0);
    assert.match(output, /SESSION_SECRET/, output);
    assert.match(output, /npm run deploy/);
    assert.deepEqual(
      asked.filter((each) => !each.startsWith('GET ')),
      [],
    );
  } finally {
    writeFileSync(path, original);
  }
});
