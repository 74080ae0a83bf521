// This file is long because its tests share the functions that open the dialog and find the created tasks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { pollUntil } from '../support/timeout.ts';
import { openBrowserAsOwner } from './browser-as-owner.ts';
import { endInterceptions, holdFirstRequest, interceptRequests } from './intercept.ts';
import { demo } from './server.ts';
import { findAxeProblems, getAddressHeaders, measureOverflow, visit, waitForFocus } from './visit.ts';

const { server, browser, me, base, board, viewport, openPage } = await openBrowserAsOwner();
const run = Date.now().toString(36);

const makeUnique = (name: string) => `${name} ${run}`;
const findDialog = (page: Page) => page.getByRole('dialog', { name: 'New task' });
const findNameField = (page: Page) => findDialog(page).getByRole('textbox', { name: 'Task name' });
const findToast = (page: Page) => page.locator('#flash-message');

interface StoredTask {
  readonly priority: string;
  readonly isArchived: boolean;
  readonly project: { readonly id: number };
}

async function findTasks(name: string): Promise<readonly StoredTask[]> {
  const query = new URLSearchParams({ search: makeUnique(name), scope: 'all' });
  return (await me.ask<{ data: StoredTask[] }>(`/tasks?${query}`)).data;
}

async function openWithShortcut(page: Page) {
  await page.keyboard.press('c');
  await waitForFocus(findNameField(page));
}

