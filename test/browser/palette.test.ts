// This file is long because its tests share the functions that open the palette and read its options.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { pollUntil } from '../support/timeout.ts';
import { findCard } from './boards.ts';
import { openBrowserAsOwner } from './browser-as-owner.ts';
import { holdFirstRequest, interceptRequests } from './intercept.ts';
import { demo } from './server.ts';
import { findAxeProblems, getAddressHeaders, measureOverflow, visit, waitForFocus } from './visit.ts';

const { server, browser, me, base, board, viewport, openPage } = await openBrowserAsOwner();
const run = Date.now().toString(36);

const makeUnique = (name: string) => `${name} ${run}`;
const findPalette = (page: Page) => page.getByRole('dialog', { name: 'Command palette' });
const findField = (page: Page) => findPalette(page).getByRole('combobox');
const findOptions = (page: Page) => findPalette(page).getByRole('option');
const findOption = (page: Page, name: string) => findOptions(page).filter({ hasText: name }).first();
const findHighlighted = (page: Page) => findPalette(page).getByRole('option', { selected: true });
const readHighlightedName = (page: Page) => findHighlighted(page).locator('bdi').textContent();
const findTitle = (page: Page, name: string) => findCard(page, makeUnique(name)).locator('> a');

async function addTask(name: string, fields: object = {}): Promise<number> {
  return (await me.ask<{ id: number }>('/tasks', { projectId: 1, name: makeUnique(name), ...fields })).id;
}
const readTask = (id: number) =>
  me.ask<{ status: string; assignee: { name: string } | null }>(`/tasks/${id}`);

async function openWithShortcut(page: Page) {
  await page.keyboard.press('ControlOrMeta+k');
  await waitForFocus(findField(page));
}

test('Ctrl K opens the palette, whose keys follow the ARIA combobox pattern, and Escape closes it and restores focus', async () => {
  const id = await addTask('Focused');
  const { page, problems, close } = await openPage(`${board}?q=${run}`);
  await findTitle(page, 'Focused').focus();
  await openWithShortcut(page);
  assert.deepEqual(await findAxeProblems(page), []);
  assert.equal(await findField(page).getAttribute('aria-expanded'), 'true');
  const list = findPalette(page).getByRole('listbox');
  assert.equal(await findField(page).getAttribute('aria-controls'), await list.getAttribute('id'));
  const assertFollowed = async () =>
    assert.equal(
      await findField(page).getAttribute('aria-activedescendant'),
      await findHighlighted(page).getAttribute('id'),
    );
  await assertFollowed();
  const count = await findOptions(page).count();
  await page.keyboard.press('ArrowUp');
  assert.equal(
    await findOptions(page)
      .nth(count - 1)
      .getAttribute('aria-selected'),
    'true',
  );
  await assertFollowed();
  await page.keyboard.press('ArrowDown');
  assert.equal(await findOptions(page).first().getAttribute('aria-selected'), 'true');
  await page.keyboard.press('End');
  assert.equal(
    await findOptions(page)
      .nth(count - 1)
      .getAttribute('aria-selected'),
    'true',
  );
  await page.keyboard.press('Home');
  await assertFollowed();
  assert.equal(
    await findPalette(page)
      .getByRole('group', { name: makeUnique('Focused') })
      .count(),
    1,
  );
  // Shortcut keys are typed into the field, so they have no effect on the board.
  await page.keyboard.type('e1?');
  assert.equal(await findField(page).inputValue(), 'e1?');
  await page.keyboard.press('Escape');
  await findPalette(page).waitFor({ state: 'detached' });
  await waitForFocus(findTitle(page, 'Focused'));
  assert.equal((await readTask(id)).status, 'todo');
  assert.deepEqual(problems, []);
  await close();
});

test('the palette finds pages, tasks by name and number, projects and people', async () => {
  const id = await addTask('Quokka census');
  const { page, problems, close } = await openPage(base);
  await openWithShortcut(page);
  await page.keyboard.type('cal');
  assert.equal(await readHighlightedName(page), 'Calendar');
  await findField(page).fill('quokka cen');
  await findOption(page, makeUnique('Quokka census')).waitFor();
  assert.equal(await readHighlightedName(page), makeUnique('Quokka census'));
  assert.deepEqual(await findAxeProblems(page), []);
  await findField(page).fill(`#${id}`);
  await findHighlighted(page)
    .filter({ hasText: makeUnique('Quokka census') })
    .waitFor();
  await findField(page).fill('jonas');
  await findPalette(page).getByRole('group', { name: 'People' }).getByText('Jonas Weber').waitFor();
  await findField(page).fill('harbour');
  await findPalette(page).getByRole('group', { name: 'Projects' }).getByText('Harbour').first().waitFor();
  await findField(page).fill('setings');
  await findHighlighted(page).filter({ hasText: 'Settings' }).waitFor();
  await findField(page).fill('zyzzyva');
  await findPalette(page).getByText('No results for “zyzzyva”.').waitFor();
  await findField(page).fill(`${id}`);
  await findHighlighted(page)
    .filter({ hasText: makeUnique('Quokka census') })
    .waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: makeUnique('Quokka census') }).waitFor();
  await page.goto(base);
  await openWithShortcut(page);
  assert.equal(await readHighlightedName(page), makeUnique('Quokka census'));
  assert.equal(
    await findPalette(page).getByRole('group').first().getAttribute('aria-labelledby'),
    'palette-group-0',
  );
  assert.deepEqual(problems, []);
  await close();
});

