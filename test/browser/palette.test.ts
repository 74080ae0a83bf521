// This file is long because it opens the palette by key and by pointer, with late responses, without the server, and at every size.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { pollUntil } from '../support/hang.ts';
import { card, holdFirstRequest } from './boards.ts';
import { openOwnerStage } from './owner-stage.ts';
import { findAxeProblems, getAddressHeaders, hasFocus, measureOverflow, visit } from './screens.ts';
import { demo } from './server.ts';

const { server, browser, me, base, board, viewport, openPage } = await openOwnerStage();
const run = Date.now().toString(36);

const toName = (name: string) => `${name} ${run}`;
const palette = (page: Page) => page.getByRole('dialog', { name: 'Command palette' });
const field = (page: Page) => palette(page).getByRole('combobox');
const options = (page: Page) => palette(page).getByRole('option');
const option = (page: Page, name: string) => options(page).filter({ hasText: name }).first();
const highlighted = (page: Page) => palette(page).getByRole('option', { selected: true });
const highlightedName = (page: Page) => highlighted(page).locator('bdi').textContent();
const title = (page: Page, name: string) => card(page, toName(name)).locator('> a');

async function addTask(name: string, fields: object = {}): Promise<number> {
  return (await me.ask<{ id: number }>('/tasks', { projectId: 1, name: toName(name), ...fields })).id;
}
const readTask = (id: number) =>
  me.ask<{ status: string; assignee: { name: string } | null }>(`/tasks/${id}`);

async function openByKey(page: Page) {
  await page.keyboard.press('ControlOrMeta+k');
  await hasFocus(field(page));
}

test('Ctrl K opens a combobox whose keys follow the ARIA pattern, and Escape returns focus', async () => {
  const id = await addTask('Focused');
  const { page, problems, close } = await openPage(`${board}?q=${run}`);
  await title(page, 'Focused').focus();
  await openByKey(page);
  assert.deepEqual(await findAxeProblems(page), []);
  assert.equal(await field(page).getAttribute('aria-expanded'), 'true');
  const list = palette(page).getByRole('listbox');
  assert.equal(await field(page).getAttribute('aria-controls'), await list.getAttribute('id'));
  const isFollowed = async () =>
    assert.equal(
      await field(page).getAttribute('aria-activedescendant'),
      await highlighted(page).getAttribute('id'),
    );
  await isFollowed();
  const count = await options(page).count();
  await page.keyboard.press('ArrowUp');
  assert.equal(
    await options(page)
      .nth(count - 1)
      .getAttribute('aria-selected'),
    'true',
  );
  await isFollowed();
  await page.keyboard.press('ArrowDown');
  assert.equal(await options(page).first().getAttribute('aria-selected'), 'true');
  await page.keyboard.press('End');
  assert.equal(
    await options(page)
      .nth(count - 1)
      .getAttribute('aria-selected'),
    'true',
  );
  await page.keyboard.press('Home');
  await isFollowed();
  assert.equal(
    await palette(page)
      .getByRole('group', { name: toName('Focused') })
      .count(),
    1,
  );
  // Single keys are typed, and don't reach the board.
  await page.keyboard.type('e1?');
  assert.equal(await field(page).inputValue(), 'e1?');
  await page.keyboard.press('Escape');
  await palette(page).waitFor({ state: 'detached' });
  await hasFocus(title(page, 'Focused'));
  assert.equal((await readTask(id)).status, 'todo');
  assert.deepEqual(problems, []);
  await close();
});

