// A task opens beside its board: the same page in a frame, as complete as by itself.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { add, card, cardIn } from './boards.ts';
import { axeProblems, baseOf, type StorageState, signIn, visit } from './screens.ts';
import { demo } from './server.ts';
import { openStage } from './stage.ts';

const { server, browser } = await openStage();
let storageState: StorageState;
let board: string;
const run = Date.now().toString(36);
const viewport = { width: 1280, height: 800 };

before(async () => {
  storageState = await signIn(browser, server.origin, demo.member);
  const { page, close } = await visit(browser, { storageState });
  board = `${await baseOf(page, server.origin)}/projects/1`;
  await close();
});

/** Makes a task and opens it from its board. */
async function open(name: string, options = viewport) {
  const shown = await visit(browser, { storageState, viewport: options });
  await shown.page.goto(board);
  await add(shown.page, name);
  await card(shown.page, name).locator('a').first().focus();
  await shown.page.keyboard.press('Enter');
  return { ...shown, task: shown.page.frameLocator('#beside iframe') };
}

/** Its scripts have run, and it has taken the focus. */
const isReady = (page: Page) => page.locator('#beside iframe[style]').waitFor();

const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

test('updates the board while a task is edited in the side panel, and returns to the card on Escape', async () => {
  const name = `Beside ${run}`;
  const { page, task, problems, close } = await open(name);
  await task.getByRole('heading', { level: 1 }).waitFor();
  assert.equal(page.url(), board);
  await isReady(page);
  assert.equal(await task.locator('.bar').isVisible(), false);
  await task.getByLabel('Status', { exact: true }).selectOption({ label: 'Client review' });
  await cardIn(page, 'client_review', name).waitFor();
  await task.getByPlaceholder(/Write a comment/).fill('Said beside');
  await task.getByRole('button', { name: 'Comment', exact: true }).click();
  await task.locator('.comment, li', { hasText: 'Said beside' }).first().waitFor();
  await card(page, name)
    .getByText('1 comment')
    .or(card(page, name).getByTitle('1 comment'))
    .first()
    .waitFor();
  assert.deepEqual(await axeProblems(page), []);
  // In a field Escape leaves the field, and then the task.
  await task.getByPlaceholder(/Write a comment/).focus();
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('#beside').count(), 1);
  await page.keyboard.press('Escape');
  await page.locator('#beside').waitFor({ state: 'detached' });
  assert.equal(await focused(page), name);
  assert.deepEqual(problems, []);
  await close();
});

test('opens another task in the panel, and the open task on its own page', async () => {
  const { page, task, close } = await open(`First ${run}`);
  await task.getByRole('heading', { level: 1, name: `First ${run}` }).waitFor();
  await isReady(page);
  await add(page, `Second ${run}`);
  await card(page, `Second ${run}`)
    .locator('a')
    .first()
    .click({ position: { x: 5, y: 5 } });
  await task.getByRole('heading', { level: 1, name: `Second ${run}` }).waitFor();
  assert.equal(await page.locator('#beside').count(), 1);
  // What leads on from it leads the whole window.
  await page.getByRole('link', { name: 'Open full page' }).click();
  await page.waitForURL(/\/tasks\/\d+$/);
  await page.getByRole('heading', { level: 1, name: `Second ${run}` }).waitFor();
  await page.goBack();
  assert.equal(page.url(), board);
  await close();
});

test('opens links inside the panel in the whole window', async () => {
  const { page, task, close } = await open(`Leads on ${run}`);
  await isReady(page);
  await task.locator('main a[href$="/projects/1"]').first().click();
  await page.locator('#beside').waitFor({ state: 'detached' });
  assert.equal(page.url(), board);
  await close();
});

test("opens a card's own page when there is no room for the panel", async () => {
  const { page, close } = await open(`Narrow ${run}`, { width: 1100, height: 800 });
  await page.waitForURL(/\/tasks\/\d+$/);
  await close();
});

test('asks a signed-out person to sign in outside the panel', async () => {
  const { page, close } = await visit(browser, { storageState, viewport });
  await page.goto(board);
  await add(page, `Signed out ${run}`);
  await page.context().clearCookies();
  await card(page, `Signed out ${run}`).locator('a').first().focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/sign-in\?next=/);
  await close();
});

test("copies a task's link with one click, in the panel and on its page", async () => {
  const { page, task, problems, close } = await open(`Copied ${run}`);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const href = await card(page, `Copied ${run}`).locator('a').first().getAttribute('href');
  const address = new URL(href ?? '', board).href;
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await task.getByRole('button', { name: 'Copy link' }).click();
  await task.getByText('Copied', { exact: true }).waitFor();
  // Only the window that has the focus may read the clipboard.
  await page.locator('h1').click();
  assert.equal(await copied(), address);
  await page.goto(address);
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByText('Copied', { exact: true }).waitFor();
  assert.equal(await copied(), address);
  assert.deepEqual(problems, []);
  await close();
});
