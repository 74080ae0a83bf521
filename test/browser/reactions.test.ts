import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { findAxeProblems, getWorkspaceUrl, type StorageState, signIn, visit } from './visit.ts';

const { server, browser } = await openServerAndBrowser();
const viewport = { width: 1280, height: 800 };
let member: StorageState;
let owner: StorageState;
let base: string;

before(async () => {
  member = await signIn(browser, server.origin, demo.member);
  owner = await signIn(browser, server.origin, demo.owner);
  const { page, close } = await visit(browser, { storageState: member });
  base = await getWorkspaceUrl(page, server.origin);
  await close();
});

async function addComment(page: Page, task: number): Promise<string> {
  const text = `Shipped ${crypto.randomUUID().slice(0, 8)}`;
  await page.goto(`${base}/tasks/${task}`);
  await page.getByRole('textbox', { name: 'Your comment' }).last().fill(text);
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  await findComment(page, text).waitFor();
  return text;
}

const findComment = (page: Page, text: string) => page.locator('.comment', { hasText: text });
const isFocused = (element: Element) => element === document.activeElement;

test('a reaction is added from a menu and toggled with its chip, and other open pages show the change', async () => {
  const mine = await visit(browser, { storageState: member, viewport });
  const theirs = await visit(browser, { storageState: owner, viewport });
  const text = await addComment(mine.page, 39);
  await theirs.page.goto(`${base}/tasks/39`);
  const comment = findComment(mine.page, text);
  const other = findComment(theirs.page, text);
  await comment.hover();
  await comment.locator('summary[aria-label^="Add reaction"]').click();
  assert.deepEqual(await findAxeProblems(mine.page), []);
  await comment.getByRole('button', { name: 'Heart', exact: true }).click();
  const chip = comment.getByRole('button', { name: 'Heart, 1: You', pressed: true });
  await chip.waitFor();
  const theirChip = other.getByRole('button', { name: /^Heart, 1: / });
  await theirChip.waitFor();
  assert.equal(await theirChip.getAttribute('aria-pressed'), 'false');
  await theirChip.click();
  await other.getByRole('button', { name: /^Heart, 2: You and / }).waitFor();
  await comment.getByRole('button', { name: /^Heart, 2: You and / }).click();
  await comment.getByRole('button', { name: /^Heart, 1: /, pressed: false }).waitFor();
  await mine.page.getByText('Reaction removed').waitFor();
  assert.deepEqual([mine.problems, theirs.problems], [[], []]);
  await mine.close();
  await theirs.close();
});

test('reactions can be added and removed with the keyboard alone', async () => {
  const { page, problems, close } = await visit(browser, { storageState: member, viewport });
  const comment = findComment(page, await addComment(page, 39));
  const menu = comment.locator('summary[aria-label^="Add reaction"]');
  await menu.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  assert.equal(await comment.getByRole('button', { name: 'Thumbs down' }).evaluate(isFocused), true);
  await page.keyboard.press('Escape');
  assert.equal(await menu.evaluate(isFocused), true);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  const chip = comment.getByRole('button', { name: 'Thumbs up, 1: You' });
  await chip.waitFor();
  assert.equal(await menu.evaluate(isFocused), true);
  await page.keyboard.press('Shift+Tab');
  assert.equal(await chip.evaluate(isFocused), true);
  await page.keyboard.press('Space');
  await chip.waitFor({ state: 'detached' });
  await page.waitForFunction(() => document.activeElement?.closest('.comment') !== null);
  assert.deepEqual(problems, []);
  await close();
});

test('reactions work in the task panel', async () => {
  const { page, problems, close } = await visit(browser, { storageState: member, viewport });
  const text = await addComment(page, 39);
  await page.goto(`${base}/tasks?task=39`);
  const panel = page.locator('#panel-content');
  const comment = panel.locator('.comment', { hasText: text });
  await comment.locator('summary[aria-label^="Add reaction"]').click();
  await comment.getByRole('button', { name: 'Eyes', exact: true }).click();
  await comment.getByRole('button', { name: 'Eyes, 1: You' }).waitFor();
  assert.match(page.url(), /task=39/);
  assert.deepEqual(problems, []);
  await close();
});

test('reactions work without JavaScript', async () => {
  const { page, close } = await visit(browser, { storageState: member, viewport, javaScriptEnabled: false });
  const text = await addComment(page, 39);
  const findOwnComment = () => findComment(page, text);
  await findOwnComment().locator('summary[aria-label^="Add reaction"]').click();
  await findOwnComment().getByRole('button', { name: 'Celebrate', exact: true }).click();
  await findOwnComment().getByRole('button', { name: 'Celebrate, 1: You' }).click();
  await findOwnComment().waitFor();
  assert.equal(await findOwnComment().locator('.reaction').count(), 0);
  await close();
});
