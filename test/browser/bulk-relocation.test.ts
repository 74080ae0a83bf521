import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { openServerAndBrowser } from './server-and-browser.ts';
import { findAxeProblems, getWorkspaceUrl, signIn, visit, waitForFocus } from './visit.ts';

const { server, browser } = await openServerAndBrowser();

const getBar = (page: Page) => page.getByRole('form', { name: 'Edit selected tasks' });

/** Selects the first two tasks with the keyboard, and returns their rows' ids. */
async function selectTwoTasks(page: Page): Promise<string[]> {
  const ids: string[] = [];
  const boxes = page.locator('input[name="ids"][form]');
  for (const at of [0, 1]) {
    await boxes.nth(at).focus();
    await page.keyboard.press('Space');
    ids.push((await boxes.nth(at).getAttribute('value')) ?? '');
  }
  return ids;
}

async function waitForRows(page: Page, ids: readonly string[], state: 'attached' | 'detached') {
  for (const id of ids) await page.locator(`#task-${id}`).waitFor({ state });
}

test('selected tasks can be moved and deleted with the keyboard, and z undoes both', async () => {
  const storageState = await signIn(browser, server.origin);
  const viewport = { width: 1280, height: 800 };
  const { page, problems, close } = await visit(browser, { storageState, viewport });
  const list = `${await getWorkspaceUrl(page, server.origin)}/tasks?project=1`;
  await page.goto(list);
  const { keyboard } = page;
  const bar = getBar(page);
  const moved = await selectTwoTasks(page);
  await bar.locator('summary', { hasText: 'Move' }).focus();
  await keyboard.press('Enter');
  assert.deepEqual(await findAxeProblems(page), []);
  await keyboard.press('Tab');
  await waitForFocus(bar.getByLabel('Move to project'));
  await bar.getByLabel('Move to project').selectOption({ index: 1 });
  await keyboard.press('Tab');
  await waitForFocus(bar.getByRole('button', { name: 'Move tasks' }));
  await keyboard.press('Enter');
  await waitForRows(page, moved, 'detached');
  await page.getByText(/^2 tasks moved to /).waitFor();
  assert.equal(page.url(), list);
  await keyboard.press('z');
  await waitForRows(page, moved, 'attached');

  const deleted = await selectTwoTasks(page);
  await bar.getByText('2 selected').waitFor();
  await keyboard.press('Control+k');
  await keyboard.type('delete sel');
  await page.getByRole('option', { name: 'Delete selected tasks', selected: true }).waitFor();
  await keyboard.press('Enter');
  await waitForRows(page, deleted, 'detached');
  await page.getByText('2 tasks moved to the trash').waitFor();
  await bar.waitFor({ state: 'hidden' });
  await keyboard.press('z');
  await waitForRows(page, deleted, 'attached');
  await page.getByText('2 tasks restored').waitFor();

  await selectTwoTasks(page);
  await keyboard.press('Control+k');
  await keyboard.type('move sel');
  await page.getByRole('option', { name: 'Move selected tasks to project…', selected: true }).waitFor();
  await keyboard.press('Enter');
  await waitForFocus(bar.getByLabel('Move to project'));
  await bar.getByRole('button', { name: 'Clear', exact: true }).click();
  await bar.waitFor({ state: 'hidden' });
  await keyboard.press('Control+k');
  await keyboard.type('selected tasks');
  await page.getByRole('option', { name: /Search for/ }).waitFor();
  assert.equal(await page.getByRole('option', { name: 'Delete selected tasks' }).count(), 0);
  assert.deepEqual(problems, []);
  await close();
});

