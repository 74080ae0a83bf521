// This file is long because the tests for all pickers share the functions that open a picker and read its options.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { pollUntil } from '../support/timeout.ts';
import { findCard } from './boards.ts';
import { holdFirstRequest } from './intercept.ts';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { type Colleague, openColleague } from './team.ts';
import { findAxeProblems, getWorkspaceUrl, measureOverflow, visit, waitForFocus } from './visit.ts';

interface StoredTask {
  readonly id: number;
  readonly assignee: { readonly id: string; readonly name: string } | null;
  readonly deadline: string | null;
  readonly priority: string;
  readonly status: string;
  readonly tags: readonly string[];
}

const { server, browser } = await openServerAndBrowser();
const run = Date.now().toString(36);
const viewport = { width: 1280, height: 900 };
let me: Colleague;
let base: string;
let board: string;
let myself: { readonly id: string; readonly name: string };
let colleague: { readonly id: string; readonly name: string };

before(async () => {
  me = await openColleague(browser, server.origin, demo.owner, { viewport });
  base = await getWorkspaceUrl(me.page, server.origin);
  board = `${base}/projects/1`;
  myself = await me.ask('/me');
  const people = await me.ask<{ data: (typeof myself)[] }>('/users?limit=100');
  const other = people.data.find(({ id, name }) => id !== myself.id && !name.includes('<'));
  assert.ok(other);
  colleague = other;
});

const makeUnique = (name: string) => `${name} ${run}`;
const findToast = (page: Page) => page.locator('#flash-message');
const findPicker = (page: Page) => page.locator('.picker');
const findSearchField = (page: Page) => findPicker(page).getByRole('combobox');
const findHighlighted = (page: Page) => findPicker(page).getByRole('option', { selected: true });
const readHighlightedText = (page: Page) => findHighlighted(page).locator('bdi').textContent();
const findTitle = (page: Page, name: string) => findCard(page, makeUnique(name)).locator('> a');
const findPickerButton = (page: Page, name: string, field: string) =>
  findCard(page, makeUnique(name)).locator(`[data-pick="${field}"]`);

async function addTask(name: string, fields: object = {}): Promise<number> {
  const task = await me.ask<StoredTask>('/tasks', { projectId: 1, name: makeUnique(name), ...fields });
  return task.id;
}

const readTask = (id: number) => me.ask<StoredTask>(`/tasks/${id}`);
const waitForSave = (page: Page, text: string) => findToast(page).filter({ hasText: text }).waitFor();

test('pressing A opens an assignee picker, the focused card shows the new assignee immediately, and Z undoes the change', async () => {
  const { page, problems } = me;
  const id = await addTask('Assigned by key');
  await page.goto(board);
  await findTitle(page, 'Assigned by key').focus();
  await page.keyboard.press('a');
  await waitForFocus(findSearchField(page));
  assert.equal(await findSearchField(page).getAttribute('aria-label'), 'Assignee');
  assert.equal(await readHighlightedText(page), 'Assign to me');
  await findPicker(page).getByRole('option', { name: colleague.name }).waitFor();
  await page.keyboard.press('ArrowDown');
  assert.equal(await readHighlightedText(page), 'Unassigned');
  await page.keyboard.press('End');
  const last = await findHighlighted(page).getAttribute('id');
  assert.equal(await findSearchField(page).getAttribute('aria-activedescendant'), last);
  await page.keyboard.press('ArrowDown');
  assert.equal(await readHighlightedText(page), 'Assign to me');
  await page.keyboard.press('ArrowUp');
  assert.equal(await findHighlighted(page).getAttribute('id'), last);
  await page.keyboard.press('Home');
  assert.equal(await readHighlightedText(page), 'Assign to me');
  await page.keyboard.type(colleague.name.toLowerCase());
  await findHighlighted(page).filter({ hasText: colleague.name }).waitFor();
  const sent = await holdFirstRequest(page, `**/tasks/${id}`);
  await page.keyboard.press('Enter');
  const held = await sent.held;
  assert.equal(await findPicker(page).count(), 0);
  await findPickerButton(page, 'Assigned by key', 'assignee').locator('.avatar:not(.unassigned)').waitFor();
  await waitForFocus(findTitle(page, 'Assigned by key'));
  await held.continue();
  await waitForSave(page, `Assigned to ${colleague.name}`);
  assert.equal((await readTask(id)).assignee?.id, colleague.id);
  await page.keyboard.press('z');
  await waitForSave(page, 'Undone');
  assert.equal((await readTask(id)).assignee, null);
  assert.deepEqual(problems, []);
});

