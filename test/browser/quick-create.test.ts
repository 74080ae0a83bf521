// This file is long because tests of lost and slow connections share the helpers of one dialog.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { pollUntil } from '../support/hang.ts';
import { holdFirstRequest } from './boards.ts';
import { openOwnerStage } from './owner-stage.ts';
import { findAxeProblems, getAddressHeaders, hasFocus, measureOverflow, visit } from './screens.ts';
import { demo } from './server.ts';

const { server, browser, me, base, board, viewport, openPage } = await openOwnerStage();
const run = Date.now().toString(36);

const toName = (name: string) => `${name} ${run}`;
const dialog = (page: Page) => page.getByRole('dialog', { name: 'New task' });
const field = (page: Page) => dialog(page).getByRole('textbox', { name: 'Task name' });
const toast = (page: Page) => page.locator('#flash-message');

interface StoredTask {
  readonly priority: string;
  readonly isArchived: boolean;
  readonly project: { readonly id: number };
}

async function findTasks(name: string): Promise<readonly StoredTask[]> {
  const query = new URLSearchParams({ search: toName(name), scope: 'all' });
  return (await me.ask<{ data: StoredTask[] }>(`/tasks?${query}`)).data;
}

async function openByKey(page: Page) {
  await page.keyboard.press('c');
  await hasFocus(field(page));
}