test('the bulk bar shows an error if the server is gone or no project is selected, and keeps the selection', async () => {
  const storageState = await signIn(browser, server.origin);
  const { page, close } = await visit(browser, { storageState, viewport: { width: 1280, height: 800 } });
  await page.goto(`${await getWorkspaceUrl(page, server.origin)}/tasks?project=1`);
  const bar = getBar(page);
  const ids = await selectTwoTasks(page);
  await bar.locator('summary', { hasText: 'Move' }).click();
  await bar.getByRole('button', { name: 'Move tasks' }).click();
  await bar.locator('#bulk-project-problem').waitFor();
  await bar.getByText('2 selected').waitFor();
  await page.context().setOffline(true);
  await bar.getByRole('button', { name: 'Delete' }).click();
  await page.getByText("Couldn't reach the server.").waitFor();
  await bar.getByText('2 selected').waitFor();
  await page.context().setOffline(false);
  await bar.getByRole('button', { name: 'Delete' }).dblclick();
  await waitForRows(page, ids, 'detached');
  await page.getByRole('button', { name: 'Undo' }).click();
  await waitForRows(page, ids, 'attached');
  await close();
});

for (const javaScriptEnabled of [true, false]) {
  test(`selected tasks can be moved and deleted on a 390 px phone (${javaScriptEnabled ? 'with' : 'without'} JavaScript)`, async () => {
    const storageState = await signIn(browser, server.origin);
    const { page, problems, close } = await visit(browser, {
      storageState,
      javaScriptEnabled,
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    });
    await page.goto(`${await getWorkspaceUrl(page, server.origin)}/tasks?project=1`);
    const bar = getBar(page);
    const moved = await selectTwoTasks(page);
    await bar.locator('summary', { hasText: 'Move' }).click();
    await bar.getByLabel('Move to project').selectOption({ index: 1 });
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    if (javaScriptEnabled) assert.deepEqual(await findAxeProblems(page), []);
    await bar.getByRole('button', { name: 'Move tasks' }).click();
    await waitForRows(page, moved, 'detached');
    await page.getByRole('button', { name: 'Undo' }).click();
    await waitForRows(page, moved, 'attached');
    const deleted = await selectTwoTasks(page);
    await bar.getByRole('button', { name: 'Delete' }).click();
    await waitForRows(page, deleted, 'detached');
    await page.getByRole('button', { name: 'Undo' }).click();
    await waitForRows(page, deleted, 'attached');
    assert.deepEqual(problems, []);
    await close();
  });
}

test('a list can be filtered by a parent that is found by name', async () => {
  const storageState = await signIn(browser, server.origin);
  const { page, problems, close } = await visit(browser, {
    storageState,
    viewport: { width: 1280, height: 800 },
  });
  const base = await getWorkspaceUrl(page, server.origin);
  await page.goto(`${base}/tasks?project=1`);
  const parent = page.locator('tbody tr a[id^="name-"]').first();
  const [name = '', id = ''] = [await parent.textContent(), await parent.getAttribute('id')].map((text) =>
    text?.replace('name-', '').trim(),
  );
  await page.goto(`${base}/tasks/${id}`);
  await page.getByLabel('Add a subtask', { exact: true }).last().fill('Found below its parent');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Found below its parent' }).waitFor();
  for (const path of ['/tasks?project=1', '/projects/1']) {
    await page.goto(base + path);
    const { keyboard } = page;
    await page.locator('.scripted form.filters').getByRole('button', { name: 'Filter', exact: true }).focus();
    await keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Filter', exact: true }).waitFor();
    await keyboard.type('parent');
    await keyboard.press('Enter');
    const picker = page.getByRole('dialog', { name: 'Parent', exact: true });
    await picker.waitFor();
    await keyboard.type(name);
    await picker.getByRole('option', { name: new RegExp(`#${id}$`) }).waitFor();
    await picker.getByRole('option', { name: new RegExp(`#${id}$`) }).click();
    await page.waitForURL((url) => url.searchParams.get('parent') === id);
    await page.getByRole('link', { name: 'Found below its parent' }).first().waitFor();
    await page.locator('.chip.set', { hasText: name }).waitFor();
  }
  assert.deepEqual(problems, []);
  await close();
});
