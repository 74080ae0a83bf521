// Runs `npx wrangler` in a copy of the repository as people do, without `npm start` or `npm run deploy`.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { delimiter, resolve, sep } from 'node:path';
import { root } from '../../scripts/databases.ts';
import { findFreePort, getPort } from '../../scripts/local.ts';
import { launchChromium } from '../browser/chromium.ts';
import { demo } from '../browser/server.ts';
import { HANG_MS, pollUntil } from '../support/timeout.ts';

/** Returns the environment of a new terminal: without variables from npm and this run, and with the machine's Node. */
export function createTerminalEnvironment(): NodeJS.ProcessEnv {
  const { PATH = '', ...others } = process.env;
  const path = PATH.split(delimiter).filter((folder) => !resolve(folder).startsWith(root + sep));
  const ofThisRun = /^(npm_(?!config_)|npm_config_local_prefix$|INIT_CWD$|NODE_TEST_CONTEXT$|EDGEWORK_)/;
  return {
    ...Object.fromEntries(Object.entries(others).filter(([name]) => !ofThisRun.test(name))),
    PATH: path.join(delimiter),
    WRANGLER_SEND_METRICS: 'false',
  };
}

/** Starts `npx wrangler dev` in the folder, and checks the demo with the printed key and in a browser. */
export async function checkDev(folder: string): Promise<void> {
  const port = await findFreePort();
  const server = spawn('npx', ['wrangler', 'dev', '--ip=127.0.0.1', `--port=${port}`], {
    cwd: folder,
    env: createTerminalEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (piece) => (output += piece));
  const closed = new Promise((done) => server.once('close', done));
  const origin = `http://localhost:${port}`;
  try {
    await pollUntil(async () => {
      assert.equal(server.exitCode, null, output);
      return (await fetch(`${origin}/health`).catch(() => null))?.ok ?? false;
    });
    const headers = { Authorization: `Bearer ${/ew_live_\w+/.exec(output)?.[0]}` };
    const me = await fetch(`${origin}/v1/me`, { headers });
    assert.equal(me.status, 200, output);
    assert.match(await me.text(), /"email":"owner@demo\.test"/);
    const tasks = (await (await fetch(`${origin}/v1/tasks`, { headers })).json()) as {
      meta: { total: number };
    };
    assert.ok(tasks.meta.total > 100);
    assert.ok(output.includes(demo.password), output);
    await openBoard(origin);
  } finally {
    if (server.pid !== undefined) process.kill(-server.pid, 'SIGTERM');
    await closed;
  }
}

async function openBoard(origin: string): Promise<void> {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    const problems: string[] = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(String(error)));
    await page.goto(`${origin}/sign-in`);
    await page.fill('#email', demo.owner);
    await page.fill('#password', demo.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'My work' }).waitFor();
    await page.goto(`${origin}/app`);
    await page.goto(`${page.url()}/projects/1`);
    assert.ok((await page.locator('.column .cards > li').count()) > 10);
    assert.deepEqual(problems, []);
  } finally {
    await browser.close();
  }
}

/** Returns the fake account's result for a request path. `null` means that the resource doesn't exist. */
export type AccountAnswer = (path: string) => unknown;

/** A Cloudflare account with a login, but without any resources. */
export const emptyAccount: AccountAnswer = (path) => {
  if (path === '/accounts') return [{ id: 'account', name: 'Account' }];
  if (path === '/user') return { id: 'user', email: 'owner@edgework.dev' };
  return [];
};

/**
 * Runs `npx wrangler deploy` in the folder, with a fake account. Returns the exit status, the output and the requests
 * that the account received, except GET requests, which change nothing.
 */
export async function deployToFakeAccount(folder: string, answer: AccountAnswer) {
  const changes: string[] = [];
  const account = createServer((request, response) => {
    const path = (request.url ?? '').replace(/\?.*/, '');
    if (request.method !== 'GET') changes.push(`${request.method} ${path}`);
    const result = answer(path);
    const errors = result === null ? [{ code: 10006, message: 'The specified bucket does not exist.' }] : [];
    response.writeHead(result === null ? 404 : 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ success: result !== null, errors, messages: [], result }));
  });
  await new Promise<void>((done) => account.listen(0, '127.0.0.1', done));
  try {
    const child = spawn('npx', ['wrangler', 'deploy'], {
      cwd: folder,
      env: {
        ...createTerminalEnvironment(),
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
    return { status, output, changes };
  } finally {
    account.close();
  }
}
