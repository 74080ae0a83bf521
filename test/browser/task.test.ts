import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { findAxeProblems, getWorkspaceUrl, type StorageState, signIn, visit } from './visit.ts';
import { dropFiles, uploadWithPause } from './workday.ts';

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

test('typing @ in a comment suggests people, and the comment displays names but stores ids', async () => {
  const { page, problems, close } = await visit(browser, { storageState, viewport });
  await page.goto(task);
  const field = page.getByRole('textbox', { name: 'Your comment' }).first();
  const list = page.getByRole('listbox', { name: 'People' });
  await field.pressSequentially('@');
  await list.waitFor();
  assert.deepEqual(await findAxeProblems(page), []);
  await page.keyboard.press('ArrowDown');
  const option = list.getByRole('option', { selected: true });
  assert.equal(await field.getAttribute('aria-activedescendant'), await option.getAttribute('id'));
  await page.keyboard.press('Escape');
  await list.waitFor({ state: 'hidden' });
  assert.equal(await field.evaluate((each) => each === document.activeElement), true);
  await page.keyboard.press('Backspace');
  await field.pressSequentially('@owner');
  // Looks for the owner by email address, because the suggestions for "@o" may still be displayed.
  const owner = option.filter({ hasText: demo.owner });
  const name = (await owner.textContent())?.replace(/ \S+@\S+$/, '') ?? '';
  await page.keyboard.press('Enter');
  assert.equal(await field.inputValue(), `@${name} `);
  await field.pressSequentially(`has a word ${run}`);
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  const comment = page.locator('.comment', { hasText: run });
  assert.equal(await comment.locator('.mention').textContent(), `@${name}`);
  assert.equal(await field.inputValue(), '');
  const id = await comment.locator('.mention').getAttribute('data-person');
  // The stored text contains the id, and the edit form displays the name.
  const stored = comment.locator('textarea');
  assert.match(await stored.inputValue(), new RegExp(`^@\\[${id}\\] has a word`));
  await comment.getByText('Edit').click();
  // Waits, because the browser fires `toggle` asynchronously.
  await page.waitForFunction(
    (text) => document.querySelector<HTMLTextAreaElement>('.comment details[open] textarea')?.value === text,
    `@${name} has a word ${run}`,
  );
  await stored.fill(`@${name} has a last word ${run}`);
  await comment.getByRole('button', { name: 'Save' }).click();
  await comment.locator('.text', { hasText: 'last word' }).waitFor();
  assert.equal(await comment.locator('.mention').getAttribute('data-person'), id);
  await comment.getByText('Delete', { exact: true }).click();
  await comment.getByRole('button', { name: 'Delete comment' }).click();
  await comment.waitFor({ state: 'detached' });
  assert.deepEqual(problems, []);
  await close();
});

test('an upload can be paused and resumed after a reload, and files can be dropped anywhere on the page', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'edgework-upload-'));
  const path = join(folder, `film ${run}.bin`);
  const bytes = Buffer.alloc(18 * 1024 * 1024, 'Edgework sends what it was given. ');
  writeFileSync(path, bytes);
  const { page, problems, close } = await visit(browser, { storageState, viewport });
  const sent: string[] = [];
  page.on('request', (each) => {
    if (each.method() === 'PUT') sent.push(each.url().split('/').at(-1) ?? '');
  });
  await page.goto(task);
  const upload = await uploadWithPause(page, path, async () =>
    assert.deepEqual(await findAxeProblems(page), []),
  );
  const row = page.locator('#uploads li', { hasText: run });
  await row.getByText('8.0 MB of 18 MB, paused').waitFor();
  assert.deepEqual(await findAxeProblems(page), []);
  await upload.resume();
  const file = page.locator('.files .panel:not(.uploads) li', { hasText: run });
  await file.waitFor();
  await row.waitFor({ state: 'detached' });
  assert.deepEqual(sent, ['1', '2', '2', '3']);
  const download = page.waitForEvent('download');
  await file.getByRole('link').click();
  assert.ok(readFileSync(await (await download).path()).equals(bytes));
  const dropped = [`plan ${run}.txt`, `note ${run}.txt`];
  for (const name of dropped) writeFileSync(join(folder, name), name);
  // A file dropped outside the drop zone is also uploaded, and doesn't replace the page.
  const title = page.getByRole('heading', { level: 1 });
  const drop = await dropFiles(
    title,
    dropped.map((name) => join(folder, name)),
  );
  await page.locator('.dropping').waitFor();
  await drop();
  for (const name of dropped) {
    const saved = page.waitForEvent('download');
    await page.getByRole('link', { name }).click();
    assert.equal(readFileSync(await (await saved).path(), 'utf8'), name);
  }
  assert.deepEqual([page.url(), await page.locator('.dropping').count()], [task, 0]);
  for (const name of [`film ${run}.bin`, ...dropped]) {
    await page.getByRole('button', { name: `Remove ${name}` }).click();
    await page.getByRole('link', { name }).waitFor({ state: 'detached' });
  }
  assert.deepEqual(problems, []);
  await close();
  rmSync(folder, { recursive: true });
});

