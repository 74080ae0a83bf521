import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import {
  type PreparedServer,
  prepareServer,
  type RunningServer,
  startServer,
} from '../../scripts/own-server.ts';
import { launchChromium } from './chromium.ts';
import { demo } from './server.ts';
import { signInToWorkspace, visit } from './visit.ts';

const BUDGET_MS = 500;
const REQUESTS_MAX = 10_000;
const CONNECTIONS = 8;

let prepared: PreparedServer;
let server: RunningServer;
let browser: Browser;

before(async () => {
  prepared = await prepareServer('busy');
  const variables = readFileSync(prepared.variables, 'utf8');
  const limited = variables.replace(/^DATABASE_BUDGET_PRO=.*$/m, `DATABASE_BUDGET_PRO="${BUDGET_MS}"`);
  writeFileSync(prepared.variables, limited);
  server = await startServer(prepared);
  browser = await launchChromium();
});

after(async () => {
  await browser?.close();
  await server?.stop();
  prepared?.remove();
});

async function useUpBudget() {
  const signedIn = await fetch(`${prepared.origin}/v1/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: demo.owner, password: demo.password }),
  });
  const { token } = (await signedIn.json()) as { token: string };
  let status = 200;
  const requestUntilLimited = async () => {
    for (let sent = 0; status === 200 && sent < REQUESTS_MAX; sent += 1) {
      const answer = await fetch(`${prepared.origin}/v1/tasks?limit=100`, {
        headers: { Authorization: `Bearer ${token}` },
      });
      await answer.text();
      status = answer.status;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, requestUntilLimited));
  assert.equal(status, 429);
}

test('a page in a busy workspace shows an error and keeps the typed text, with and without JavaScript', async () => {
  const { storageState, base } = await signInToWorkspace(browser, prepared.origin, demo.member);
  const openVisit = async (javaScriptEnabled: boolean) => {
    const visitor = await visit(browser, { storageState, javaScriptEnabled });
    await visitor.page.goto(`${base}/tasks/38`);
    const field = visitor.page.getByRole('textbox', { name: 'Your comment' }).first();
    await field.fill('Not lost');
    return { ...visitor, field, send: visitor.page.getByRole('button', { name: 'Comment', exact: true }) };
  };
  const [scripted, plain] = await Promise.all([openVisit(true), openVisit(false)]);
  const title = await scripted.page.getByRole('heading', { level: 1 }).textContent();
  await useUpBudget();

  await scripted.send.click();
  await scripted.page.locator('#toast', { hasText: 'This workspace is very busy. Try again in' }).waitFor();
  assert.equal(await scripted.page.getByRole('heading', { level: 1 }).textContent(), title);
  assert.equal(await scripted.field.inputValue(), 'Not lost');

  await plain.send.click();
  await plain.page.getByRole('heading', { name: 'This workspace is busy' }).waitFor();
  assert.ok(await plain.page.getByText('Not lost').isVisible());
  await plain.page.getByRole('button', { name: 'Try again' }).click();
  await plain.page.getByText('Not lost').waitFor();
  await plain.page.goto(`${base}/projects?status=active`);
  const retryLink = plain.page.getByRole('link', { name: 'Try again' });
  assert.equal(await retryLink.getAttribute('href'), `${new URL(base).pathname}/projects?status=active`);
  await Promise.all([scripted.close(), plain.close()]);
});
