// This file is long because every kind of field can lose text in a different way while a save is in progress.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { interceptForms, typeInto, waitUntilSettled } from './auto-saved-controls.ts';
import { endInterceptions, interceptRequests } from './intercept.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { type Colleague, openColleague } from './team.ts';
import { getWorkspaceUrl } from './visit.ts';

const { server, browser } = await openServerAndBrowser();

interface Task {
  readonly id: number;
  readonly name: string;
  readonly deadline: string | null;
  readonly priority: string;
  readonly customEstimatedHours: string | null;
}

let me: Colleague;
let base: string;

before(async () => {
  me = await openColleague(browser, server.origin, 'lead@demo.test', {
    locale: 'en-US',
    viewport: { width: 1280, height: 900 },
  });
  base = await getWorkspaceUrl(me.page, server.origin);
});

async function openTask(name = 'Saved beside others') {
  const { page, ask } = me;
  await endInterceptions(page);
  const interception = await interceptForms(page);
  const { id } = await ask<Task>('/tasks', { projectId: 1, name });
  await page.goto(`${base}/tasks/${id}`);
  const findField = (of: string) => page.locator(`form[data-auto] [name="${of}"]`);
  const readTask = () => ask<Task>(`/tasks/${id}`);
  const listEntries = async () => {
    const { data } = await ask<{ data: { type: string }[] }>(`/tasks/${id}/activities`);
    return data.filter(({ type }) => type.endsWith('_changed')).map(({ type }) => type);
  };
  return {
    id,
    page,
    interception,
    findField,
    readTask,
    listEntries,
    keyboard: page.keyboard,
  };
}

test('a half-typed date survives a page refresh', async () => {
  const { id, page, findField, readTask, listEntries, keyboard } = await openTask();
  const deadline = findField('deadline');
  await deadline.focus();
  await keyboard.type('1224');
  await me.ask(`/tasks/${id}/comments`, { content: 'Said by somebody else' });
  await page.locator('.comment', { hasText: 'Said by somebody else' }).waitFor();
  await keyboard.type('2026');
  await keyboard.press('Enter');
  await waitUntilSettled(page);
  assert.deepEqual([(await readTask()).deadline, await listEntries()], ['2026-12-24', ['deadline_changed']]);
});

test("an incomplete date shows an error, and isn't saved", async () => {
  const { id, page, interception, findField, readTask, keyboard } = await openTask();
  await me.ask(`/tasks/${id}`, { deadline: '2026-12-24' }, 'PATCH');
  await page.reload();
  await findField('deadline').focus();
  await keyboard.press('Backspace');
  await page.locator('#new-comment').focus();
  await page.getByText('Enter a complete date.').first().waitFor();
  assert.equal(await findField('deadline').getAttribute('aria-invalid'), 'true');
  assert.deepEqual([(await readTask()).deadline, interception.posts.length], ['2026-12-24', 0]);
});

test('a date selected in the date picker is saved immediately', async () => {
  const { page, readTask } = await openTask();
  await page.locator('form[data-auto] [data-pick="deadline"]').click();
  const picker = page.getByRole('dialog', { name: 'Deadline' });
  await picker.getByRole('button', { name: 'Next month' }).click();
  const day = picker.locator('[data-date$="-15"]');
  const date = await day.getAttribute('data-date');
  await day.click();
  await page.getByText('set the deadline').last().waitFor();
  assert.equal((await readTask()).deadline, date);
});

test("a date selected in the browser's calendar is saved immediately", async () => {
  const { page, findField, readTask, keyboard } = await openTask();
  await findField('deadline').focus();
  // A key press shows the date field and its calendar button.
  await keyboard.press('ArrowRight');
  await findField('deadline').click();
  // Simulates the calendar, which changes the field without a key press.
  await findField('deadline').fill('2026-12-24');
  await page.getByText('set the deadline').last().waitFor();
  assert.equal((await readTask()).deadline, '2026-12-24');
});

test('text typed while a save is in progress stays in the field, and is saved next', async () => {
  const { page, interception, findField, readTask, keyboard } = await openTask();
  const name = findField('name');
  const release = interception.hold();
  await typeInto(name, 'text', 'Once');
  await keyboard.press('Enter');
  await keyboard.type(' and twice');
  await keyboard.press('ArrowLeft');
  release();
  await waitUntilSettled(page);
  const getCaret = () =>
    name.evaluate((area: HTMLTextAreaElement) => [document.activeElement === area, area.selectionStart]);
  assert.deepEqual([await name.inputValue(), await getCaret()], ['Once and twice', [true, 13]]);
  await keyboard.press('Enter');
  await waitUntilSettled(page);
  assert.deepEqual([(await readTask()).name, await name.inputValue()], ['Once and twice', 'Once and twice']);
});

test('text typed while a comment is being sent stays in the field, and the sent text is removed', async () => {
  const { id, page, interception, keyboard } = await openTask();
  const comment = page.locator('#new-comment');
  for (const [sent, typed] of [
    ['First thought', '\nNext thought'],
    ['Second thought', 'replaced'],
  ] as const) {
    const release = interception.hold();
    await comment.fill(sent);
    await page.getByRole('button', { name: 'Comment', exact: true }).click();
    await comment.focus();
    if (typed === 'replaced') await comment.fill(typed);
    else await keyboard.insertText(typed);
    release();
    await page.locator('.comment', { hasText: sent }).waitFor();
    await waitUntilSettled(page);
    assert.equal(await comment.inputValue(), typed);
    await me.ask(`/tasks/${id}/comments`, { content: `Refreshed after ${sent}` });
    await page.locator('.comment', { hasText: `Refreshed after ${sent}` }).waitFor();
    assert.equal(await comment.inputValue(), typed);
  }
});