test('Space opens the picker of a chip, unless the previous key was a character typed within the last second', async () => {
  const { page } = me;
  const id = await addTask('Typed into a chip');
  await page.goto(`${base}/tasks/${id}`);
  const status = page.locator('.chip select[name="status"]');
  /** Sends keys with simulated pauses. Returns whether the page left all keys to the browser. */
  const isTyped = (keys: readonly (readonly [key: string, pauseMs: number])[]) =>
    status.evaluate((list, keys) => {
      let at = 0;
      return keys.every(([key, pauseMs]) => {
        at += pauseMs;
        const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
        Object.defineProperty(event, 'timeStamp', { value: at });
        return list.dispatchEvent(event);
      });
    }, keys);
  assert.equal(
    await isTyped([
      ['t', 0],
      ['o', 300],
      [' ', 300],
      ['d', 300],
      [' ', 900],
    ]),
    true,
  );
  assert.equal(await findPicker(page).count(), 0);
  for (const keys of [
    [
      ['t', 0],
      [' ', 1_001],
    ],
    [
      ['t', 0],
      ['ArrowDown', 100],
      [' ', 100],
    ],
    [[' ', 5_000]],
  ] as const) {
    assert.equal(await isTyped(keys), false);
    await waitForFocus(findSearchField(page));
    await page.keyboard.press('Escape');
    await findPicker(page).waitFor({ state: 'detached' });
  }
});

