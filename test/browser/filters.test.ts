import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addCard, findCard, selectFilter } from './boards.ts';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { findAxeProblems, getAddressHeaders, getWorkspaceUrl, signIn, visit, waitForFocus } from './visit.ts';

const { server, browser } = await openServerAndBrowser();
const viewport = { width: 1280, height: 800 };
const run = Date.now().toString(36);

async function postJson(path: string, body: unknown, token = '') {
  const answer = await fetch(`${server.origin}/v1${path}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...getAddressHeaders(demo.owner),
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  assert.ok(answer.ok, `${path} returned ${answer.status}`);
  return (await answer.json()) as { token: string };
}

test('a filter changed by keyboard keeps focus, and Back removes the filter', async () => {
  const storageState = await signIn(browser, server.origin);
  const { page, problems, close } = await visit(browser, { storageState, viewport });
  const { token } = await postJson('/auth/login', { email: demo.owner, password: demo.password });
  const tasks = ['low', 'medium', 'high'].map((priority) => ({
    projectId: 1,
    name: `Filtered ${run} ${priority}`,
    priority,
  }));
  await postJson('/tasks/bulk', { tasks }, token);
  await page.goto(`${await getWorkspaceUrl(page, server.origin)}/tasks?q=${run}`);
  const unfiltered = page.url();
  const rows = page.locator('tbody tr');
  assert.equal(await rows.count(), 3);
  await page.evaluate(() => Object.assign(window, { isSame: true }));
  const priority = page.locator('#filter-priority');
  const menu = page.locator('form.filters').getByRole('button', { name: 'Filter', exact: true });
  assert.equal(await priority.isVisible(), false);
  await menu.focus();
  await page.keyboard.press('Enter');
  await waitForFocus(page.getByRole('combobox', { name: 'Filter' }));
  await page.keyboard.type('prio');
  await page.keyboard.press('Enter');
  await waitForFocus(page.locator('.picker').getByRole('combobox', { name: 'Priority' }));
  await page.keyboard.type('low');
  await page.keyboard.press('Enter');
  await page.waitForURL(/priority=low/);
  await page.keyboard.press('Escape');
  await waitForFocus(menu);
  const chip = page.locator('.chip.set', { hasText: 'Priority' });
  await chip.filter({ hasText: 'Low' }).waitFor();
  // A chip contains a select element, so arrow keys change its value without opening the picker.
  await priority.focus();
  await page.keyboard.press('ArrowDown');
  await page.waitForURL(/priority=medium/);
  assert.equal(await priority.evaluate((field) => field === document.activeElement), true);
  assert.equal(await priority.inputValue(), 'medium');
  assert.equal(await rows.locator('.row-name, th a, td a').first().innerText(), `Filtered ${run} medium`);
  assert.equal(await rows.count(), 1);
  await page.getByRole('searchbox', { name: 'Text' }).fill(`${run} zzz`);
  await page.keyboard.press('Enter');
  await page.waitForURL(/q=\w+\+zzz/);
  assert.equal(await rows.count(), 0);
  await page.goBack();
  await page.goBack();
  await page.goBack();
  await page.waitForURL(unfiltered);
  await rows.nth(2).waitFor();
  assert.equal(await priority.inputValue(), '');
  assert.equal(await chip.count(), 0);
  assert.equal(await page.getByRole('searchbox', { name: 'Text' }).inputValue(), run);
  assert.equal(await page.evaluate(() => 'isSame' in window), true);
  assert.deepEqual(problems, []);
  await close();
});

test('a filter can have several values, which are applied while their list stays open', async () => {
  const storageState = await signIn(browser, server.origin);
  const { page, problems, close } = await visit(browser, { storageState, viewport });
  await page.goto(`${await getWorkspaceUrl(page, server.origin)}/tasks?q=${run}`);
  const rows = page.locator('tbody tr');
  const chip = page.locator('.chip.set [data-pick="priority"]');
  const options = page.locator('.picker').getByRole('option');
  await page.locator('form.filters').getByRole('button', { name: 'Filter', exact: true }).click();
  await waitForFocus(page.getByRole('combobox', { name: 'Filter' }));
  await page.keyboard.type('prio');
  await page.keyboard.press('Enter');
  await waitForFocus(page.locator('.picker').getByRole('combobox', { name: 'Priority' }));
  assert.deepEqual(await options.allTextContents(), ['Low', 'Medium', 'High']);
  await page.keyboard.press('Enter');
  await chip.filter({ hasText: /Low$/ }).waitFor();
  await options.filter({ hasText: 'High' }).click();
  await chip.filter({ hasText: 'Low, High' }).waitFor();
  assert.equal(await rows.count(), 2);
  assert.deepEqual(await options.evaluateAll((each) => each.map(({ ariaSelected }) => ariaSelected)), [
    'true',
    'false',
    'true',
  ]);
  assert.deepEqual(await findAxeProblems(page), []);
  await page.keyboard.press('Escape');
  assert.equal(new URL(page.url()).searchParams.get('priority'), 'low,high');
  // The select element has an option for the combined values.
  const native = page.locator('#filter-priority');
  assert.equal(await native.inputValue(), 'low,high');
  await chip.click();
  await options.filter({ hasText: 'Low' }).click();
  await chip.filter({ hasText: /High$/ }).waitFor();
  await rows.nth(1).waitFor({ state: 'detached' });
  await page.reload();
  await chip.filter({ hasText: /High$/ }).waitFor();
  assert.equal(await rows.count(), 1);
  assert.deepEqual(problems, []);
  await close();
});

test('a board shows changes from another browser while a filter has focus', async () => {
  const storageState = await signIn(browser, server.origin);
  const { page, problems, close } = await visit(browser, { storageState, viewport });
  const other = await visit(browser, { storageState, viewport });
  const board = `${await getWorkspaceUrl(page, server.origin)}/projects/1`;
  await page.goto(board);
  await other.page.goto(board);
  await page.goto(`${board}?priority=medium`);
  const priority = page.locator('#filter-priority');
  await priority.focus();
  const name = `Made meanwhile ${run}`;
  await addCard(other.page, name);
  await findCard(page, name).waitFor();
  assert.equal(await priority.evaluate((field) => field === document.activeElement), true);
  assert.deepEqual([...problems, ...other.problems], []);
  await close();
  await other.close();
});

test('each filter has a chip, whose button removes the filter', async () => {
  const storageState = await signIn(browser, server.origin);
  const { page, problems, close } = await visit(browser, { storageState, viewport });
  const list = `${await getWorkspaceUrl(page, server.origin)}/tasks?q=${run}`;
  await page.goto(list);
  await selectFilter(page, 'Assignee', 'Unassigned');
  await page.waitForURL(`${list}&assignee=none`);
  await selectFilter(page, 'Priority', 'High');
  await page.waitForURL(/priority=high/);
  const chips = page.locator('.chip.set');
  await chips.filter({ hasText: 'High' }).waitFor();
  assert.deepEqual(await chips.locator('[data-pick]').allTextContents(), [
    'Assignee Unassigned',
    'Priority High',
    'Sort Newest first',
  ]);
  assert.deepEqual(await findAxeProblems(page), []);
  await page.getByRole('button', { name: 'Remove filter: Assignee' }).click();
  await chips.filter({ hasText: 'Assignee' }).waitFor({ state: 'detached' });
  assert.equal(page.url(), `${list}&priority=high`);
  await waitForFocus(page.locator('form.filters').getByRole('button', { name: 'Filter', exact: true }));
  await page.goBack();
  await chips.filter({ hasText: 'Assignee' }).waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test('applying the same filter again adds no entry to the browser history', async () => {
  const storageState = await signIn(browser, server.origin);
  const { page, problems, close } = await visit(browser, { storageState, viewport });
  const unfiltered = `${await getWorkspaceUrl(page, server.origin)}/tasks?q=${run}`;
  await page.goto(unfiltered);
  await page.getByRole('searchbox', { name: 'Text' }).fill(`${run} low`);
  for (let pressed = 0; pressed < 3; pressed += 1) {
    const answered = page.waitForResponse(/q=\w+\+low/);
    await page.keyboard.press('Enter');
    await answered;
    await page.locator('#toast', { hasText: 'Filtered' }).waitFor({ state: 'attached' });
    await page.locator('#toast').evaluate((place) => place.replaceChildren());
  }
  await page.goBack();
  await page.waitForURL(unfiltered);
  assert.deepEqual(problems, []);
  await close();
});
