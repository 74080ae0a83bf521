// This file is long because its tests share one server, which they stop and restart.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { startServer } from '../../scripts/own-server.ts';
import { buildCardsSelector, dragByMouse, findColumn } from './boards.ts';
import { interceptRequests } from './intercept.ts';
import { createOwnServerAndBrowser } from './own-server-and-browser.ts';
import { demo } from './server.ts';
import { getAddressHeaders, getWorkspaceUrl, signIn, visit } from './visit.ts';

const MIB = 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'edgework-gone-'));
const setup = createOwnServerAndBrowser('gone-test');
after(() => rmSync(folder, { recursive: true }));

/** A shortened copy of the page in src/web/server/error-page.tsx. */
const problemPage =
  '<body class="site"><main id="content"><p role="alert">Nothing was changed. Try again in a moment.</p></main></body>';
const markPage = (page: Page) =>
  page.evaluate(() => document.documentElement.setAttribute('data-never-reloaded', ''));
const isSamePage = async (page: Page) => (await page.locator('html[data-never-reloaded]').count()) === 1;
const findCommentField = (page: Page) => page.locator('#new-comment');
const findCommentButton = (page: Page) => page.getByRole('button', { name: 'Comment', exact: true });
const findComment = (page: Page, text: string) => page.locator('.comment .text', { hasText: text });

test('after a server crash, a dragged card returns to its column, typed text is kept, and an upload resumes', async () => {
  const storageState = await signIn(setup.browser, setup.prepared.origin, demo.member);
  const { page, close } = await visit(setup.browser, { storageState });
  const base = await getWorkspaceUrl(page, setup.prepared.origin);
  const task = `${base}/tasks/38`;
  const path = join(folder, 'film.bin');
  writeFileSync(path, Buffer.alloc(18 * MIB, 'Edgework loses nothing. '));
  const slow = await page.context().newCDPSession(page);
  await slow.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 3 * MIB,
  });
  await page.goto(task);
  await markPage(page);
  const [field, send] = [findCommentField(page), findCommentButton(page)];
  await field.fill('Half a thought');
  await page.getByText('Edit description').click();
  const description = page.locator('.editor').getByRole('textbox', { name: 'Description' });
  await description.fill('Half a plan');
  const board = await page.context().newPage();
  await board.goto(`${base}/projects/1`);
  await markPage(board);
  const [before, target] = [
    board.locator(buildCardsSelector('todo')).first(),
    findColumn(board, 'in_progress'),
  ];
  const id = await before.locator('> a').getAttribute('id');
  const readCounts = () => board.locator('.column h2 .number').allTextContents();
  const shown = await readCounts();
  const stored = page.waitForResponse((answer) => answer.url().endsWith('/parts/1'));
  await page.locator('input[type="file"]').setInputFiles(path);
  const row = page.locator('#uploads li', { hasText: 'film.bin' });
  const drag = await dragByMouse(before, target.locator('.cards'));
  // The first chunk is stored, and the second is being sent.
  await stored;

  await setup.server.kill();
  await drag.drop();
  await board.getByText('reach the server').waitFor();
  assert.deepEqual([await before.locator('> a').getAttribute('id'), await readCounts()], [id, shown]);
  await row.getByText('waiting for the server').waitFor();
  await field.pressSequentially(', and the rest');
  await send.click();
  await page.getByText('reach the server').waitFor();
  assert.equal(await field.inputValue(), 'Half a thought, and the rest');
  await description.press('End');
  await description.pressSequentially(', and its end');
  await description.press('ControlOrMeta+Enter');
  await page.locator('form[aria-busy]').waitFor({ state: 'detached' });

  setup.server = await startServer(setup.prepared, true);
  const file = page.locator('.files .panel:not(.uploads) li', { hasText: 'film.bin' });
  await file.waitFor();
  assert.equal(await field.inputValue(), 'Half a thought, and the rest');
  await send.click();
  const comment = findComment(page, 'Half a thought, and the rest');
  await comment.waitFor();
  assert.deepEqual([await comment.count(), await field.inputValue(), await row.count()], [1, '', 0]);
  await description.press('ControlOrMeta+Enter');
  await page.locator('.section > .rich', { hasText: 'Half a plan, and its end' }).waitFor();
  await (await dragByMouse(before, target.locator('.cards'))).drop();
  const card = board.locator('.cards > li', { has: board.locator(`#${id}`) });
  await target.locator(card.and(board.locator(':not(.moving)'))).waitFor();
  assert.equal(await card.count(), 1);
  assert.deepEqual([await isSamePage(page), await isSamePage(board)], [true, true]);
  await close();
});