test("an error message doesn't move focus or the caret out of the field", async () => {
  const { page, findField, keyboard } = await openTask();
  const hours = findField('customEstimatedHours');
  await typeInto(hours, 'text', 'a lot');
  await keyboard.press('Enter');
  await page.locator('[aria-invalid="true"]').waitFor();
  await keyboard.press('ControlOrMeta+A');
  await keyboard.type('4');
  await keyboard.press('Enter');
  await page.locator('[aria-invalid="true"]').waitFor({ state: 'detached' });
  await waitUntilSettled(page);
  assert.equal(await hours.inputValue(), '4');
});

test('a name pasted with line breaks becomes one line', async () => {
  const { page, findField, readTask, keyboard } = await openTask('From the\nAPI');
  const name = findField('name');
  assert.equal(await name.inputValue(), 'From the API');
  await name.focus();
  await keyboard.press('ControlOrMeta+A');
  await keyboard.insertText('Pasted\nfrom\nelsewhere');
  assert.equal(await name.inputValue(), 'Pasted from elsewhere');
  await keyboard.press('Enter');
  await waitUntilSettled(page);
  assert.equal((await readTask()).name, 'Pasted from elsewhere');
});

test('a change whose response was lost is stored only once after a retry', async () => {
  const { page, findField, readTask, listEntries, keyboard } = await openTask();
  const hours = findField('customEstimatedHours');
  const loseResponse = async (route: Route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await route.fetch({ maxRedirects: 0 });
    return route.abort('connectionfailed');
  };
  await interceptRequests(page, '**/app/**', loseResponse);
  await typeInto(hours, 'text', '3');
  await keyboard.press('Enter');
  await page.getByText("Couldn't save").waitFor();
  await page.waitForFunction(
    () => document.querySelector<HTMLInputElement>('[name="customEstimatedHours"]')?.value === '3',
  );
  await endInterceptions(page);
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.locator('#unsaved').waitFor({ state: 'detached' });
  await waitUntilSettled(page);
  assert.deepEqual(
    [(await readTask()).customEstimatedHours, await listEntries()],
    ['3', ['estimate_changed']],
  );
});

test('one Retry button resends several lost changes', async () => {
  const { page, interception, findField, listEntries } = await openTask();
  interception.disconnect();
  await findField('priority').selectOption('high');
  await page.getByText("Couldn't save").waitFor();
  await findField('status').selectOption('in_progress');
  await page.waitForFunction(
    () => document.querySelector<HTMLSelectElement>('select[name="status"]')?.value === 'todo',
  );
  interception.reconnect();
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.locator('#unsaved').waitFor({ state: 'detached' });
  await waitUntilSettled(page);
  assert.deepEqual((await listEntries()).sort(), ['priority_changed', 'status_changed']);
});

test('a cell of the task list that is opened while another cell is being saved stays open', async () => {
  const { page, ask } = me;
  await endInterceptions(page);
  const interception = await interceptForms(page);
  const name = `Cells ${Date.now().toString(36)}`;
  const { id } = await ask<Task>('/tasks', { projectId: 1, name });
  await page.goto(`${base}/tasks?project=1&q=${encodeURIComponent(name)}`);
  const release = interception.hold();
  await page.locator(`a#cell-${id}-priority`).click();
  await page.getByRole('dialog').getByRole('option', { name: 'High' }).click();
  await page.locator(`a#cell-${id}-status`).click();
  await page.locator(`select#cell-${id}-status`).waitFor();
  release();
  // An open list blocks refreshes.
  await page.keyboard.press('Escape');
  await page.locator(`a#cell-${id}-priority`, { hasText: 'High' }).waitFor();
  await waitUntilSettled(page);
  assert.equal(await page.locator(`select#cell-${id}-status`).count(), 1);
  assert.equal((await ask<Task>(`/tasks/${id}`)).priority, 'high');
});

async function selectDueDate(page: Page, date: string) {
  await page.locator('form.filters').getByRole('button', { name: 'Filter', exact: true }).click();
  await page.getByRole('dialog', { name: 'Filter' }).getByRole('option', { name: 'Due from' }).click();
  const picker = page.getByRole('dialog', { name: 'Due from' });
  await picker.getByRole('combobox').fill(date);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.searchParams.get('from') === date);
  await page.locator('form.filters .chip.set [name="from"]').waitFor();
}

for (const [path, name] of [
  ['/tasks?project=1', 'from'],
  ['/time-report', 'from'],
  ['/dashboard', 'from'],
]) {
  test(`the date filter on ${path} applies once a date is complete, and rejects dates before 1970`, async () => {
    const { page } = me;
    await endInterceptions(page);
    await page.goto(base + path);
    // The task list shows a date field only after its filter has been added.
    if (path === '/tasks?project=1') await selectDueDate(page, '2026-01-23');
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes(`${name}=`) && request.method() === 'GET') asked.push(request.url());
    });
    const field = page.locator(`form.filters [name="${name}"]`);
    await typeInto(field, 'date', '2026-01-24');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get(name ?? '') === '2026-01-24');
    assert.equal(new Set(asked.filter((url) => !url.includes('2026-01-24'))).size, 0, asked.join('\n'));
    await typeInto(field, 'date', '0202-12-24');
    await page.locator('form.filters [type="search"], .head a').first().focus();
    await page.getByText('Enter a date in 1970 or later.').first().waitFor();
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
    assert.equal(await field.evaluate((each) => each === document.activeElement), false);
    assert.equal(
      asked.some((url) => url.includes('0202')),
      false,
    );
    page.removeAllListeners('request');
  });
}
