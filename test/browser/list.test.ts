// This file is long because each test repeats the setup of a browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import names from '../../src/web/page-model/asset-names.json' with { type: 'json' };
import { movePointerTo, selectFilter } from './boards.ts';
import { holdFirstRequest } from './intercept.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { findAxeProblems, getWorkspaceUrl, signIn, visit } from './visit.ts';

const { server, browser } = await openServerAndBrowser();

test('rows of the task list can be selected with Shift and edited in bulk, and cells can be edited in place', async () => {
  const storageState = await signIn(browser, server.origin);
  const viewport = { width: 1280, height: 800 };
  const { page, problems, close } = await visit(browser, { storageState, viewport });
  const list = `${await getWorkspaceUrl(page, server.origin)}/tasks?project=1`;
  await page.goto(list);
  const ticks = page.locator('input[name="ids"][form]');
  const bar = page.getByRole('form', { name: 'Edit selected tasks' });
  assert.equal(await bar.isVisible(), false);
  await ticks.nth(1).click();
  await ticks.nth(4).click({ modifiers: ['Shift'] });
  await bar.getByText('4 selected').waitFor();
  const rows = page.locator('tbody tr');
  const ids = await Promise.all([1, 4].map((at) => rows.nth(at).getAttribute('id')));
  const isLow = await rows.nth(1).getByText('Low', { exact: true }).isVisible();
  const priority = isLow ? 'High' : 'Low';
  await bar.getByLabel('Priority').selectOption(priority);
  await bar.getByRole('button', { name: 'Apply', exact: true }).click();
  for (const id of ids) await page.locator(`#${id}`).getByText(priority, { exact: true }).waitFor();
  await bar.waitFor({ state: 'hidden' });
  assert.equal(page.url(), list);

  const cell = page.locator(`#${ids[0]?.replace('task', 'cell')}-status`);
  await cell.focus();
  await page.keyboard.press('Enter');
  const select = page.locator(`select#${await cell.getAttribute('id')}`);
  await select.waitFor();
  assert.equal(await select.evaluate((field) => field === document.activeElement), true);
  const isInReview = (await select.locator('option:checked').textContent()) === 'Client review';
  const next = isInReview ? 'In progress' : 'Client review';
  await select.selectOption(next);
  await page.locator(`a#${await cell.getAttribute('id')}`, { hasText: next }).waitFor();
  assert.equal(await cell.evaluate((link) => link === document.activeElement), true);
  await page.keyboard.press('Enter');
  await select.waitFor();
  // The first Escape closes the open list.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await select.waitFor({ state: 'detached' });
  assert.equal(page.url(), list);

  await page.locator('summary', { hasText: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Priority', exact: true }).uncheck();
  await page.getByRole('checkbox', { name: 'Tags', exact: true }).check();
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('columnheader', { name: 'Tags' }).waitFor();
  assert.equal(await page.getByRole('columnheader', { name: 'Priority' }).count(), 0);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  assert.equal((await download).suggestedFilename(), 'tasks.csv');
  assert.deepEqual(problems, []);
  await close();
});

for (const javaScriptEnabled of [true, false]) {
  test(`tags and a due time can be set in bulk with the keyboard on a 390 px phone (${javaScriptEnabled ? 'with' : 'without'} JavaScript)`, async () => {
    const storageState = await signIn(browser, server.origin);
    const { page, problems, close } = await visit(browser, {
      storageState,
      javaScriptEnabled,
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    });
    await page.goto(`${await getWorkspaceUrl(page, server.origin)}/tasks?project=1`);
    const tag = `bulk ${javaScriptEnabled} ${Date.now().toString(36)}`;
    const ticks = page.locator('input[name="ids"][form]');
    const id = await ticks.first().getAttribute('value');
    await ticks.first().focus();
    await page.keyboard.press('Space');
    const bar = page.getByRole('form', { name: 'Edit selected tasks' });
    await bar.locator('input[name="deadline"]').fill('2027-03-04');
    await bar.locator('summary', { hasText: 'More' }).focus();
    await page.keyboard.press('Enter');
    await bar.getByLabel('Add tags').fill(tag);
    await bar.getByLabel('Due time').fill('17:30');
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    if (javaScriptEnabled) assert.deepEqual(await findAxeProblems(page), []);
    await bar.getByLabel('Due time').press('Enter');
    const row = page.locator(`#task-${id}`);
    await row.getByText(tag).waitFor();
    await row.getByText('17:30').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.getByText(tag).waitFor({ state: 'detached' });
    assert.deepEqual(problems, []);
    await close();
  });
}

test('the task list opens only the cell that was clicked last, and Back and Forward restore the filters', async () => {
  const storageState = await signIn(browser, server.origin);
  const { page, problems, close } = await visit(browser, { storageState });
  await page.goto(`${await getWorkspaceUrl(page, server.origin)}/tasks?project=1`);
  await selectFilter(page, 'Priority', 'High');
  await page.waitForURL(/priority=high/);
  const filtered = page.url();
  const cells = page.locator('a[data-in-place][id$="-status"]');
  const [first, second] = await Promise.all([0, 1].map((at) => cells.nth(at).getAttribute('id')));
  const asked = await holdFirstRequest(page, '**/tasks?*');
  await page.locator(`#${first}`).click();
  const late = await asked.held;
  await page.locator(`#${second}`).click();
  await page.locator(`select#${second}`).waitFor();
  await late.continue();
  await (await late.request().response())?.finished();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  assert.equal(await page.locator(`select#${second}`).count(), 1);
  assert.equal(await page.locator(`select#${first}`).count(), 0);
  // The first Escape closes the open list.
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.waitForURL(filtered);
  await page.goBack();
  await page.waitForFunction(
    () => document.querySelector<HTMLSelectElement>('#filter-priority')?.value === '',
  );
  await page.goForward();
  await page.waitForFunction(
    () => document.querySelector<HTMLSelectElement>('#filter-priority')?.value === 'high',
  );
  assert.deepEqual(problems, []);
  await close();
});

test('long select lists can be searched with only the keyboard', async () => {
  const storageState = await signIn(browser, server.origin);
  const { page, problems, close } = await visit(browser, { storageState });
  const base = await getWorkspaceUrl(page, server.origin);
  const cut: readonly (readonly [
    field: string,
    find: string,
    lists: string,
    asked: string,
    pattern: RegExp,
  ])[] = [
    ['find-assignee', '/people/find', 'People', 'demo.test', /^assignee=usr_\w+$/],
    ['find-project-project', '/projects/find', 'Projects', 'e', /^project=\d+$/],
  ];
  for (const [name, find, lists, asked, pattern] of cut) {
    await page.goto(`${base}/tasks`);
    // The demo's lists are too short for a search field, so the test adds the search field of searchable-select.tsx.
    await page.evaluate(
      ([name = '', finds = '', lists = '', module = '']) => {
        const field = document.createElement('input');
        Object.assign(field, { name, id: name, ariaLabel: name });
        Object.assign(field.dataset, { finds, lists, module });
        document.querySelector('form.filters')?.prepend(field);
        field.focus();
      },
      [name, base + find, lists, names.nameFields],
    );
    const { keyboard } = page;
    await keyboard.type(asked);
    const list = page.getByRole('listbox', { name: lists });
    await list.waitFor();
    const first = await list.getByRole('option', { selected: true }).textContent();
    await keyboard.press('ArrowDown');
    assert.notEqual(await list.getByRole('option', { selected: true }).textContent(), first);
    await keyboard.press('Enter');
    await page.waitForURL((url) =>
      url.search
        .slice(1)
        .split('&')
        .some((part) => pattern.test(part)),
    );
  }
  assert.deepEqual(problems, []);
  await close();
});

test("a deadline in the calendar can be dragged to another day, and switching months doesn't reload the page", async () => {
  const storageState = await signIn(browser, server.origin);
  const { page, problems, close } = await visit(browser, {
    storageState,
    viewport: { width: 1280, height: 1200 },
  });
  const base = await getWorkspaceUrl(page, server.origin);
  await page.goto(`${base}/calendar?who=all`);
  const item = page.locator('.day-items > li[data-form="move-deadline"]').first();
  const id = await item.getAttribute('data-id');
  const from = await item.evaluate((each) => each.closest<HTMLElement>('ul')?.dataset.date);
  const target = page.locator(`.day-items:not([data-date="${from}"])`).nth(9);
  const to = await target.getAttribute('data-date');
  const [start, end] = [await item.boundingBox(), await target.boundingBox()];
  assert.ok(start && end);
  await movePointerTo(page, { x: start.x + 40, y: start.y + 8 });
  await page.mouse.down();
  await page.mouse.move(start.x + 60, start.y + 20, { steps: 4 });
  const answered = page.waitForResponse((answer) => answer.request().method() === 'POST');
  await page.mouse.move(end.x + end.width / 2, end.y + 12, { steps: 12 });
  const moved = page.locator(`.day-items[data-date="${to}"] > li[data-id="${id}"]`);
  // While an item is dragged, the page checks the pointer's position only every 50 ms.
  await moved.first().waitFor();
  await page.mouse.up();
  await answered;
  await moved.waitFor();
  await page.reload();
  await moved.waitFor();

  const month = await page.getByRole('heading', { level: 1 }).textContent();
  await page.evaluate(() => document.body.setAttribute('data-same', ''));
  await page.getByRole('link', { name: 'Next month' }).click();
  await page.waitForFunction((before) => document.querySelector('h1')?.textContent !== before, month);
  assert.equal(await page.locator('body[data-same]').count(), 1);
  assert.deepEqual(problems, []);
  await close();
});

/** The maximum height of one row of filters. With JavaScript, the filters take up to two rows. */
const ROW_HEIGHT_MAX_PX = 50;

for (const javaScriptEnabled of [true, false]) {
  test(`${javaScriptEnabled ? 'with JavaScript, a filter is hidden until it is set' : 'without JavaScript, a filter is hidden on phones until it is set'}`, async () => {
    const storageState = await signIn(browser, server.origin);
    const { page, close } = await visit(browser, {
      storageState,
      javaScriptEnabled,
      viewport: { width: 390, height: 844 },
    });
    const base = await getWorkspaceUrl(page, server.origin);
    for (const path of ['/projects/1', '/tasks?project=1']) {
      await page.goto(base + path);
      const filters = page.locator('form.filters');
      const priority = filters.locator('select[name="priority"]');
      assert.equal(await priority.isVisible(), false, `${path}: nothing is set`);
      assert.ok(
        ((await filters.boundingBox())?.height ?? 0) < ROW_HEIGHT_MAX_PX * (javaScriptEnabled ? 2 : 1),
      );
      await filters.getByRole('searchbox').focus();
      await page.keyboard.press('Tab');
      if (javaScriptEnabled) await selectFilter(page, 'Priority', 'High');
      else {
        await page.keyboard.press('Enter');
        await priority.selectOption('High');
        await filters.getByRole('button', { name: 'Filter' }).click();
      }
      await page.waitForURL(/priority=high/);
      assert.equal(await priority.isVisible(), true, `${path}: one is set`);
      await page.setViewportSize({ width: 1280, height: 800 });
      await filters.getByRole('link', { name: 'Clear' }).click();
      await page.waitForURL((url) => !url.search.includes('high'));
      assert.equal(await priority.isVisible(), !javaScriptEnabled, `${path}: at a desk`);
      assert.equal(await filters.locator('summary', { hasText: 'Filter' }).isVisible(), false);
      await page.setViewportSize({ width: 390, height: 844 });
    }
    await close();
  });
}
