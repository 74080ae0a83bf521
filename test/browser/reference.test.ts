import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openServerAndBrowser } from './server-and-browser.ts';
import { visit } from './visit.ts';

const { server, browser } = await openServerAndBrowser();

test('the API reference sends example requests, and stores the credential only if the person asks for it', async () => {
  const { page, problems, close } = await visit(browser, { viewport: { width: 320, height: 800 } });
  await page.goto(`${server.origin}/docs/api/auth`);
  const signedIn = await sendExample(page, 'login');
  assert.match(signedIn, /^Response 200/);
  const token = /"token": "([^"]+)"/.exec(signedIn)?.[1] ?? '';
  assert.ok(!signedIn.includes('authorization'));

  await page.goto(`${server.origin}/docs/api/tasks`);
  assert.match(await sendExample(page, 'getTask'), /^Response 401/);
  const credential = page.getByLabel('API key or token');
  await credential.fill(token);
  const task = await sendExample(page, 'getTask');
  assert.match(task, /^Response 200[\s\S]*etag: "[\s\S]*"name": "Draft the launch page"/);
  const created = await sendExample(page, 'createTask');
  assert.match(created, /^Response 201[\s\S]*"name": "Draft the launch page"/);
  await page.locator('#listTasks [name="limit"]').fill('1');
  const { data, meta } = parseBody(await sendExample(page, 'listTasks'));
  assert.deepEqual([data.length, meta.limit], [1, 1]);
  await page.locator('#createTask textarea').fill('{"projectId":');
  assert.match(await sendExample(page, 'createTask'), /^Response 400/);
  // Headers can't contain this character.
  await page.locator('#getTask [name="If-None-Match"]').fill('…');
  assert.match(await sendExample(page, 'getTask'), /^Couldn't send the request/);

  await page.reload();
  assert.equal(await credential.inputValue(), '');
  await page.getByLabel('Remember for this tab').check();
  await credential.fill('ew_live_kept');
  await page.reload();
  assert.equal(await credential.inputValue(), 'ew_live_kept');
  await page.getByLabel('Remember for this tab').uncheck();
  await page.reload();
  assert.equal(await credential.inputValue(), '');
  // The browser logs the expected 400 and 401 responses as errors.
  assert.deepEqual(
    problems.filter((each) => !/status of 40[01]/.test(each)),
    [],
  );
  await close();
});

test('the API reference shows no forms without JavaScript', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${server.origin}/docs/api/tasks`);
  assert.equal(await page.locator('form.try:visible, form.try-credential:visible').count(), 0);
  assert.ok(await page.getByRole('heading', { name: 'Create a task' }).isVisible());
  await context.close();
});

async function sendExample(page: Page, operation: string): Promise<string> {
  const form = page.locator(`#${operation} form.try`);
  await form.getByRole('button', { name: 'Send' }).click();
  const status = form.getByRole('status').filter({ hasText: /^(Response|Couldn't send)/ });
  await status.waitFor();
  const shown = form.locator('pre');
  return `${await status.textContent()}\n${(await shown.isVisible()) ? await shown.textContent() : ''}`;
}

function parseBody(answer: string) {
  return JSON.parse(answer.slice(answer.indexOf('\n\n')));
}
