import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { addCard, findCard } from './boards.ts';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { signInToWorkspace, visit } from './visit.ts';

const { server, browser } = await openServerAndBrowser();
const run = Date.now().toString(36);
const viewport = { width: 1280, height: 800 };
const { storageState, base } = await signInToWorkspace(browser, server.origin, demo.member);

async function openTask(name: string) {
  const visited = await visit(browser, { storageState, viewport });
  const { page } = visited;
  await page.goto(`${base}/projects/1`);
  await addCard(page, `${name} ${run}`);
  const address = await findCard(page, `${name} ${run}`).locator('a').first().getAttribute('href');
  await page.goto(new URL(address ?? '', server.origin).href);
  return visited;
}

const waitForFocus = (page: Page, text: string) =>
  page.waitForFunction((wanted) => {
    const at = document.activeElement;
    return (
      at !== document.body && `${at?.getAttribute('aria-label') ?? ''} ${at?.textContent}`.includes(wanted)
    );
  }, text);

test('focus moves to the edit button after a description is saved', async () => {
  const { page, problems, close } = await openTask('Described');
  await page.getByText('Add a description').click();
  await page.locator('.ProseMirror').click();
  await page.keyboard.type('In a few words');
  await page.keyboard.press('Control+Enter');
  await page.locator('.rich', { hasText: 'In a few words' }).first().waitFor();
  await waitForFocus(page, 'Edit description');
  assert.deepEqual(problems, []);
  await close();
});

test('focus stays on the Actions menu when a task is archived or restored', async () => {
  const { page, close } = await openTask('Archived');
  const actions = page.locator('summary', { hasText: 'Actions' });
  await actions.focus();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('button', { name: 'Copy link' }).waitFor();
  await page.keyboard.press('ArrowUp');
  await waitForFocus(page, 'Archive');
  await page.keyboard.press('Escape');
  await waitForFocus(page, 'Actions');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Archive', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Restore' }).waitFor();
  await waitForFocus(page, 'Actions');
  await page.getByRole('button', { name: 'Restore' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Start timer' }).waitFor();
  assert.ok(
    await page.evaluate(() => document.querySelector('.task-actions')?.contains(document.activeElement)),
  );
  await close();
});

test('focus moves to the checkboxes after a bulk edit', async () => {
  const { page, close } = await visit(browser, { storageState, viewport });
  await page.goto(`${base}/tasks?project=2`);
  await page
    .getByRole('checkbox', { name: /^Select (?!all)/ })
    .first()
    .check();
  await page.getByRole('combobox', { name: 'Priority' }).last().selectOption({ label: 'High' });
  await page.getByRole('button', { name: 'Apply', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('1 task updated').waitFor();
  await waitForFocus(page, 'Select');
  await close();
});

test('focus stays in the comment field after a comment is sent with Ctrl Enter', async () => {
  const { page, problems, close } = await openTask('Talked about');
  const field = page.getByPlaceholder(/Write a comment/);
  await field.fill(`Sent by keys ${run}`);
  await page.keyboard.press('Control+Enter');
  await page.locator('.comment', { hasText: `Sent by keys ${run}` }).waitFor();
  assert.equal(await field.inputValue(), '');
  assert.ok(await field.evaluate((element) => element === document.activeElement));
  assert.equal(await page.locator('.comment').count(), 1);
  assert.deepEqual(problems, []);
  await close();
});

test('a card stays in view when its task opens in the side panel', async () => {
  const { page, close } = await visit(browser, { storageState, viewport });
  await page.goto(`${base}/projects/1`);
  const name = `At the end ${run}`;
  await addCard(page, name, 'completed');
  await findCard(page, name).locator('a').first().focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name }).waitFor();
  const [shown, beside] = [
    await findCard(page, name).boundingBox(),
    await page.locator('#task-panel').boundingBox(),
  ];
  assert.ok(shown && beside && shown.x + shown.width <= beside.x, JSON.stringify({ shown, beside }));
  await close();
});