test('the C shortcut creates a task in the current project, and a message links to the task and offers Undo', async () => {
  const { page, problems, close } = await openPage(board);
  const link = page.locator(`#${await page.locator('.cards > li > a').first().getAttribute('id')}`);
  await link.focus();
  await openWithShortcut(page);
  assert.equal(await findDialog(page).getByRole('combobox', { name: 'Project' }).inputValue(), '1');
  await page.keyboard.type(`${makeUnique('From the board')}, @jonas, tomorrow, high`);
  await findDialog(page)
    .getByText(/Jonas Weber · .* · High priority · /)
    .waitFor();
  assert.deepEqual(await findAxeProblems(page), []);
  await page.keyboard.press('Enter');
  await findDialog(page).waitFor({ state: 'detached' });
  await findToast(page)
    .getByText(`Added: ${makeUnique('From the board')} · Jonas Weber`)
    .waitFor();
  await waitForFocus(link);
  await page.locator('.cards > li', { hasText: makeUnique('From the board') }).waitFor();
  const [task] = await findTasks('From the board');
  assert.deepEqual([task?.priority, task?.project.id], ['high', 1]);
  await findToast(page).getByRole('link', { name: 'Open' }).click();
  await page.getByRole('dialog', { name: makeUnique('From the board') }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('z');
  await findToast(page).getByText('Undone').or(findToast(page).getByText('Archived')).first().waitFor();
  assert.deepEqual(await findTasks('From the board'), []);
  assert.equal(new URL(page.url()).pathname, new URL(board).pathname);
  assert.deepEqual(problems, []);
  await close();
});

test('Shift Enter in quick create keeps the dialog open, so the next task can be typed during the save', async () => {
  const { page, problems, close } = await openPage(board);
  await openWithShortcut(page);
  const { held } = await holdFirstRequest(page, '**/tasks/add');
  await page.keyboard.type(makeUnique('One'));
  await page.keyboard.press('Shift+Enter');
  const route = await held;
  await page.keyboard.type(makeUnique('Two'));
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.keyboard.type(makeUnique('Thr'));
  await route.continue();
  await findDialog(page)
    .getByText(`Added: ${makeUnique('Two')}`)
    .waitFor();
  assert.equal(await findNameField(page).inputValue(), makeUnique('Thr'));
  assert.equal((await findTasks('One')).length, 1);
  assert.equal((await findTasks('Two')).length, 1);
  await findDialog(page).getByRole('checkbox', { name: 'Create another' }).uncheck();
  await findNameField(page).fill(makeUnique('Three'));
  await findDialog(page).getByRole('button', { name: 'Create task' }).click();
  await findDialog(page).waitFor({ state: 'detached' });
  await findToast(page)
    .getByText(`Added: ${makeUnique('Three')}`)
    .waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test('text in quick create survives Escape, a reload, an error and a lost connection, and creates only one task', async () => {
  const { page, close } = await openPage(base);
  await openWithShortcut(page);
  await page.keyboard.type(makeUnique('Kept'));
  // A key pressed right after Escape is handled as a shortcut of the page.
  await page.keyboard.press('Escape');
  await openWithShortcut(page);
  assert.equal(await findNameField(page).inputValue(), makeUnique('Kept'));
  await page.reload();
  await openWithShortcut(page);
  await page.keyboard.type(', @nobody known');
  await page.keyboard.press('Enter');
  await findDialog(page).getByRole('alert').getByText('No one matches “nobody known”.').waitFor();
  await waitForFocus(findNameField(page));
  assert.equal(await findNameField(page).getAttribute('aria-invalid'), 'true');
  assert.deepEqual(await findAxeProblems(page), []);
  await findNameField(page).fill(makeUnique('Kept'));
  // The server creates the task, but its response is lost.
  await interceptRequests(page, '**/tasks/add', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch({ maxRedirects: 0 });
    await route.abort();
  });
  await page.keyboard.press('Enter');
  await findDialog(page).getByRole('alert').getByText("Couldn't reach the server.").waitFor();
  await page.reload();
  await endInterceptions(page);
  await openWithShortcut(page);
  assert.equal(await findNameField(page).inputValue(), makeUnique('Kept'));
  await page.keyboard.press('Enter');
  await findToast(page)
    .getByText(`Added: ${makeUnique('Kept')}`)
    .waitFor();
  assert.equal((await findTasks('Kept')).length, 1);
  await openWithShortcut(page);
  assert.equal(await findNameField(page).inputValue(), '');
  await close();
});

/** Holds the first request, adds the tasks with Enter, and closes the dialog. Returns the held request. */
async function submitWhileHeld(page: Page, names: readonly string[]) {
  const { held } = await holdFirstRequest(page, '**/tasks/add', 'POST');
  await openWithShortcut(page);
  for (const name of names) {
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
  }
  const route = await held;
  await page.keyboard.press('Escape');
  await findDialog(page).waitFor({ state: 'detached' });
  return route;
}

async function assertCreatedOnce(names: readonly string[]) {
  await pollUntil(async () => (await findTasks(names.at(-1) ?? '')).length > 0);
  for (const name of names) assert.equal((await findTasks(name)).length, 1, name);
}

const hasQueue = (page: Page) => page.evaluate(() => localStorage.getItem('edgework:queued-tasks') !== null);

test('tasks submitted on a slow connection are created even if the dialog is closed', async () => {
  const { page, problems, close } = await openPage(base);
  const names = ['Slow A', 'Slow B', 'Slow C'];
  const route = await submitWhileHeld(page, names.map(makeUnique));
  await openWithShortcut(page);
  assert.equal(await findNameField(page).inputValue(), '');
  await page.keyboard.type(makeUnique('Typed later'));
  await route.continue();
  await assertCreatedOnce(names);
  await findToast(page)
    .getByText(`Added: ${makeUnique('Slow C')}`)
    .waitFor();
  assert.equal(await findNameField(page).inputValue(), makeUnique('Typed later'));
  assert.equal(await hasQueue(page), false);
  assert.deepEqual(problems, []);
  await close();
});

test('tasks that were still being saved when their page was reloaded or closed are created once', async () => {
  const { page, problems, close } = await openPage(base);
  const reloaded = ['Reloaded A', 'Reloaded B', 'Reloaded C'];
  const route = await submitWhileHeld(page, reloaded.map(makeUnique));
  // The server creates the first task, but the page reloads before the response arrives.
  await route.fetch({ maxRedirects: 0 });
  await page.reload();
  await findToast(page)
    .getByText(`Added: ${makeUnique('Reloaded C')}`)
    .waitFor();
  await assertCreatedOnce(reloaded);
  await openWithShortcut(page);
  assert.equal(await findNameField(page).inputValue(), '');
  await page.keyboard.press('Escape');
  const closed = ['Closed A', 'Closed B'];
  await endInterceptions(page);
  await submitWhileHeld(page, closed.map(makeUnique));
  const context = page.context();
  await page.close();
  const other = await context.newPage();
  await other.goto(board);
  await findToast(other)
    .getByText(`Added: ${makeUnique('Closed B')}`)
    .waitFor();
  await assertCreatedOnce(closed);
  assert.equal(await hasQueue(other), false);
  assert.deepEqual(problems, []);
  await close();
});

test('rejected text reappears in quick create with its error, ahead of text typed later', async () => {
  const { page, close } = await openPage(base);
  const wrong = `${makeUnique('Rejected')}, @nobody known`;
  const route = await submitWhileHeld(page, [wrong, makeUnique('Following')]);
  await openWithShortcut(page);
  await page.keyboard.type(makeUnique('Meanwhile'));
  await page.keyboard.press('Escape');
  await route.continue();
  await page.getByText(`Couldn't create “${wrong}”. Press c to try again.`).waitFor();
  await assertCreatedOnce(['Following']);
  for (const isReloaded of [false, true]) {
    if (isReloaded) await page.reload();
    await openWithShortcut(page);
    assert.equal(await findNameField(page).inputValue(), wrong);
    await findDialog(page).getByRole('alert').getByText('No one matches “nobody known”.').waitFor();
    if (!isReloaded) await page.keyboard.press('Escape');
  }
  await findNameField(page).fill(makeUnique('Rejected'));
  await page.keyboard.press('Enter');
  await findDialog(page)
    .getByText(`Added: ${makeUnique('Rejected')}`)
    .waitFor();
  assert.equal(await findNameField(page).inputValue(), makeUnique('Meanwhile'));
  await page.keyboard.press('Enter');
  await findDialog(page).waitFor({ state: 'detached' });
  await assertCreatedOnce(['Rejected', 'Meanwhile']);
  assert.equal(await hasQueue(page), false);
  await close();
});

test('tasks submitted while the server is down are created once the server is back', async () => {
  const { page, close } = await openPage(base);
  const names = ['Lost A', 'Lost B', 'Lost C'];
  const route = await submitWhileHeld(page, names.map(makeUnique));
  let isLost = true;
  await interceptRequests(page, '**/tasks/add', (each) => (isLost ? each.abort() : each.fallback()));
  // The server creates the first task, but its response is lost.
  await route.fetch({ maxRedirects: 0 });
  await route.abort();
  await page
    .getByText(
      `Couldn't reach the server. “${makeUnique('Lost A')}” will be created when you're back online.`,
    )
    .waitFor();
  assert.deepEqual(await findTasks('Lost B'), []);
  isLost = false;
  await assertCreatedOnce(names);
  await findToast(page)
    .getByText(`Added: ${makeUnique('Lost C')}`)
    .waitFor();
  isLost = true;
  await openWithShortcut(page);
  await page.keyboard.type(makeUnique('Lost D'));
  await page.keyboard.press('Enter');
  await findDialog(page).getByRole('alert').getByText("Couldn't reach the server.").waitFor();
  assert.equal(await findNameField(page).inputValue(), makeUnique('Lost D'));
  isLost = false;
  await page.keyboard.press('Enter');
  await findDialog(page).waitFor({ state: 'detached' });
  await assertCreatedOnce(['Lost D']);
  assert.equal(await hasQueue(page), false);
  await close();
});

test('tasks still waiting when the session ends are created after the person signs in again', async () => {
  const { page, close } = await openPage(base);
  const names = ['Ended A', 'Ended B'];
  const route = await submitWhileHeld(page, names.map(makeUnique));
  await page.context().clearCookies();
  await route.continue();
  await page
    .getByText(`You're signed out. “${makeUnique('Ended A')}” will be created when you sign in again.`)
    .waitFor();
  await page.context().addCookies(await me.page.context().cookies());
  await page.goto(base);
  await assertCreatedOnce(names);
  await close();
});

test("signing out deletes the queue of tasks that haven't been created yet", async () => {
  const { page, close } = await visit(browser, { viewport, extraHTTPHeaders: getAddressHeaders(demo.owner) });
  await page.goto(`${server.origin}/sign-in`);
  await page.fill('#email', demo.owner);
  await page.fill('#password', demo.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'My work' }).waitFor();
  const route = await submitWhileHeld(page, [`${makeUnique('Private')}, @nobody known`]);
  await route.continue();
  await page.getByText("Couldn't create").waitFor();
  assert.equal(await hasQueue(page), true);
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('sign out');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => !url.pathname.startsWith('/app/'));
  assert.equal(await hasQueue(page), false);
  await close();
});

