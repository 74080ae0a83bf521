import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addCard, dragByMouse, findCard, findCardInColumn, findColumn } from './boards.ts';
import { findForm, inputMethods, submitForm } from './input-methods.ts';
import { interceptRequests } from './intercept.ts';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { signInToWorkspace, visit } from './visit.ts';

const { server, browser } = await openServerAndBrowser();
const viewport = { width: 1280, height: 800 };
const run = Date.now().toString(36);
const { storageState, base } = await signInToWorkspace(browser, server.origin, demo.member);

for (const inputMethod of inputMethods) {
  test(`a saved filter can be created, opened, deleted and restored (${inputMethod.name})`, async () => {
    const { page, problems, close } = await visit(browser, {
      ...inputMethod.options,
      storageState,
      viewport,
    });
    const name = `Urgent ${run} by ${inputMethod.name}`;
    await page.goto(`${base}/tasks?priority=high`);
    await submitForm(inputMethod, findForm(page, '/filters'), { fields: { name }, button: 'Save' });
    await page.getByRole('heading', { level: 1, name }).waitFor();
    // Reloads the page, because `press` expects Tab to start at the top of the page, but Tab would continue from the
    // removed form.
    await page.reload();
    await inputMethod.press(page.getByRole('link', { name: 'Board', exact: true }));
    await page.getByRole('heading', { level: 1, name }).waitFor();
    assert.equal(await page.locator('.column').count(), 5);
    await inputMethod.press(page.getByRole('link', { name: 'Saved filters' }));
    const row = page.locator('.rows > li', { hasText: name });
    await row.waitFor();
    await submitForm(inputMethod, row.locator('form[action$="/delete"]'), { button: 'Delete' });
    await row.waitFor({ state: 'detached' });
    await inputMethod.press(page.getByRole('button', { name: 'Undo' }));
    await row.waitFor();
    assert.deepEqual(problems, []);
    await close();
  });
}

test('saving a filter while the page is loading saves the latest values, or nothing if loading fails', async () => {
  const { page, problems, close } = await visit(browser, { storageState, viewport });
  const name = `Chosen last ${run}`;
  await page.goto(`${base}/tasks?priority=low`);
  await page.getByText('Save filter').click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  const isFilterRequest = (url: URL) => url.searchParams.get('priority') === 'low,high';
  const save = page.getByRole('button', { name: 'Save', exact: true });

  // If the request for the new filter fails, the Save button must not save the previous filter.
  await interceptRequests(page, isFilterRequest, (route) => route.abort('connectionfailed'), { times: 2 });
  await page.locator('form.filters [data-pick="priority"]').click();
  await page
    .getByRole('dialog', { name: 'Priority' })
    .getByRole('option', { name: 'High', exact: true })
    .click();
  await page.locator('#toast').getByText('reach the server').waitFor();
  await page.locator('#toast').evaluate((place) => place.replaceChildren());
  await save.click();
  await page.locator('#toast').getByText('reach the server').waitFor();
  assert.deepEqual([new URL(page.url()).searchParams.get('filter'), problems.length > 0], [null, true]);
  problems.length = 0;

  const { promise, resolve } = Promise.withResolvers<void>();
  await interceptRequests(page, isFilterRequest, (route) => promise.then(() => route.continue()));
  const sent = page.waitForRequest(
    (asking) => asking.method() === 'POST' && asking.url().endsWith('/filters'),
  );
  await save.click();
  resolve();
  assert.equal(new URLSearchParams((await sent).postData() ?? '').get('priority'), 'low,high');
  await page.getByRole('heading', { level: 1, name }).waitFor();
  assert.equal(await page.locator('#filter-priority').inputValue(), 'low,high');
  await close();
});

test('cards on the board of all projects can be moved by mouse and keyboard, and another browser shows the moves', async () => {
  const { page, problems, close } = await visit(browser, { storageState, viewport });
  const other = await visit(browser, { storageState, viewport });
  const name = `Across ${run}`;
  await page.goto(`${base}/projects/1`);
  await addCard(page, name);
  await page.goto(`${base}/board?project=1`);
  await other.page.goto(`${base}/board`);
  const { drop } = await dragByMouse(findCard(page, name), findColumn(page, 'in_progress').locator('.cards'));
  await drop();
  await findCardInColumn(other.page, 'in_progress', name).waitFor();
  await findCard(page, name).locator('a').first().focus();
  await page.keyboard.press('3');
  await findCardInColumn(page, 'internal_review', name).waitFor();
  await findCardInColumn(other.page, 'internal_review', name).waitFor();
  await page.reload();
  await findCardInColumn(page, 'internal_review', name).waitFor();
  assert.deepEqual([...problems, ...other.problems], []);
  await close();
  await other.close();
});