/** Excludes the text area, which has the same label until the editor replaces it. */
const findEditor = (page: Page) => page.locator('.editor').getByRole('textbox', { name: 'Description' });

test('the description editor formats text with keys and buttons, and strips unsafe tags from pasted text', async () => {
  const { page, problems, close } = await visit(browser, { storageState, viewport });
  await page.goto(task);
  await page.getByText(/^(Edit|Add a) description$/).click();
  const text = findEditor(page);
  await page.waitForFunction(() => document.activeElement?.role === 'textbox');
  const { keyboard } = page;
  await keyboard.press('ControlOrMeta+A');
  await keyboard.press('Backspace');
  await keyboard.type(`Plain ${run} `);
  await keyboard.press('ControlOrMeta+B');
  await keyboard.type('bold');
  await keyboard.press('ControlOrMeta+B');
  await keyboard.press('Enter');
  await keyboard.type('- first');
  await keyboard.press('Enter');
  await keyboard.type('second');
  await keyboard.press('Enter');
  await keyboard.press('Enter');
  await keyboard.type('site');
  await keyboard.press('Shift+Home');
  assert.deepEqual(await findAxeProblems(page), []);
  // The toolbar is a single tab stop. Arrow keys move to its link button.
  await keyboard.press('Shift+Tab');
  for (const _ of ['italic', 'code', 'link']) await keyboard.press('ArrowRight');
  await keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Link URL' }).fill('example.com/a?b=1&c=2');
  await keyboard.press('Enter');
  await keyboard.press('End');
  await keyboard.type('!');
  await keyboard.press('Enter');
  await text.evaluate((element) => {
    const clipboardData = new DataTransfer();
    const html = `<h2 onclick="alert(1)" style="color:red">Head</h2><script>alert(2)</script><img src=x onerror=alert(3)>
      <p class="x"><a href="javascript:alert(4)">bad</a> <i>good</i></p>`;
    clipboardData.setData('text/html', html);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  const html =
    `<p>Plain ${run} <strong>bold</strong></p><ul><li>first</li><li>second</li></ul>` +
    '<p><a href="https://example.com/a?b=1&amp;c=2">site</a>!</p><h2>Head</h2><p><a>bad</a> <i>good</i></p>';
  const field = page.locator('#description');
  assert.equal(await field.inputValue(), html);
  await keyboard.press('ControlOrMeta+Z');
  assert.notEqual(await field.inputValue(), html);
  await keyboard.press('ControlOrMeta+Y');
  assert.equal(await field.inputValue(), html);
  await keyboard.press('ControlOrMeta+Enter');
  const shown = page.locator('.section > .rich', { hasText: run });
  await shown.waitFor();
  await page.reload();
  assert.deepEqual([await shown.innerHTML(), await field.inputValue()], [html, html]);
  assert.deepEqual(problems, []);
  await close();
});

test('a task page keeps typed text while the task changes in another tab, and overwrites the change only after a warning', async () => {
  const one = await visit(browser, { storageState, viewport });
  const other = await visit(browser, { storageState, viewport });
  for (const { page } of [one, other]) {
    await page.goto(task);
    await page.getByText(/^(Edit|Add a) description$/).click();
  }
  const mine = findEditor(one.page);
  await mine.fill(`Mine ${run}`);
  await one.page.locator('#new-comment').fill(`Half a comment ${run}`);
  // Submits another form, whose response contains the whole page.
  const priority = one.page.locator('select[name="priority"]');
  const next = (await priority.inputValue()) === 'high' ? 'low' : 'high';
  await priority.selectOption(next);
  await one.page
    .getByText(/set the priority to/)
    .last()
    .waitFor();
  assert.deepEqual(
    [
      await mine.textContent(),
      await one.page.locator('#new-comment').inputValue(),
      await priority.inputValue(),
    ],
    [`Mine ${run}`, `Half a comment ${run}`, next],
  );
  await findEditor(other.page).fill(`Theirs ${run}`);
  const findSaveButton = (page: Page) =>
    page.locator('details.edit[open] button', { hasText: 'Save' }).first();
  await findSaveButton(other.page).click();
  await one.page.locator('.section > .rich', { hasText: `Theirs ${run}` }).waitFor();
  assert.equal(await mine.textContent(), `Mine ${run}`);
  await findSaveButton(one.page).click();
  await one.page.getByRole('alert').filter({ hasText: 'You changed this in another tab' }).waitFor();
  assert.equal(await one.page.locator('.section > .rich').textContent(), `Theirs ${run}`);
  assert.equal(await mine.textContent(), `Mine ${run}`);
  await findSaveButton(one.page).click();
  await one.page.locator('.section > .rich', { hasText: `Mine ${run}` }).waitFor();
  assert.equal(await one.page.locator('#new-comment').inputValue(), `Half a comment ${run}`);
  await one.close();
  await other.close();
});