test('a late search response never replaces the results for newer text', async () => {
  await addTask('Numbat early');
  await addTask('Wombat later');
  const { page, problems, close } = await openPage(base);
  await openWithShortcut(page);
  const { held } = await holdFirstRequest(page, '**/search?q=*');
  await page.keyboard.type('numbat');
  const route = await held;
  await findField(page).fill('wombat');
  await findOption(page, makeUnique('Wombat later')).waitFor();
  await route.continue();
  await page.waitForTimeout(300);
  assert.equal(await findOptions(page).filter({ hasText: 'Numbat' }).count(), 0);
  // The late response is displayed as soon as its text is typed again.
  await findField(page).fill('numbat');
  await findOption(page, makeUnique('Numbat early')).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: makeUnique('Numbat early') }).waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test('text typed while the palette loads is kept, and Enter opens the matching result', async () => {
  const { page, problems, close } = await openPage(base);
  const { held } = await holdFirstRequest(page, '**/assets/palette-*.js');
  await page.keyboard.press('ControlOrMeta+k');
  const route = await held;
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('caly');
  await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  assert.equal(await findPalette(page).count(), 0);
  await route.continue();
  await page.waitForURL('**/calendar');
  await openWithShortcut(page);
  await page.keyboard.press('ControlOrMeta+k');
  assert.equal(await findPalette(page).count(), 1);
  await waitForFocus(findField(page));
  assert.deepEqual(problems, []);
  await close();
});

test('the palette keeps typed text and runs commands while the server is down', async () => {
  const { page, close } = await openPage(board);
  const { held } = await holdFirstRequest(page, '**/assets/palette-*.js');
  await page.keyboard.press('ControlOrMeta+k');
  const route = await held;
  await page.keyboard.type('dark');
  await route.abort();
  await page.getByText("Couldn't open the dialog.").waitFor();
  assert.equal(
    await page.getByRole('link', { name: 'Open the page instead' }).getAttribute('href'),
    `${base}/search`,
  );
  await openWithShortcut(page);
  assert.equal(await findField(page).inputValue(), 'dark');
  await interceptRequests(page, '**/search?q=*', (route) => route.abort());
  await findField(page).fill('collapse');
  await findPalette(page).getByText("Couldn't search tasks").waitFor();
  assert.equal(await readHighlightedName(page), 'Collapse sidebar');
  await page.keyboard.press('Enter');
  await page.locator('html.narrow').waitFor();
  await close();
});

test('the palette runs the actions of the focused card or the open task page', async () => {
  const id = await addTask('At hand');
  const { page, problems, close } = await openPage(`${board}?q=${run}`, {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await findTitle(page, 'At hand').focus();
  await openWithShortcut(page);
  assert.equal(await findOption(page, 'Assign to…').locator('kbd').textContent(), 'a');
  await page.keyboard.type('assi');
  await page.keyboard.press('Enter');
  await waitForFocus(page.locator('.picker').getByRole('combobox'));
  await page.keyboard.press('Enter');
  await page.locator('#flash-message', { hasText: 'Assigned' }).waitFor();
  await waitForFocus(findTitle(page, 'At hand'));
  await openWithShortcut(page);
  await page.keyboard.type('copy');
  await page.keyboard.press('Enter');
  await page.getByText('Copied to clipboard').waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), `${base}/tasks/${id}`);
  await openWithShortcut(page);
  await page.keyboard.type('mark com');
  await page.keyboard.press('Enter');
  await page.locator('#flash-message', { hasText: 'Completed' }).waitFor();
  assert.equal((await readTask(id)).status, 'completed');
  await openWithShortcut(page);
  await page.keyboard.type('undo');
  await page.keyboard.press('Enter');
  await page.locator('#flash-message', { hasText: 'Undone' }).waitFor();
  assert.equal((await readTask(id)).status, 'todo');
  await page.goto(`${base}/tasks/${id}`);
  await openWithShortcut(page);
  await page.keyboard.type('duplic');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: `${makeUnique('At hand')} (copy)` }).waitFor({ state: 'attached' });
  await openWithShortcut(page);
  await page.keyboard.type('set dea');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Deadline', exact: true }).waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test('clicking the palette button opens the palette, and clicking a result or outside the palette closes it', async () => {
  const { page, problems, close } = await openPage(base);
  const button = page.getByRole('link', { name: 'Command palette' });
  await button.click();
  await waitForFocus(findField(page));
  await findPalette(page).getByRole('button', { name: 'Close' }).click();
  await findPalette(page).waitFor({ state: 'detached' });
  await waitForFocus(button);
  await button.click();
  await waitForFocus(findField(page));
  await page.mouse.click(20, 780);
  await findPalette(page).waitFor({ state: 'detached' });
  await button.click();
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    findOption(page, 'Dashboard').click({ modifiers: ['ControlOrMeta'] }),
  ]);
  await opened.waitForURL('**/dashboard');
  await findOption(page, 'Dashboard').click();
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
    await waitForFocus(findField(page));
    await findField(page).fill('pro');
    await findPalette(page).getByRole('group', { name: 'Commands' }).waitFor();
    assert.equal(await measureOverflow(page), 0);
    assert.deepEqual(await findAxeProblems(page), []);
    // The rows are replaced when results arrive, so the height is read repeatedly.
    const getHeight = async () => (await findOptions(page).first().boundingBox())?.height ?? 0;
    await pollUntil(async () => (await getHeight()) >= 44);
    await findOption(page, 'New project').tap();
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
  await openWithShortcut(page);
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