test('a comment survives a lost connection, errors from the edge network and a lost response', async () => {
  const storageState = await signIn(setup.browser, setup.prepared.origin, demo.member);
  const { page, close } = await visit(setup.browser, { storageState });
  const base = await getWorkspaceUrl(page, setup.prepared.origin);
  await page.goto(`${base}/tasks/38`);
  await markPage(page);
  const [field, send] = [findCommentField(page), findCommentButton(page)];
  const toast = page.locator('#toast');
  const text = 'Written while nothing works';
  await field.fill(text);
  await page.context().setOffline(true);
  await send.click();
  await toast.getByText('reach the server').waitFor();
  await page.context().setOffline(false);
  const failures: readonly (readonly [message: string, fail: (route: Route) => Promise<void>])[] = [
    [
      'went wrong on our end',
      (route) => route.fulfill({ status: 503, contentType: 'text/html', body: '<h1>503</h1>' }),
    ],
    [
      'went wrong on our end',
      (route) => route.fulfill({ status: 429, contentType: 'application/json', body: '{}' }),
    ],
    [
      'Try again in a moment',
      (route) => route.fulfill({ status: 500, contentType: 'text/html', body: problemPage }),
    ],
    [
      'went wrong on our end',
      (route) => route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Wi-Fi</h1>' }),
    ],
    [
      'reach the server',
      async (route) => {
        await route.fetch({ maxRedirects: 0 });
        await route.abort();
      },
    ],
  ];
  for (const [message, fail] of failures) {
    await toast.evaluate((place) => place.replaceChildren());
    await interceptRequests(page, '**/comments', fail, { times: 1 });
    await send.click();
    await toast.getByText(message).waitFor();
    assert.equal(await field.inputValue(), text);
  }
  // The last request succeeded although its response was lost. Sending the comment again must not duplicate it.
  const comment = findComment(page, text);
  await comment.waitFor();
  await send.click();
  await page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>('#new-comment')?.value === '');
  assert.deepEqual([await comment.count(), await isSamePage(page)], [1, true]);
  await close();
});

test('uploads and the live connection resume when the network is back, the person returns to the tab, or a request succeeds', async () => {
  const storageState = await signIn(setup.browser, setup.prepared.origin, demo.member);
  const { page, close } = await visit(setup.browser, { storageState });
  const base = await getWorkspaceUrl(page, setup.prepared.origin);
  let sockets = 0;
  let closeSocket: () => Promise<void> = async () => undefined;
  await page.routeWebSocket(/\/live$/, (socket) => {
    sockets += 1;
    closeSocket = () => socket.close();
    socket.connectToServer();
  });
  await page.goto(`${base}/tasks/38`);
  const reasons: readonly (readonly [name: string, happen: () => Promise<unknown>])[] = [
    ['network.txt', () => page.evaluate(() => window.dispatchEvent(new Event('online')))],
    ['person.txt', () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))],
    [
      'comment.txt',
      async () => {
        await findCommentField(page).fill('This got through');
        await findCommentButton(page).click();
      },
    ],
  ];
  // Stops the clock, so that no retry timer fires.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  for (const [index, [name, happen]] of reasons.entries()) {
    await closeSocket();
    await page.waitForTimeout(100);
    assert.deepEqual([name, sockets], [name, index + 1]);
    const opened = page.waitForEvent('websocket');
    await happen();
    await opened;

    const path = join(folder, name);
    writeFileSync(path, name);
    await interceptRequests(page, '**/parts/1', (route) => route.fulfill({ status: 503 }), { times: 1 });
    await page.locator('input[type="file"]').setInputFiles(path);
    const row = page.locator('#uploads li', { hasText: name });
    await row.getByText('waiting for the server').waitFor();
    await happen();
    await row.waitFor({ state: 'detached' });
  }
  await page.clock.resume();
  await close();
});

test('typed text and uploads survive the end of the session, and can be sent after the person signs in again', async () => {
  const { page, close } = await visit(setup.browser, { extraHTTPHeaders: getAddressHeaders(demo.member) });
  const signInOn = async (at: Page) => {
    await at.getByLabel('Email').fill(demo.member);
    await at.getByLabel('Password').fill(demo.password);
    await at.getByRole('button', { name: 'Sign in' }).click();
  };
  await page.goto(`${setup.prepared.origin}/sign-in`);
  await signInOn(page);
  await page.waitForURL(/\/app\/./);
  await page.goto(`${page.url()}/tasks/38`);
  await markPage(page);
  const [field, send] = [findCommentField(page), findCommentButton(page)];
  const path = join(folder, 'reel.bin');
  writeFileSync(path, 'Edgework waits for whom it knows.');
  let resume: () => void = () => undefined;
  const signedOut = new Promise<void>((resolve) => {
    resume = resolve;
  });
  await interceptRequests(page, '**/parts/1', async (route) => {
    await signedOut;
    await route.continue();
  });
  await page.locator('input[type="file"]').setInputFiles(path);
  await field.fill('Written before the session ended');

  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.locator('.person').click();
  await other.getByRole('button', { name: 'Sign out' }).click();
  await other.waitForURL(/sign-in|\/$/);
  resume();
  await page.getByText('paused until you sign in').waitFor();
  await send.click();
  const way = page.getByRole('link', { name: 'Sign in (opens a new tab)' });
  await way.waitFor();
  assert.equal(await field.inputValue(), 'Written before the session ended');
  const opened = page.waitForEvent('popup');
  await way.click();
  await signInOn(await opened);
  await (await opened).getByRole('heading', { level: 1 }).waitFor();
  // Simulates returning to this tab, because tabs of a headless browser are always visible.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await page.locator('.files .panel:not(.uploads) li', { hasText: 'reel.bin' }).waitFor();
  assert.equal(await field.inputValue(), 'Written before the session ended');
  await send.click();
  const comment = findComment(page, 'Written before the session ended');
  await comment.waitFor();
  assert.deepEqual([await comment.count(), await field.inputValue(), await isSamePage(page)], [1, '', true]);
  await close();
});
