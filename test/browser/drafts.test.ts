import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { startServer } from '../../scripts/own-server.ts';
import { createOwnStage } from './own-stage.ts';
import { getAddressHeaders, getWorkspaceUrl, signIn, visit } from './screens.ts';
import { demo } from './server.ts';

const stage = createOwnStage('drafts-test');

async function open() {
  const { origin } = stage.prepared;
  const storageState = await signIn(stage.browser, origin, demo.member);
  const seen = await visit(stage.browser, { storageState });
  return { ...seen, origin, base: await getWorkspaceUrl(seen.page, origin) };
}

const banner = (page: Page) => page.locator('#connection');
const comment = (page: Page) => page.locator('#new-comment');
const description = (page: Page) => page.locator('.editor').getByRole('textbox', { name: 'Description' });
const waitUntilLoaded = (page: Page) => banner(page).waitFor({ state: 'attached' });
const countDrafts = (page: Page) =>
  page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('draft:')).length);

/** Returns whether the browser asked for confirmation before leaving the page. */
async function isWarned(page: Page, leave: () => Promise<unknown>): Promise<boolean> {
  let isAsked = false;
  const answer = async (dialog: { type: () => string; accept: () => Promise<void> }) => {
    isAsked ||= dialog.type() === 'beforeunload';
    await dialog.accept();
  };
  page.on('dialog', answer);
  await leave();
  page.off('dialog', answer);
  return isAsked;
}

/** Waits until this many drafts are stored, which happens shortly after typing. */
const waitForDrafts = (page: Page, count: number) =>
  page.waitForFunction(
    (wanted) => Object.keys(sessionStorage).filter((key) => key.startsWith('draft:')).length === wanted,
    count,
  );

test('drafts of a comment and a description survive a reload, and are deleted once they are saved', async () => {
  const { page, problems, base, close } = await open();
  await page.goto(`${base}/tasks/38`);
  await comment(page).fill('Half a thought');
  await waitUntilLoaded(page);
  await page.getByText('Edit description').or(page.getByText('Add a description')).click();
  await description(page).fill('Half a plan');
  await waitForDrafts(page, 2);
  assert.equal(await isWarned(page, () => page.reload()), true);
  await waitUntilLoaded(page);
  assert.equal(await comment(page).inputValue(), 'Half a thought');
  await description(page).getByText('Half a plan').waitFor();

  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  await page.locator('.comment .text', { hasText: 'Half a thought' }).first().waitFor();
  await description(page).press('ControlOrMeta+Enter');
  await page.locator('.section > .rich', { hasText: 'Half a plan' }).waitFor();
  await waitForDrafts(page, 0);
  assert.equal(await isWarned(page, () => page.reload()), false);
  assert.deepEqual([await comment(page).inputValue(), problems], ['', []]);
  await close();
});

test("a restored draft doesn't overwrite a description that someone else changed", async () => {
  const { page, origin, base, close } = await open();
  const answer = await page.request.post(`${origin}/v1/auth/login`, {
    data: { email: demo.member, password: demo.password },
    headers: getAddressHeaders(demo.member),
  });
  const headers = { Authorization: `Bearer ${(await answer.json()).token}` };
  const data = { projectId: 1, name: 'Drafted', description: 'Before' };
  const { id } = await (await page.request.post(`${origin}/v1/tasks`, { headers, data })).json();
  await page.goto(`${base}/tasks/${id}`);
  await page.getByText('Edit description').click();
  await description(page).fill('My draft');
  await waitForDrafts(page, 1);
  await page.goto(`${base}/inbox`);
  await page.request.patch(`${origin}/v1/tasks/${id}`, { headers, data: { description: 'Theirs' } });
  await page.goto(`${base}/tasks/${id}`);
  await description(page).getByText('My draft').waitFor();
  await description(page).press('ControlOrMeta+Enter');
  await page.getByText('changed this').first().waitFor();
  assert.equal(await page.locator('.section > .rich').innerText(), 'Theirs');
  await close();
});

