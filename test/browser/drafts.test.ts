import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { startServer } from '../../scripts/own-server.ts';
import { createOwnServerAndBrowser } from './own-server-and-browser.ts';
import { demo } from './server.ts';
import { getAddressHeaders, getWorkspaceUrl, signIn, visit } from './visit.ts';

const setup = createOwnServerAndBrowser('drafts-test');

async function openVisit() {
  const { origin } = setup.prepared;
  const storageState = await signIn(setup.browser, origin, demo.member);
  const seen = await visit(setup.browser, { storageState });
  return { ...seen, origin, base: await getWorkspaceUrl(seen.page, origin) };
}

const findBanner = (page: Page) => page.locator('#connection');
const findCommentField = (page: Page) => page.locator('#new-comment');
const findDescription = (page: Page) => page.locator('.editor').getByRole('textbox', { name: 'Description' });
const waitUntilLoaded = (page: Page) => findBanner(page).waitFor({ state: 'attached' });
const countDrafts = (page: Page) =>
  page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith('draft:')).length);

async function isWarnedBeforeLeaving(page: Page, leave: () => Promise<unknown>): Promise<boolean> {
  let isAsked = false;
  const acceptDialog = async (dialog: { type: () => string; accept: () => Promise<void> }) => {
    isAsked ||= dialog.type() === 'beforeunload';
    await dialog.accept();
  };
  page.on('dialog', acceptDialog);
  await leave();
  page.off('dialog', acceptDialog);
  return isAsked;
}

/** Waits for this number of drafts, because the page stores a draft only shortly after someone types. */
const waitForDrafts = (page: Page, count: number) =>
  page.waitForFunction(
    (wanted) => Object.keys(sessionStorage).filter((key) => key.startsWith('draft:')).length === wanted,
    count,
  );

test('drafts of a comment and a description survive a reload, and are deleted once the text is saved', async () => {
  const { page, problems, base, close } = await openVisit();
  await page.goto(`${base}/tasks/38`);
  await findCommentField(page).fill('Half a thought');
  await waitUntilLoaded(page);
  await page.getByText('Edit description').or(page.getByText('Add a description')).click();
  await findDescription(page).fill('Half a plan');
  await waitForDrafts(page, 2);
  assert.equal(await isWarnedBeforeLeaving(page, () => page.reload()), true);
  await waitUntilLoaded(page);
  assert.equal(await findCommentField(page).inputValue(), 'Half a thought');
  await findDescription(page).getByText('Half a plan').waitFor();

  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  await page.locator('.comment .text', { hasText: 'Half a thought' }).first().waitFor();
  await findDescription(page).press('ControlOrMeta+Enter');
  await page.locator('.section > .rich', { hasText: 'Half a plan' }).waitFor();
  await waitForDrafts(page, 0);
  assert.equal(await isWarnedBeforeLeaving(page, () => page.reload()), false);
  assert.deepEqual([await findCommentField(page).inputValue(), problems], ['', []]);
  await close();
});

test("a restored draft doesn't overwrite a description that has changed since the draft was started", async () => {
  const { page, origin, base, close } = await openVisit();
  const answer = await page.request.post(`${origin}/v1/auth/login`, {
    data: { email: demo.member, password: demo.password },
    headers: getAddressHeaders(demo.member),
  });
  const headers = { Authorization: `Bearer ${(await answer.json()).token}` };
  const data = { projectId: 1, name: 'Drafted', description: 'Before' };
  const { id } = await (await page.request.post(`${origin}/v1/tasks`, { headers, data })).json();
  await page.goto(`${base}/tasks/${id}`);
  await page.getByText('Edit description').click();
  await findDescription(page).fill('My draft');
  await waitForDrafts(page, 1);
  await page.goto(`${base}/inbox`);
  await page.request.patch(`${origin}/v1/tasks/${id}`, { headers, data: { description: 'Theirs' } });
  await page.goto(`${base}/tasks/${id}`);
  await findDescription(page).getByText('My draft').waitFor();
  await findDescription(page).press('ControlOrMeta+Enter');
  await page.getByText('changed this').first().waitFor();
  assert.equal(await page.locator('.section > .rich').innerText(), 'Theirs');
  await close();
});

