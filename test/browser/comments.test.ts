import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { findAxeProblems, getWorkspaceUrl, type StorageState, signIn, visit } from './visit.ts';

const { server, browser } = await openServerAndBrowser();
let storageState: StorageState;
let task: string;

before(async () => {
  storageState = await signIn(browser, server.origin, demo.member);
  const { page, close } = await visit(browser, { storageState });
  task = `${await getWorkspaceUrl(page, server.origin)}/tasks/38`;
  await close();
});

/** Makes text unique, so that this test file can run twice on the same server. */
const run = Date.now().toString(36);
const viewport = { width: 1280, height: 800 };
const findField = (page: Page) => page.locator('#new-comment');
const findToolbar = (page: Page) => page.locator('.new-comment').getByRole('toolbar', { name: 'Formatting' });

test('shortcuts and buttons format a comment, and its text is stored exactly as it appears in the field', async () => {
  const { page, problems, close } = await visit(browser, { storageState, viewport });
  await page.goto(task);
  const field = findField(page);
  assert.equal(await findToolbar(page).count(), 0);
  // The toolbar loads while the text is being typed.
  await field.pressSequentially(`Round ${run}: `);
  await findToolbar(page).waitFor();
  const { keyboard } = page;
  await keyboard.press('ControlOrMeta+B');
  await keyboard.type('bold');
  await keyboard.press('End');
  await keyboard.press('Enter');
  await keyboard.type('- first');
  await keyboard.press('Enter');
  await keyboard.type('second');
  await keyboard.press('Enter');
  await keyboard.press('Enter');
  await keyboard.type('site');
  await keyboard.press('Shift+Home');
  await field.evaluate((element) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', 'https://example.com/a_b_c');
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  const content = `Round ${run}: **bold**\n- first\n- second\n[site](https://example.com/a_b_c)`;
  assert.equal(await field.inputValue(), content);
  assert.deepEqual(await findAxeProblems(page), []);
  // The toolbar is a single tab stop. Arrow keys move between its buttons.
  await keyboard.press('Tab');
  await keyboard.press('Tab');
  await keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => document.activeElement?.ariaLabel), 'Italic');
  await keyboard.press('Enter');
  await keyboard.type('x');
  assert.equal(await field.inputValue(), `${content}*x*`);
  for (let undo = 0; undo < 2; undo += 1) await keyboard.press('ControlOrMeta+Z');
  assert.equal(await field.inputValue(), content);
  await keyboard.press('ControlOrMeta+Enter');
  const comment = page.locator('.comment', { hasText: run });
  await comment.getByRole('listitem').first().waitFor();
  assert.equal(await field.inputValue(), '');
  assert.deepEqual(
    [await comment.locator('strong').textContent(), await comment.getByRole('listitem').allTextContents()],
    ['bold', ['first', 'second\nsite']],
  );
  await comment.getByText('Edit').click();
  assert.equal(await comment.locator('textarea').inputValue(), content);
  await comment.getByRole('button', { name: 'Bold' }).waitFor();
  assert.deepEqual(await findAxeProblems(page), []);
  assert.deepEqual(problems, []);
  await close();
});

test('a pasted picture is attached to the task and added to the text, and the typed text is kept', async () => {
  const { page, problems, close } = await visit(browser, { storageState, viewport });
  await page.goto(task);
  const field = findField(page);
  await field.pressSequentially('Look at this');
  await findToolbar(page).waitFor();
  await field.evaluate((element) => {
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File(['picture'], 'image.png', { type: 'image/png' }));
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  await page.getByRole('link', { name: /^Pasted .*\.png$/ }).waitFor();
  const text = /^Look at this!\[Pasted [\d -]+\]\(attachment:\d+\)$/;
  assert.match(await field.inputValue(), text);
  await page.getByRole('button', { name: /^Remove Pasted/ }).click();
  await page.getByRole('link', { name: /^Pasted .*\.png$/ }).waitFor({ state: 'detached' });
  assert.match(await field.inputValue(), text);
  await field.fill('');
  assert.deepEqual(problems, []);
  await close();
});

test('the feed shows a comment from another browser live, and keeps expanded changes open and typed text in place', async () => {
  const one = await visit(browser, { storageState, viewport: { width: 320, height: 800 } });
  const other = await visit(browser, { storageState, viewport });
  for (const { page } of [one, other]) await page.goto(task);
  const priority = other.page.locator('select[name="priority"]');
  const changes = other.page.locator('.feed .change').getByText('set the priority to');
  for (const value of ['low', 'high', 'medium', 'low']) {
    const before = await changes.count();
    await priority.selectOption(value);
    await other.page.waitForFunction(
      (count) =>
        [...document.querySelectorAll('.feed .change')].filter((each) =>
          each.textContent?.includes('set the priority to'),
        ).length > count,
      before,
    );
  }
  const folded = one.page.locator('.changes').last();
  await folded.locator('summary').click();
  await findField(one.page).pressSequentially('Half a comment');
  await findField(other.page).fill(`Live ${run}`);
  await other.page.keyboard.press('ControlOrMeta+Enter');
  await one.page.locator('.comment', { hasText: `Live ${run}` }).waitFor();
  assert.equal(await findField(one.page).inputValue(), 'Half a comment');
  assert.equal(await folded.getAttribute('open'), '');
  await findToolbar(one.page).waitFor();
  const width = await one.page.evaluate(() => document.documentElement.scrollWidth);
  assert.equal(width, 320);
  assert.deepEqual(await findAxeProblems(one.page), []);
  await one.close();
  await other.close();
});
