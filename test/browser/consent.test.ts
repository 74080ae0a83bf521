import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { getPort } from '../../scripts/local.ts';
import { scopes } from '../../src/kernel/access/access.ts';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { measureOverflow, waitForFocus } from './visit.ts';

const { server, browser } = await openServerAndBrowser();
let app: TestApp;

interface TestApp {
  readonly server: Server;
  readonly calls: URL[];
  readonly callback: string;
}

before(async () => {
  app = await startApp();
});
after(async () => {
  app?.server.close();
});

/** Starts a loopback server that serves a page and records the redirects to it. */
async function startApp(): Promise<TestApp> {
  const calls: URL[] = [];
  const listener = createServer((request, response) => {
    if (request.url?.startsWith('/callback')) calls.push(new URL(request.url, 'http://127.0.0.1'));
    response.end('<!doctype html><title>App</title><p id="done">Back in the app');
  });
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
  return { server: listener, calls, callback: `http://127.0.0.1:${getPort(listener)}/callback` };
}

async function signIn(page: Page): Promise<void> {
  await page.fill('#email', demo.owner);
  await page.fill('#password', demo.password);
  await page.press('#password', 'Enter');
}

/** As native apps do, registers a redirect URI without a port, which allows any port (RFC 8252, section 7.3). */
async function buildAuthorizationUrl(scope: string) {
  const answer = await fetch(`${server.origin}/api/oauth/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ client_name: 'Browser test', redirect_uris: ['http://127.0.0.1/callback'] }),
  });
  const { client_id: clientId } = await answer.json();
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: app.callback,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    scope,
    state: 'state of the app',
  });
  return { clientId, verifier, url: `${server.origin}/api/oauth/authorize?${query}` };
}

test('a token lacks a write scope that the person deselected on the consent page', async () => {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const page = await context.newPage();
  const problems = collectProblems(page);
  const { clientId, verifier, url } = await buildAuthorizationUrl(
    'tasks:read tasks:write projects:read time:write',
  );
  await page.goto(url);
  await signIn(page);
  await page.getByRole('heading', { name: 'Connect Browser test?' }).waitFor();
  assert.equal(await measureOverflow(page), 0, 'fits into 360 px');
  await page.getByLabel('Workspace').selectOption({ label: 'Northwind Studio' });
  await page.getByLabel('Create and change tasks').uncheck();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.locator('#done').waitFor();

  const answer = app.calls.at(-1);
  assert.ok(answer);
  assert.equal(answer.searchParams.get('state'), 'state of the app');
  assert.equal(answer.searchParams.get('iss'), server.origin);
  const exchanged = await fetch(`${server.origin}/api/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: answer.searchParams.get('code') ?? '',
      code_verifier: verifier,
      client_id: clientId,
      redirect_uri: app.callback,
    }),
  });
  const { access_token: token, scope } = await exchanged.json();
  assert.equal(scope, 'tasks:read projects:read time:write');

  const callApi = (method: string, path: string, body?: object) =>
    fetch(`${server.origin}/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  assert.equal((await callApi('GET', '/tasks?limit=1')).status, 200);
  const projects = await (await callApi('GET', '/projects?limit=1')).json();
  const rejected = await callApi('POST', '/tasks', { projectId: projects.data[0].id, name: 'Not allowed' });
  assert.equal(rejected.status, 403);
  assert.match(
    rejected.headers.get('WWW-Authenticate') ?? '',
    /error="insufficient_scope", scope="tasks:write"/,
  );
  assert.deepEqual(problems, []);
  await context.close();
});

test('a person can decline consent using only the keyboard, and the app gets an error', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto((await buildAuthorizationUrl(scopes.join(' '))).url);
  await waitForFocus(page.locator('#email'));
  await page.keyboard.type(demo.owner);
  await page.keyboard.press('Tab');
  await page.keyboard.type(demo.password);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Cancel' }).waitFor();
  const allow = await page.getByRole('button', { name: 'Allow' }).boundingBox();
  assert.ok(allow && allow.y + allow.height <= 800, `all scopes asked for, Allow ends at ${allow?.y}`);
  for (let steps = 0; steps < 20; steps += 1) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate(() => document.activeElement?.textContent?.trim())) === 'Cancel') break;
  }
  await page.keyboard.press('Enter');
  await page.locator('#done').waitFor();
  assert.equal(app.calls.at(-1)?.searchParams.get('error'), 'access_denied');
  await context.close();
});

function collectProblems(page: Page): string[] {
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(String(error)));
  return problems;
}
