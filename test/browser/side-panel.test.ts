import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { addCard, card, cardIn } from './boards.ts';
import { findAxeProblems, getWorkspaceUrl, type StorageState, signIn, visit } from './screens.ts';
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
  board = `${await getWorkspaceUrl(page, server.origin)}/projects/1`;
  await close();
});

/** Creates a task and opens it from its board. */
async function open(name: string, options = viewport) {
  const shown = await visit(browser, { storageState, viewport: options });
  await shown.page.goto(board);
  await addCard(shown.page, name);
  await card(shown.page, name).locator('a').first().focus();
  await shown.page.keyboard.press('Enter');
  return { ...shown, task: shown.page.frameLocator('#task-panel iframe') };
}

/** Waits until the panel has loaded and has focus. */
const waitForPanel = (page: Page) => page.locator('#task-panel iframe[style]').waitFor();

const getFocusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent);

test('the board updates while a task is edited in the side panel, and Escape returns to the card', async () => {
  const name = `Beside ${run}`;
  const { page, task, problems, close } = await open(name);
  await task.getByRole('heading', { level: 1 }).waitFor();
  assert.equal(page.url(), board);
  await waitForPanel(page);
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
  assert.deepEqual(await findAxeProblems(page), []);
  // The first Escape leaves the field, and the second closes the panel.
  await task.getByPlaceholder(/Write a comment/).focus();
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('#task-panel').count(), 1);
  await page.keyboard.press('Escape');
  await page.locator('#task-panel').waitFor({ state: 'detached' });
  assert.equal(await getFocusedText(page), name);
  assert.deepEqual(problems, []);
  await close();
});

test('the side panel can switch to another task and open the task on its own page', async () => {
  const { page, task, close } = await open(`First ${run}`);
  await task.getByRole('heading', { level: 1, name: `First ${run}` }).waitFor();
  await waitForPanel(page);
  await addCard(page, `Second ${run}`);
  await card(page, `Second ${run}`)
    .locator('a')
    .first()
    .click({ position: { x: 5, y: 5 } });
  await task.getByRole('heading', { level: 1, name: `Second ${run}` }).waitFor();
  assert.equal(await page.locator('#task-panel').count(), 1);
  // Links in the panel open in the whole window.
  await page.getByRole('link', { name: 'Open full page' }).click();
  await page.waitForURL(/\/tasks\/\d+$/);
  await page.getByRole('heading', { level: 1, name: `Second ${run}` }).waitFor();
  await page.goBack();
  assert.equal(page.url(), board);
  await close();
});

test('links inside the side panel open in the whole window', async () => {
  const { page, task, close } = await open(`Leads on ${run}`);
  await waitForPanel(page);
  await task.locator('main a[href$="/projects/1"]').first().click();
  await page.locator('#task-panel').waitFor({ state: 'detached' });
  assert.equal(page.url(), board);
  await close();
});

test('a card opens the task page when there is no room for the side panel', async () => {
  const { page, close } = await open(`Narrow ${run}`, { width: 1100, height: 800 });
  await page.waitForURL(/\/tasks\/\d+$/);
  await close();
});

test('a signed-out person who opens a card signs in on a full page, not in the side panel', async () => {
  const { page, close } = await visit(browser, { storageState, viewport });
  await page.goto(board);
  await addCard(page, `Signed out ${run}`);
  await page.context().clearCookies();
  await card(page, `Signed out ${run}`).locator('a').first().focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/sign-in\?next=/);
  await close();
});

test("one click copies a task's link, in the side panel and on the task page", async () => {
  const { page, task, problems, close } = await open(`Copied ${run}`);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const href = await card(page, `Copied ${run}`).locator('a').first().getAttribute('href');
  const address = new URL(href ?? '', board).href;
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await task.getByRole('button', { name: 'Copy link' }).click();
  await task.getByText('Copied', { exact: true }).waitFor();
  // Only a focused window can read the clipboard.
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