test('the palette finds pages, tasks by name and number, projects and people', async () => {
  const id = await addTask('Quokka census');
  const { page, problems, close } = await openPage(base);
  await openByKey(page);
  await page.keyboard.type('cal');
  assert.equal(await highlightedName(page), 'Calendar');
  await field(page).fill('quokka cen');
  await option(page, toName('Quokka census')).waitFor();
  assert.equal(await highlightedName(page), toName('Quokka census'));
  assert.deepEqual(await findAxeProblems(page), []);
  await field(page).fill(`#${id}`);
  await highlighted(page)
    .filter({ hasText: toName('Quokka census') })
    .waitFor();
  await field(page).fill('jonas');
  await palette(page).getByRole('group', { name: 'People' }).getByText('Jonas Weber').waitFor();
  await field(page).fill('harbour');
  await palette(page).getByRole('group', { name: 'Projects' }).getByText('Harbour').first().waitFor();
  await field(page).fill('setings');
  await highlighted(page).filter({ hasText: 'Settings' }).waitFor();
  await field(page).fill('zyzzyva');
  await palette(page).getByText('No results for “zyzzyva”.').waitFor();
  await field(page).fill(`${id}`);
  await highlighted(page)
    .filter({ hasText: toName('Quokka census') })
    .waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: toName('Quokka census') }).waitFor();
  await page.goto(base);
  await openByKey(page);
  assert.equal(await highlightedName(page), toName('Quokka census'));
  assert.equal(
    await palette(page).getByRole('group').first().getAttribute('aria-labelledby'),
    'palette-group-0',
  );
  assert.deepEqual(problems, []);
  await close();
});

test('a late response never replaces the results of newer text', async () => {
  await addTask('Numbat early');
  await addTask('Wombat later');
  const { page, problems, close } = await openPage(base);
  await openByKey(page);
  const { held } = await holdFirstRequest(page, '**/search?q=*');
  await page.keyboard.type('numbat');
  const route = await held;
  await field(page).fill('wombat');
  await option(page, toName('Wombat later')).waitFor();
  await route.continue();
  await page.waitForTimeout(300);
  assert.equal(await options(page).filter({ hasText: 'Numbat' }).count(), 0);
  // The late response is displayed as soon as its text is typed again.
  await field(page).fill('numbat');
  await option(page, toName('Numbat early')).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: toName('Numbat early') }).waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test('text typed while the palette loads is kept, and Enter opens its result', async () => {
  const { page, problems, close } = await openPage(base);
  const { held } = await holdFirstRequest(page, '**/assets/palette-*.js');
  await page.keyboard.press('ControlOrMeta+k');
  const route = await held;
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('caly');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  assert.equal(await palette(page).count(), 0);
  await route.continue();
  await page.waitForURL('**/calendar');
  await openByKey(page);
  await page.keyboard.press('ControlOrMeta+k');
  assert.equal(await palette(page).count(), 1);
  await hasFocus(field(page));
  assert.deepEqual(problems, []);
  await close();
});

test('commands work and typed text is kept while the server is down', async () => {
  const { page, close } = await openPage(board);
  const { held } = await holdFirstRequest(page, '**/assets/palette-*.js');
  await page.keyboard.press('ControlOrMeta+k');
  const route = await held;
  await page.keyboard.type('dark');
  await route.abort();
  await page.getByText("Couldn't load this.").waitFor();
  assert.equal(
    await page.getByRole('link', { name: 'Open the page instead' }).getAttribute('href'),
    `${base}/search`,
  );
  await openByKey(page);
  assert.equal(await field(page).inputValue(), 'dark');
  await page.route('**/search?q=*', (route) => route.abort());
  await field(page).fill('collapse');
  await palette(page).getByText("Couldn't search tasks").waitFor();
  assert.equal(await highlightedName(page), 'Collapse sidebar');
  await page.keyboard.press('Enter');
  await page.locator('html.narrow').waitFor();
  await close();
});