test('pressing C creates a task in the current project, and the message links to it and offers Undo', async () => {
  const { page, problems, close } = await openPage(board);
  const link = page.locator(`#${await page.locator('.cards > li > a').first().getAttribute('id')}`);
  await link.focus();
  await openByKey(page);
  assert.equal(await dialog(page).getByRole('combobox', { name: 'Project' }).inputValue(), '1');
  await page.keyboard.type(`${toName('From the board')}, @jonas, tomorrow, high`);
  await dialog(page)
    .getByText(/Jonas Weber · .* · High priority · /)
    .waitFor();
  assert.deepEqual(await findAxeProblems(page), []);
  await page.keyboard.press('Enter');
  await dialog(page).waitFor({ state: 'detached' });
  await toast(page)
    .getByText(`Added: ${toName('From the board')} · Jonas Weber`)
    .waitFor();
  await hasFocus(link);
  await page.locator('.cards > li', { hasText: toName('From the board') }).waitFor();
  const [task] = await findTasks('From the board');
  assert.deepEqual([task?.priority, task?.project.id], ['high', 1]);
  await toast(page).getByRole('link', { name: 'Open' }).click();
  await page.getByRole('dialog', { name: toName('From the board') }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('z');
  await toast(page).getByText('Undone').or(toast(page).getByText('Archived')).first().waitFor();
  assert.deepEqual(await findTasks('From the board'), []);
  assert.equal(new URL(page.url()).pathname, new URL(board).pathname);
  assert.deepEqual(problems, []);
  await close();
});

test('Shift Enter keeps the dialog open, and the next task can be typed while the first is being saved', async () => {
  const { page, problems, close } = await openPage(board);
  await openByKey(page);
  const { held } = await holdFirstRequest(page, '**/tasks/add');
  await page.keyboard.type(toName('One'));
  await page.keyboard.press('Shift+Enter');
  const route = await held;
  await page.keyboard.type(toName('Two'));
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.keyboard.type(toName('Thr'));
  await route.continue();
  await dialog(page)
    .getByText(`Added: ${toName('Two')}`)
    .waitFor();
  assert.equal(await field(page).inputValue(), toName('Thr'));
  assert.equal((await findTasks('One')).length, 1);
  assert.equal((await findTasks('Two')).length, 1);
  await dialog(page).getByRole('checkbox', { name: 'Create another' }).uncheck();
  await field(page).fill(toName('Three'));
  await dialog(page).getByRole('button', { name: 'Create task' }).click();
  await dialog(page).waitFor({ state: 'detached' });
  await toast(page)
    .getByText(`Added: ${toName('Three')}`)
    .waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test('typed text survives Escape, a reload, an error and a lost connection, and creates one task', async () => {
  const { page, close } = await openPage(base);
  await openByKey(page);
  await page.keyboard.type(toName('Kept'));
  // A key pressed directly after Escape is a shortcut of the page.
  await page.keyboard.press('Escape');
  await openByKey(page);
  assert.equal(await field(page).inputValue(), toName('Kept'));
  await page.reload();
  await openByKey(page);
  await page.keyboard.type(', @nobody known');
  await page.keyboard.press('Enter');
  await dialog(page).getByRole('alert').getByText('No one matches “nobody known”.').waitFor();
  await hasFocus(field(page));
  assert.equal(await field(page).getAttribute('aria-invalid'), 'true');
  assert.deepEqual(await findAxeProblems(page), []);
  await field(page).fill(toName('Kept'));
  // The server creates the task, but its response is lost.
  await page.route('**/tasks/add', async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    await route.fetch({ maxRedirects: 0 });
    await route.abort();
  });
  await page.keyboard.press('Enter');
  await dialog(page).getByRole('alert').getByText("Couldn't reach the server.").waitFor();
  await page.reload();
  await page.unroute('**/tasks/add');
  await openByKey(page);
  assert.equal(await field(page).inputValue(), toName('Kept'));
  await page.keyboard.press('Enter');
  await toast(page)
    .getByText(`Added: ${toName('Kept')}`)
    .waitFor();
  assert.equal((await findTasks('Kept')).length, 1);
  await openByKey(page);
  assert.equal(await field(page).inputValue(), '');
  await close();
});

/** Submits the tasks with Enter while the first request is held, and closes the dialog. */
async function submitWhileHeld(page: Page, names: readonly string[]) {
  const { held } = await holdFirstRequest(page, '**/tasks/add', 'POST');
  await openByKey(page);
  for (const name of names) {
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
  }
  const route = await held;
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
  return route;
}

async function assertCreatedOnce(names: readonly string[]) {
  await pollUntil(async () => (await findTasks(names.at(-1) ?? '')).length > 0);
  for (const name of names) assert.equal((await findTasks(name)).length, 1, name);
}

const hasQueue = (page: Page) => page.evaluate(() => localStorage.getItem('edgework:queued-tasks') !== null);

test('tasks submitted on a slow connection are created after the dialog is closed', async () => {
  const { page, problems, close } = await openPage(base);
  const names = ['Slow A', 'Slow B', 'Slow C'];
  const route = await submitWhileHeld(page, names.map(toName));
  await openByKey(page);
  assert.equal(await field(page).inputValue(), '');
  await page.keyboard.type(toName('Typed later'));
  await route.continue();
  await assertCreatedOnce(names);
  await toast(page)
    .getByText(`Added: ${toName('Slow C')}`)
    .waitFor();
  assert.equal(await field(page).inputValue(), toName('Typed later'));
  assert.equal(await hasQueue(page), false);
  assert.deepEqual(problems, []);
  await close();
});

test('tasks that were submitted before a reload or in a closed tab are created once', async () => {
  const { page, problems, close } = await openPage(base);
  const reloaded = ['Reloaded A', 'Reloaded B', 'Reloaded C'];
  const route = await submitWhileHeld(page, reloaded.map(toName));
  // The server creates the first task, but the page is left before the response arrives.
  await route.fetch({ maxRedirects: 0 });
  await page.reload();
  await toast(page)
    .getByText(`Added: ${toName('Reloaded C')}`)
    .waitFor();
  await assertCreatedOnce(reloaded);
  await openByKey(page);
  assert.equal(await field(page).inputValue(), '');
  await page.keyboard.press('Escape');
  const closed = ['Closed A', 'Closed B'];
  await page.unrouteAll();
  await submitWhileHeld(page, closed.map(toName));
  const context = page.context();
  await page.close();
  const other = await context.newPage();
  await other.goto(board);
  await toast(other)
    .getByText(`Added: ${toName('Closed B')}`)
    .waitFor();
  await assertCreatedOnce(closed);
  assert.equal(await hasQueue(other), false);
  assert.deepEqual(problems, []);
  await close();
});

test('rejected text reappears in quick create with its error, ahead of text typed later', async () => {
  const { page, close } = await openPage(base);
  const wrong = `${toName('Rejected')}, @nobody known`;
  const route = await submitWhileHeld(page, [wrong, toName('Following')]);
  await openByKey(page);
  await page.keyboard.type(toName('Meanwhile'));
  await page.keyboard.press('Escape');
  await route.continue();
  await page.getByText(`Couldn't create “${wrong}”. Press c to try again.`).waitFor();
  await assertCreatedOnce(['Following']);
  for (const isReloaded of [false, true]) {
    if (isReloaded) await page.reload();
    await openByKey(page);
    assert.equal(await field(page).inputValue(), wrong);
    await dialog(page).getByRole('alert').getByText('No one matches “nobody known”.').waitFor();
    if (!isReloaded) await page.keyboard.press('Escape');
  }
  await field(page).fill(toName('Rejected'));
  await page.keyboard.press('Enter');
  await dialog(page)
    .getByText(`Added: ${toName('Rejected')}`)
    .waitFor();
  assert.equal(await field(page).inputValue(), toName('Meanwhile'));
  await page.keyboard.press('Enter');
  await dialog(page).waitFor({ state: 'detached' });
  await assertCreatedOnce(['Rejected', 'Meanwhile']);
  assert.equal(await hasQueue(page), false);
  await close();
});

test('tasks submitted while the server is down are created once when it is back', async () => {
  const { page, close } = await openPage(base);
  const names = ['Lost A', 'Lost B', 'Lost C'];
  const route = await submitWhileHeld(page, names.map(toName));
  let isLost = true;
  await page.route('**/tasks/add', (each) => (isLost ? each.abort() : each.fallback()));
  // The server creates the first task, but its response is lost.
  await route.fetch({ maxRedirects: 0 });
  await route.abort();
  await page
    .getByText(`Couldn't reach the server. “${toName('Lost A')}” will be created when you're back online.`)
    .waitFor();
  assert.deepEqual(await findTasks('Lost B'), []);
  isLost = false;
  await assertCreatedOnce(names);
  await toast(page)
    .getByText(`Added: ${toName('Lost C')}`)
    .waitFor();
  isLost = true;
  await openByKey(page);
  await page.keyboard.type(toName('Lost D'));
  await page.keyboard.press('Enter');
  await dialog(page).getByRole('alert').getByText("Couldn't reach the server.").waitFor();
  assert.equal(await field(page).inputValue(), toName('Lost D'));
  isLost = false;
  await page.keyboard.press('Enter');
  await dialog(page).waitFor({ state: 'detached' });
  await assertCreatedOnce(['Lost D']);
  assert.equal(await hasQueue(page), false);
  await close();
});

test('tasks still waiting when the session ends are created after the person signs in again', async () => {
  const { page, close } = await openPage(base);
  const names = ['Ended A', 'Ended B'];
  const route = await submitWhileHeld(page, names.map(toName));
  await page.context().clearCookies();
  await route.continue();
  await page
    .getByText(`You're signed out. “${toName('Ended A')}” will be created when you sign in again.`)
    .waitFor();
  await page.context().addCookies(await me.page.context().cookies());
  await page.goto(base);
  await assertCreatedOnce(names);
  await close();
});

test('signing out deletes tasks that were not created', async () => {
  const { page, close } = await visit(browser, { viewport, extraHTTPHeaders: getAddressHeaders(demo.owner) });
  await page.goto(`${server.origin}/sign-in`);
  await page.fill('#email', demo.owner);
  await page.fill('#password', demo.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'My work' }).waitFor();
  const route = await submitWhileHeld(page, [`${toName('Private')}, @nobody known`]);
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
  await hasFocus(field(page));
  assert.equal(await field(page).inputValue(), 'call');
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type('new task');
  await page.keyboard.press('Enter');
  await hasFocus(field(page));
  assert.equal(await dialog(page).count(), 1);
  await field(page).fill('');
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
    await hasFocus(field(page));
    await field(page).fill(`${toName('By phone')} ${colorScheme}, high`);
    await dialog(page).getByText('High priority').waitFor();
    assert.equal(await measureOverflow(page), 0);
    assert.deepEqual(await findAxeProblems(page), []);
    await dialog(page).getByRole('button', { name: 'Create task' }).tap();
    await toast(page)
      .getByText(`Added: ${toName('By phone')}`)
      .waitFor();
    assert.deepEqual(problems, []);
    await close();
  }
});

test('the "All fields" link opens the form with the typed text', async () => {
  const { page, problems, close } = await openPage(board);
  await openByKey(page);
  await page.keyboard.type(toName('In full'));
  await dialog(page).getByRole('link', { name: 'All fields' }).click();
  await page.waitForURL('**/tasks/new?*');
  assert.equal(await page.getByRole('textbox', { name: 'Task name' }).inputValue(), toName('In full'));
  assert.deepEqual(problems, []);
  await close();
  const plain = await openPage(base, { javaScriptEnabled: false });
  await plain.page.locator('#menu').getByRole('link', { name: 'Quick create' }).click();
  await plain.page.getByRole('heading', { name: 'New task' }).waitFor();
  await plain.close();
});