test('the draft of a new task survives a reload, and is deleted once the task is created', async () => {
  const { page, base, close } = await open();
  await page.goto(`${base}/tasks/new?project=1`);
  const form = page.getByRole('form', { name: 'New task' });
  const name = form.locator('[name="name"]');
  await name.fill('Half a task');
  await form.getByLabel('Priority').selectOption('high');
  await form.getByLabel('Deadline').fill('2031-02-03');
  await waitUntilLoaded(page);
  await waitForDrafts(page, 1);
  assert.equal(await isWarned(page, () => page.reload()), false);
  await waitUntilLoaded(page);
  assert.deepEqual(
    [
      await name.inputValue(),
      await form.getByLabel('Priority').inputValue(),
      await form.getByLabel('Deadline').inputValue(),
    ],
    ['Half a task', 'high', '2031-02-03'],
  );
  await form.getByRole('button', { name: 'Create task' }).click();
  await page.waitForURL(/\/tasks\/\d+$/);
  assert.equal(await countDrafts(page), 0);
  await close();
});

test("links don't open other pages while offline, and a banner shows the connection state", async () => {
  const { page, base, close } = await open();
  await page.goto(`${base}/tasks/38`);
  await comment(page).fill('Written on a train');
  await waitUntilLoaded(page);
  assert.deepEqual([await banner(page).getAttribute('role'), await banner(page).innerText()], ['status', '']);
  await page.context().setOffline(true);
  await banner(page).getByText('offline').waitFor();
  const link = page.getByRole('link', { name: 'Inbox' });
  await link.click();
  await banner(page).getByText('The page will open').waitFor();
  assert.deepEqual(
    [page.url(), await comment(page).inputValue()],
    [`${base}/tasks/38`, 'Written on a train'],
  );
  await page.context().setOffline(false);
  await banner(page).getByText('Back online').waitFor();
  assert.equal(await isWarned(page, () => Promise.all([page.waitForURL(/\/inbox/), link.click()])), true);
  await close();
});

test('a banner appears when the connection is lost, even if nothing has been typed, and when it is restored', async () => {
  const { page, base, close } = await open();
  await page.goto(`${base}/tasks/38`, { waitUntil: 'load' });
  const later = await page.evaluate(() => document.body.dataset.deferredModule);
  const isThere = await page.evaluate(
    (path) => performance.getEntriesByType('resource').some(({ name }) => name.endsWith(String(path))),
    later,
  );
  assert.equal(isThere, false);
  await page.context().setOffline(true);
  await banner(page).getByText('offline').waitFor();
  await comment(page).fill('Typed while offline');
  await page.context().setOffline(false);
  await banner(page).getByText('Back online').waitFor();
  await waitForDrafts(page, 1);
  await close();
});

test('a banner appears when the server is unavailable, and the page refreshes once the server is back', async () => {
  const { page, base, close } = await open();
  await page.goto(`${base}/tasks/38`);
  await page.keyboard.press('Shift');
  await waitUntilLoaded(page);
  await stage.server.kill();
  await banner(page).getByText('Connection lost').waitFor();
  await page.getByRole('link', { name: 'Inbox' }).click();
  await banner(page).getByText('The page will open').waitFor();
  assert.equal(page.url(), `${base}/tasks/38`);
  const refreshed = page.waitForRequest((request) => request.url() === page.url());
  stage.server = await startServer(stage.prepared, true);
  await banner(page).getByText('Back online').waitFor();
  await refreshed;
  await close();
});

test('signing out deletes all drafts in the tab', async () => {
  const { origin } = stage.prepared;
  const { page, close } = await visit(stage.browser, { extraHTTPHeaders: getAddressHeaders(demo.member) });
  const enter = async (email: string) => {
    await page.goto(`${origin}/sign-in`);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(demo.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/\/app\/./);
    return new URL(page.url()).pathname;
  };
  const base = await enter(demo.member);
  const write = async () => {
    await page.goto(`${origin}${base}/tasks/38`);
    await comment(page).fill('For my eyes alone');
    await waitUntilLoaded(page);
    await waitForDrafts(page, 1);
  };
  await write();
  await page.locator('.person').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(/sign-in/);
  assert.equal(await countDrafts(page), 0);

  await enter(demo.member);
  await write();
  await page.goto(`${origin}/account`);
  await page.getByTitle('Signed in as').click();
  await page.waitForURL(/sign-in/);
  await enter(demo.owner);
  await page.goto(`${origin}${base}/tasks/38`);
  await waitUntilLoaded(page);
  assert.deepEqual([await comment(page).inputValue(), await countDrafts(page)], ['', 0]);
  await close();
});