test('the palette runs the actions of the focused card or the open task page', async () => {
  const id = await addTask('At hand');
  const { page, problems, close } = await openPage(`${board}?q=${run}`, {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await title(page, 'At hand').focus();
  await openByKey(page);
  assert.equal(await option(page, 'Assign to…').locator('kbd').textContent(), 'a');
  await page.keyboard.type('assi');
  await page.keyboard.press('Enter');
  await hasFocus(page.locator('.picker').getByRole('combobox'));
  await page.keyboard.press('Enter');
  await page.locator('#flash-message', { hasText: 'Assigned' }).waitFor();
  await hasFocus(title(page, 'At hand'));
  await openByKey(page);
  await page.keyboard.type('copy');
  await page.keyboard.press('Enter');
  await page.getByText('Copied to clipboard').waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${base}/tasks/${id}`);
  await openByKey(page);
  await page.keyboard.type('mark com');
  await page.keyboard.press('Enter');
  await page.locator('#flash-message', { hasText: 'Completed' }).waitFor();
  assert.equal((await readTask(id)).status, 'completed');
  await openByKey(page);
  await page.keyboard.type('undo');
  await page.keyboard.press('Enter');
  await page.locator('#flash-message', { hasText: 'Undone' }).waitFor();
  assert.equal((await readTask(id)).status, 'todo');
  await page.goto(`${base}/tasks/${id}`);
  await openByKey(page);
  await page.keyboard.type('duplic');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: `${toName('At hand')} (copy)` }).waitFor({ state: 'attached' });
  await openByKey(page);
  await page.keyboard.type('set dea');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Deadline', exact: true }).waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test('clicking the button opens the palette, and clicking a result or outside closes it', async () => {
  const { page, problems, close } = await openPage(base);
  const button = page.getByRole('link', { name: 'Command palette' });
  await button.click();
  await hasFocus(field(page));
  await palette(page).getByRole('button', { name: 'Close' }).click();
  await palette(page).waitFor({ state: 'detached' });
  await hasFocus(button);
  await button.click();
  await hasFocus(field(page));
  await page.mouse.click(20, 780);
  await palette(page).waitFor({ state: 'detached' });
  await button.click();
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    option(page, 'Dashboard').click({ modifiers: ['ControlOrMeta'] }),
  ]);
  await opened.waitForURL('**/dashboard');
  await option(page, 'Dashboard').click();
  await page.waitForURL('**/dashboard');
  assert.deepEqual(problems, []);
  await close();
});

test('the palette fits a 320 px phone in both color schemes, and opens from the bottom bar', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, problems, close } = await openPage(base, {
      viewport: { width: 320, height: 640 },
      hasTouch: true,
      isMobile: true,
      colorScheme,
    });
    await page.getByRole('navigation', { name: 'Shortcuts' }).getByRole('link', { name: 'Search' }).tap();
    await hasFocus(field(page));
    await field(page).fill('pro');
    await palette(page).getByRole('group', { name: 'Commands' }).waitFor();
    assert.equal(await measureOverflow(page), 0);
    assert.deepEqual(await findAxeProblems(page), []);
    // Results that arrive replace the rows.
    const getHeight = async () => (await options(page).first().boundingBox())?.height ?? 0;
    await pollUntil(async () => (await getHeight()) >= 44);
    await option(page, 'New project').tap();
    await page.waitForURL('**/projects/new');
    assert.deepEqual(problems, []);
    await close();
  }
});

test('signing out from the palette clears the list of recently opened tasks', async () => {
  const id = await addTask('Private');
  const { page, close } = await visit(browser, {
    viewport,
    extraHTTPHeaders: getAddressHeaders('palette'),
  });
  await page.goto(`${server.origin}/sign-in`);
  await page.fill('#email', demo.owner);
  await page.fill('#password', demo.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'My work' }).waitFor();
  await page.goto(`${base}/tasks/${id}`);
  await page.waitForFunction(() => localStorage.getItem('edgework:recent-tasks') !== null);
  await openByKey(page);
  await page.keyboard.type('sign out');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => !url.pathname.startsWith('/app/'));
  assert.equal(await page.evaluate(() => localStorage.getItem('edgework:recent-tasks')), null);
  await close();
});

test('without JavaScript, the palette button opens the search page', async () => {
  const { page, close } = await openPage(base, { javaScriptEnabled: false });
  await page.getByRole('link', { name: 'Command palette' }).click();
  await page.getByRole('searchbox', { name: 'Search' }).waitFor();
  await close();
});