test('keys pressed while quick create loads are kept, and only one dialog opens', async () => {
  const { page, problems, close } = await openPage(`${base}/people`);
  const { held } = await holdFirstRequest(page, '**/assets/palette-*.js');
  await page.keyboard.press('c');
  const route = await held;
  await page.keyboard.type('call');
  await route.continue();
  await waitForFocus(findNameField(page));
  assert.equal(await findNameField(page).inputValue(), 'call');
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('new task');
  await page.keyboard.press('Enter');
  await waitForFocus(findNameField(page));
  assert.equal(await findDialog(page).count(), 1);
  await findNameField(page).fill('');
  await page.keyboard.press('Escape');
  assert.deepEqual(problems, []);
  await close();
});

test('quick create fits a 320 px phone, and opens from the bottom bar', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, problems, close } = await openPage(base, {
      viewport: { width: 320, height: 640 },
      hasTouch: true,
      isMobile: true,
      colorScheme,
    });
    await page.getByRole('navigation', { name: 'Shortcuts' }).getByRole('link', { name: 'Add' }).tap();
    await waitForFocus(findNameField(page));
    await findNameField(page).fill(`${makeUnique('By phone')} ${colorScheme}, high`);
    await findDialog(page).getByText('High priority').waitFor();
    assert.equal(await measureOverflow(page), 0);
    assert.deepEqual(await findAxeProblems(page), []);
    await findDialog(page).getByRole('button', { name: 'Create task' }).tap();
    await findToast(page)
      .getByText(`Added: ${makeUnique('By phone')}`)
      .waitFor();
    assert.deepEqual(problems, []);
    await close();
  }
});

test('the "All fields" link in quick create opens the full form with the typed text', async () => {
  const { page, problems, close } = await openPage(board);
  await openWithShortcut(page);
  await page.keyboard.type(makeUnique('In full'));
  await findDialog(page).getByRole('link', { name: 'All fields' }).click();
  await page.waitForURL('**/tasks/new?*');
  assert.equal(await page.getByRole('textbox', { name: 'Task name' }).inputValue(), makeUnique('In full'));
  assert.deepEqual(problems, []);
  await close();
  const plain = await openPage(base, { javaScriptEnabled: false });
  await plain.page.locator('#menu').getByRole('link', { name: 'Quick create' }).click();
  await plain.page.getByRole('heading', { name: 'New task' }).waitFor();
  await plain.close();
});