test('Escape and Tab close the picker without changing anything', async () => {
  const { page } = me;
  const id = await addTask('Left alone', { assigneeId: myself.id });
  await page.goto(board);
  await findTitle(page, 'Left alone').focus();
  for (const [key, name] of [
    ['a', 'Assignee'],
    ['d', 'Deadline'],
    ['p', 'Priority'],
  ] as const) {
    await page.keyboard.press(key);
    await page.getByRole('dialog', { name, exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Escape');
    await findPicker(page).waitFor({ state: 'detached' });
    await waitForFocus(findTitle(page, 'Left alone'));
  }
  await page.keyboard.press('a');
  await waitForFocus(findSearchField(page));
  await page.keyboard.press('Tab');
  await findPicker(page).waitFor({ state: 'detached' });
  assert.equal(await page.evaluate(() => document.activeElement?.closest('.picker')), null);
  assert.equal((await readTask(id)).assignee?.id, myself.id);
});

test('pressing D opens a date picker that accepts typed dates and days selected in the month grid', async () => {
  const { page, problems } = me;
  const id = await addTask('Dated by key');
  await page.goto(board);
  const today = (await page.locator('.pickers').getAttribute('data-today')) ?? '';
  const addDaysToToday = (days: number) =>
    new Date(Date.parse(`${today}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
  for (const [text, date] of [
    ['tomorrow', addDaysToToday(1)],
    ['+3d', addDaysToToday(3)],
    ['24 dec 2031', '2031-12-24'],
  ] as const) {
    await findTitle(page, 'Dated by key').focus();
    await page.keyboard.press('d');
    await waitForFocus(findSearchField(page));
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
    await waitForSave(page, 'Deadline:');
    await page.locator('form[aria-busy]').waitFor({ state: 'detached' });
    assert.equal((await readTask(id)).deadline, date, text);
  }
  await findTitle(page, 'Dated by key').focus();
  await page.keyboard.press('d');
  await waitForFocus(findSearchField(page));
  await page.keyboard.type('not a day');
  await page.keyboard.press('Enter');
  await findPicker(page).getByText('Try “fri”').waitFor();
  await findSearchField(page).fill('');
  const grid = findPicker(page).getByRole('grid', { name: 'December 2031' });
  for (const _ of ['previous month', 'next month', 'days']) await page.keyboard.press('Tab');
  await waitForFocus(grid.getByRole('button', { name: '24 December 2031' }));
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('PageDown');
  await waitForFocus(findPicker(page).getByRole('button', { name: '30 January 2032' }));
  await page.keyboard.press('Tab');
  await waitForFocus(findSearchField(page));
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await findPicker(page).waitFor({ state: 'detached' });
  await waitForSave(page, '30 January 2032');
  assert.equal((await readTask(id)).deadline, '2032-01-30');
  assert.deepEqual(problems, []);
});

test('pressing L opens a tag picker that saves all its changes when it closes', async () => {
  const { page, problems } = me;
  const id = await addTask('Tagged by key', { tags: ['kept', 'dropped'] });
  await page.goto(board);
  await findTitle(page, 'Tagged by key').focus();
  await page.keyboard.press('l');
  await waitForFocus(findSearchField(page));
  const list = findPicker(page).getByRole('listbox', { name: 'Tags' });
  assert.equal(await list.getAttribute('aria-multiselectable'), 'true');
  await findPicker(page).getByRole('option', { name: 'kept', selected: true }).waitFor();
  await page.keyboard.type('dropped');
  await page.keyboard.press('Enter');
  await findPicker(page).getByRole('option', { name: 'dropped', selected: false }).waitFor();
  assert.equal(await findSearchField(page).inputValue(), '');
  await page.keyboard.type(`new ${run}`);
  await findPicker(page)
    .getByRole('option', { name: `Add “new ${run}”` })
    .waitFor();
  await page.keyboard.press('Enter');
  const sent = await holdFirstRequest(page, `**/tasks/${id}/tags`);
  await page.keyboard.press('Escape');
  const held = await sent.held;
  await waitForFocus(findTitle(page, 'Tagged by key'));
  assert.deepEqual(await findPickerButton(page, 'Tagged by key', 'tags').locator('.tag').allTextContents(), [
    'kept',
    `new ${run}`,
  ]);
  await held.continue();
  await waitForSave(page, 'Tags changed');
  assert.deepEqual((await readTask(id)).tags, ['kept', `new ${run}`]);
  await page.keyboard.press('z');
  await findPickerButton(page, 'Tagged by key', 'tags').filter({ hasText: 'dropped' }).waitFor();
  assert.deepEqual((await readTask(id)).tags, ['kept', 'dropped']);
  assert.deepEqual(problems, []);
});

test("tags that have changed since the picker opened aren't overwritten", async () => {
  const { page } = me;
  const id = await addTask('Tagged by two', { tags: ['first'] });
  await page.goto(board);
  await findPickerButton(page, 'Tagged by two', 'tags').click();
  await findPicker(page).getByRole('option', { name: 'first', selected: true }).click();
  await me.ask(`/tasks/${id}`, { tags: ['theirs'] }, 'PATCH');
  await page.keyboard.press('Escape');
  await page.locator('#toast:not(:empty)').waitFor();
  await findPickerButton(page, 'Tagged by two', 'tags').filter({ hasText: 'theirs' }).waitFor();
  assert.deepEqual((await readTask(id)).tags, ['theirs']);
  // The browser logs the rejected request as an error.
  assert.equal(me.problems.splice(0).length, 1);
});

test('text typed while the picker loads appears in its search field', async () => {
  const name = 'Typed early';
  const id = await addTask(name);
  const { page, close } = await visit(browser, {
    storageState: await me.page.context().storageState(),
    viewport,
  });
  await page.goto(board);
  await page.locator('html[data-pickers]').waitFor();
  await findTitle(page, name).focus();
  const script = await holdFirstRequest(page, '**/assets/picker-*.js');
  await page.keyboard.press('d');
  const held = await script.held;
  // On the board, the letter E would complete the task.
  await page.keyboard.type('wednesday');
  await held.continue();
  await waitForFocus(findSearchField(page));
  assert.equal(await findSearchField(page).inputValue(), 'wednesday');
  await page.keyboard.press('Enter');
  await waitForSave(page, 'Deadline: Wednesday');
  assert.notEqual((await readTask(id)).deadline, null);
  await close();
});

test('Escape cancels a picker that is still loading', async () => {
  await addTask('Canceled early');
  const { page, close } = await visit(browser, {
    storageState: await me.page.context().storageState(),
    viewport,
  });
  await page.goto(board);
  await page.locator('html[data-pickers]').waitFor();
  const script = await holdFirstRequest(page, '**/assets/picker-*.js');
  await findTitle(page, 'Canceled early').focus();
  await page.keyboard.press('p');
  const held = await script.held;
  await page.keyboard.press('Escape');
  await held.continue();
  await page.keyboard.press('d');
  await waitForFocus(findSearchField(page));
  assert.equal(await findPicker(page).count(), 1);
  assert.equal(await findSearchField(page).getAttribute('aria-label'), 'Deadline');
  await close();
});

test('the page still refreshes after a value is changed twice in quick succession', async () => {
  const { page } = me;
  const id = await addTask('Chosen twice');
  await page.goto(board);
  const sent = await holdFirstRequest(page, `**/tasks/${id}`);
  for (const name of ['High', 'Low']) {
    await findTitle(page, 'Chosen twice').focus();
    await page.keyboard.press('p');
    await findPicker(page).getByRole('option', { name }).click();
  }
  await (await sent.held).continue();
  await waitForSave(page, 'Low priority');
  await page.locator('form.picked').first().waitFor({ state: 'detached' });
  await me.ask(`/tasks/${id}`, { name: makeUnique('Renamed by others') }, 'PATCH');
  await findTitle(page, 'Renamed by others').waitFor();
  assert.equal((await readTask(id)).priority, 'low');
});

test("tags selected while other tags are being saved don't replace them", async () => {
  const { page } = me;
  const id = await addTask('Tagged twice', { tags: ['kept'] });
  await page.goto(board);
  const addTag = async (name: string) => {
    await findSearchField(page).fill(name);
    await findPicker(page)
      .getByRole('option', { name: `Add “${name}”` })
      .waitFor();
    await page.keyboard.press('Enter');
  };
  await findTitle(page, 'Tagged twice').focus();
  await page.keyboard.press('l');
  await addTag(`one ${run}`);
  const sent = await holdFirstRequest(page, `**/tasks/${id}/tags`);
  await page.keyboard.press('Escape');
  const held = await sent.held;
  await page.keyboard.press('l');
  await waitForFocus(findSearchField(page));
  await held.continue();
  await findPicker(page)
    .getByRole('option', { name: `one ${run}`, selected: true })
    .waitFor();
  await addTag(`two ${run}`);
  await page.keyboard.press('Escape');
  await pollUntil(async () => (await readTask(id)).tags.includes(`two ${run}`));
  assert.deepEqual((await readTask(id)).tags, ['kept', `one ${run}`, `two ${run}`]);
});

test('the picker keys also work on a task page and its subtasks', async () => {
  const { page, problems } = me;
  const id = await addTask('On its page');
  const child = await addTask('Below it', { parentId: id });
  await page.goto(`${base}/tasks/${id}`);
  await page.keyboard.press('p');
  await waitForFocus(findSearchField(page));
  await page.keyboard.type('high');
  await page.keyboard.press('Enter');
  await waitForSave(page, 'High priority');
  assert.equal(await page.locator('select[name="priority"]').inputValue(), 'high');
  await page.keyboard.press('s');
  await waitForFocus(findSearchField(page));
  await page.keyboard.type('in progress');
  await page.keyboard.press('Enter');
  await waitForSave(page, 'Status changed');
  assert.equal((await readTask(id)).status, 'in_progress');
  await page.locator(`#subtask-${child} a`).first().focus();
  await page.keyboard.press('d');
  await waitForFocus(findSearchField(page));
  await page.keyboard.type('tomorrow');
  await page.keyboard.press('Enter');
  await waitForSave(page, 'Deadline:');
  assert.notEqual((await readTask(child)).deadline, null);
  assert.equal((await readTask(id)).deadline, null);
  await page.locator('#new-comment').focus();
  await page.keyboard.type('adpl');
  assert.equal(await page.locator('#new-comment').inputValue(), 'adpl');
  await page.locator('#new-comment').fill('');
  assert.equal(await findPicker(page).count(), 0);
  assert.deepEqual(problems, []);
});

test('clicking a value on a card, in the list or on My work opens a picker', async () => {
  const { page, problems } = me;
  const id = await addTask('By pointer', { assigneeId: myself.id, deadline: '2020-01-02' });
  await page.goto(board);
  await findPickerButton(page, 'By pointer', 'deadline').click();
  assert.equal(page.url(), board);
  await findPicker(page).getByRole('option', { name: 'Tomorrow' }).click();
  await waitForSave(page, 'Deadline:');
  await page.goto(`${base}/tasks?q=${run}`);
  const cell = page.locator(`#cell-${id}-assignee`);
  await cell.click();
  await findPicker(page).getByRole('option', { name: colleague.name }).click();
  await cell.filter({ hasText: colleague.name }).waitFor();
  await waitForSave(page, `Assigned to ${colleague.name}`);
  await waitForFocus(cell);
  await page.locator(`#cell-${id}-assignee`).click();
  await findPicker(page).getByRole('option', { name: 'Assign to me' }).click();
  await waitForSave(page, `Assigned to ${myself.name}`);
  await page.locator(`#cell-${id}-priority`).click();
  await findPicker(page).getByRole('option', { name: 'High' }).click();
  await waitForSave(page, 'High priority');
  // My work shows the earliest deadlines first, so this task is on its first page.
  const mine = await addTask('Long overdue', { assigneeId: myself.id, deadline: '2019-01-02' });
  await page.goto(base);
  const row = page.locator(`#task-${mine}`);
  await row.locator('[data-pick="deadline"]').click();
  await findPicker(page).getByRole('option', { name: 'No date' }).click();
  await waitForSave(page, 'Deadline removed');
  const stored = await readTask(id);
  assert.deepEqual([stored.assignee?.id, stored.priority], [myself.id, 'high']);
  assert.equal((await readTask(mine)).deadline, null);
  assert.deepEqual(problems, []);
});

test('the picker has no accessibility problems and fits a window 320 pixels wide', async () => {
  // My work shows the earliest deadlines first, so this task is on its first page.
  const id = await addTask('Small', { deadline: '2019-01-02', assigneeId: myself.id });
  const { page, close } = await visit(browser, {
    storageState: await me.page.context().storageState(),
    viewport: { width: 320, height: 640 },
  });
  await page.goto(base);
  const row = page.locator(`#task-${id}`);
  for (const [key, name] of [
    ['a', 'Assignee'],
    ['d', 'Deadline'],
    ['p', 'Priority'],
    ['l', 'Tags'],
  ] as const) {
    await row.locator('.row-name').focus();
    await page.keyboard.press(key);
    const dialog = page.getByRole('dialog', { name, exact: true });
    await dialog.waitFor();
    assert.deepEqual(await findAxeProblems(page), [], name);
    assert.ok((await measureOverflow(page)) <= 0, name);
    const box = await dialog.boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= 320 && box.y + box.height <= 640, name);
    await page.keyboard.press('Escape');
  }
  await close();
});

test('a rejected choice is rolled back, and the reason is shown', async () => {
  const { page } = me;
  const id = await addTask('Refused', { assigneeId: myself.id });
  await page.goto(board);
  await findPickerButton(page, 'Refused', 'assignee').click();
  await findPicker(page).getByRole('option', { name: colleague.name }).waitFor();
  await page.evaluate(() => {
    const getFormField = () => document.querySelector<HTMLInputElement>('form.picked [name="assigneeId"]');
    document.addEventListener('submit', () => getFormField()?.setAttribute('value', 'usr_unknown'), {
      capture: true,
    });
  });
  await findPicker(page).getByRole('option', { name: colleague.name }).click();
  await page.locator('main [role="alert"]').waitFor();
  assert.match((await page.locator('#toast').textContent()) ?? '', /not a member/);
  const avatar = findPickerButton(page, 'Refused', 'assignee').locator('.avatar');
  await avatar.and(page.getByTitle(myself.name)).waitFor();
  assert.equal((await readTask(id)).assignee?.id, myself.id);
  assert.equal(me.problems.splice(0).length, 1);
});

test('a choice that the server never received is rolled back, and can be resent', async () => {
  const { page } = me;
  const id = await addTask('Server gone', { deadline: '2020-01-02' });
  await page.goto(board);
  const before = await findPickerButton(page, 'Server gone', 'deadline').textContent();
  await findTitle(page, 'Server gone').focus();
  await page.keyboard.press('d');
  await waitForFocus(findSearchField(page));
  await page.context().setOffline(true);
  await page.keyboard.type('tomorrow');
  await page.keyboard.press('Enter');
  const retry = page.locator('#unsaved').getByRole('button', { name: 'Retry' });
  await retry.waitFor();
  assert.equal(await findPickerButton(page, 'Server gone', 'deadline').textContent(), before);
  assert.equal((await readTask(id)).deadline, '2020-01-02');
  await page.context().setOffline(false);
  await retry.click();
  await findPickerButton(page, 'Server gone', 'deadline').filter({ hasText: 'Tomorrow' }).waitFor();
  assert.notEqual((await readTask(id)).deadline, '2020-01-02');
});

test("a page with an open picker shows other people's changes once the picker is closed", async () => {
  const { page } = me;
  const other = await openColleague(browser, server.origin, demo.member, { viewport });
  const id = await addTask('Seen by both', { deadline: '2020-01-02' });
  await page.goto(board);
  await other.page.goto(board);
  await findTitle(page, 'Seen by both').focus();
  await page.keyboard.press('d');
  await waitForFocus(findSearchField(page));
  await page.keyboard.type('31 dec');
  await other.ask(`/tasks/${id}`, { priority: 'high' }, 'PATCH');
  await findCard(other.page, makeUnique('Seen by both')).locator('.bars.high').waitFor();
  assert.equal(await findSearchField(page).inputValue(), '31 dec');
  assert.equal(await findCard(page, makeUnique('Seen by both')).locator('.bars.high').count(), 0);
  await page.keyboard.press('Enter');
  await findCard(page, makeUnique('Seen by both')).locator('.bars.high').waitFor();
  await findPickerButton(other.page, 'Seen by both', 'deadline').filter({ hasText: '31 Dec' }).waitFor();
  await other.close();
});

test('without JavaScript, the values on a card link to pages that edit them', async () => {
  const id = await addTask('Without a script', { deadline: '2020-01-02', tags: ['old'] });
  const { page, close } = await visit(browser, {
    storageState: await me.page.context().storageState(),
    viewport,
    javaScriptEnabled: false,
  });
  await page.goto(board);
  await findPickerButton(page, 'Without a script', 'deadline').click();
  await page.waitForURL(`${base}/tasks/${id}`);
  await page.goto(board);
  await findPickerButton(page, 'Without a script', 'tags').click();
  await page.getByLabel('Tags').fill('old, new');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(`${base}/tasks/${id}`);
  assert.deepEqual((await readTask(id)).tags, ['old', 'new']);
  await close();
});