test('the draft of a new task survives a reload, and is deleted once the task is created', async () => {
  const { page, base, close } = await openVisit();
  await page.goto(`${base}/tasks/new?project=1`);
  const form = page.getByRole('form', { name: 'New task' });
  const name = form.locator('[name="name"]');
  await name.fill('Half a task');
  await form.getByLabel('Priority').selectOption('high');
  await form.getByLabel('Deadline').fill('2031-02-03');
  await waitUntilLoaded(page);
  await waitForDrafts(page, 1);
  assert.equal(await isWarnedBeforeLeaving(page, () => page.reload()), false);
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

test("links don't open other pages while the browser is offline, and a banner shows the connection state", async () => {
  const { page, base, close } = await openVisit();
  await page.goto(`${base}/tasks/38`);
  await findCommentField(page).fill('Written on a train');
  await waitUntilLoaded(page);
  assert.deepEqual(
    [await findBanner(page).getAttribute('role'), await findBanner(page).innerText()],
    ['status', ''],
  );
  await page.context().setOffline(true);
  await findBanner(page).getByText('offline').waitFor();
  const link = page.getByRole('link', { name: 'Inbox' });
  await link.click();
  await findBanner(page).getByText('The page will open').waitFor();
  assert.deepEqual(
    [page.url(), await findCommentField(page).inputValue()],
    [`${base}/tasks/38`, 'Written on a train'],
  );
  await page.context().setOffline(false);
  await findBanner(page).getByText('Back online').waitFor();
  assert.equal(
    await isWarnedBeforeLeaving(page, () => Promise.all([page.waitForURL(/\/inbox/), link.click()])),
    true,
  );
  await close();
});

test('a banner appears when the connection is lost, even if nothing has been typed, and again when the connection is restored', async () => {
  const { page, base, close } = await openVisit();
  await page.goto(`${base}/tasks/38`, { waitUntil: 'load' });
  const later = await page.evaluate(() => document.body.dataset.deferredModule);
  const isThere = await page.evaluate(
    (path) => performance.getEntriesByType('resource').some(({ name }) => name.endsWith(String(path))),
    later,
  );
  assert.equal(isThere, false);
  await page.context().setOffline(true);
  await findBanner(page).getByText('offline').waitFor();
  await findCommentField(page).fill('Typed while offline');
  await page.context().setOffline(false);
  await findBanner(page).getByText('Back online').waitFor();
  await waitForDrafts(page, 1);
  await close();
});

test('a banner appears when the server is unavailable, and the page refreshes once the server is back', async () => {
  const { page, base, close } = await openVisit();
  await page.goto(`${base}/tasks/38`);
  await page.keyboard.press('Shift');
  await waitUntilLoaded(page);
  await setup.server.kill();
  await findBanner(page).getByText('Connection lost').waitFor();
  await page.getByRole('link', { name: 'Inbox' }).click();
  await findBanner(page).getByText('The page will open').waitFor();
  assert.equal(page.url(), `${base}/tasks/38`);
  const refreshed = page.waitForRequest((request) => request.url() === page.url());
  setup.server = await startServer(setup.prepared, true);
  await findBanner(page).getByText('Back online').waitFor();
  await refreshed;
  await close();
});

test('signing out deletes all drafts in the tab', async () => {
  const { origin } = setup.prepared;
  const { page, close } = await visit(setup.browser, { extraHTTPHeaders: getAddressHeaders(demo.member) });
  const signInAs = async (email: string) => {
    await page.goto(`${origin}/sign-in`);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(demo.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/\/app\/./);
    return new URL(page.url()).pathname;
  };
  const base = await signInAs(demo.member);
  const writeComment = async () => {
    await page.goto(`${origin}${base}/tasks/38`);
    await findCommentField(page).fill('For my eyes alone');
    await waitUntilLoaded(page);
    await waitForDrafts(page, 1);
  };
  await writeComment();
  await page.locator('.person').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(/sign-in/);
  assert.equal(await countDrafts(page), 0);

  await signInAs(demo.member);
  await writeComment();
  await page.goto(`${origin}/account`);
  await page.getByTitle('Signed in as').click();
  await page.waitForURL(/sign-in/);
  await signInAs(demo.owner);
  await page.goto(`${origin}${base}/tasks/38`);
  await waitUntilLoaded(page);
  assert.deepEqual([await findCommentField(page).inputValue(), await countDrafts(page)], ['', 0]);
  await close();
});
