import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, WebSocketRoute } from 'playwright-core';
import { addCard, findCard } from './boards.ts';
import { interceptRequests } from './intercept.ts';
import { demo } from './server.ts';
import { openServerAndBrowser } from './server-and-browser.ts';
import { getWorkspaceUrl, signIn, visit } from './visit.ts';

const { server, browser } = await openServerAndBrowser();
const viewport = { width: 1280, height: 800 };
const name = `Added before the socket opened ${Date.now().toString(36)}`;

/** Returns the `seq` of the newest event that the page contained when it was opened. */
const readCursor = (page: Page) =>
  page.evaluate(() => {
    const [opened] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    return Number(opened?.serverTiming.find(({ name }) => name === 'seq')?.description);
  });

test('when its socket opens, a page refreshes only if it missed an event', async () => {
  const storageState = await signIn(browser, server.origin, demo.member);
  const { page, close } = await visit(browser, { storageState, viewport });
  const base = await getWorkspaceUrl(page, server.origin);
  let refreshes = 0;
  page.on('request', (request) => {
    if (request.url() === page.url() && !request.isNavigationRequest()) refreshes += 1;
  });
  for (const missed of [0, 1]) {
    const connected = Promise.withResolvers<WebSocketRoute>();
    await page.routeWebSocket('**/live', (socket) => connected.resolve(socket));
    await page.goto(`${base}/projects/1`);
    const socket = await connected.promise;
    const seq = await readCursor(page);
    assert.ok(seq > 0);
    socket.send(JSON.stringify({ seq: seq + missed, pages: 1, slot: 0 }));
    if (missed === 1) await page.waitForResponse(page.url());
    else await page.waitForTimeout(1_500);
    assert.equal(refreshes, missed);
  }
  await close();
});

test('a board shows a task that was added after the board was rendered and before its socket opened', async () => {
  const storageState = await signIn(browser, server.origin, demo.member);
  const [watching, adding] = [
    await visit(browser, { storageState, viewport }),
    await visit(browser, { storageState, viewport }),
  ];
  const base = await getWorkspaceUrl(adding.page, server.origin);
  const added = Promise.withResolvers<void>();
  await watching.page.routeWebSocket('**/live', async (socket) => {
    await added.promise;
    socket.connectToServer();
  });
  await watching.page.goto(`${base}/projects/1`);
  await adding.page.goto(`${base}/projects/1`);
  await addCard(adding.page, name);
  assert.equal(await findCard(watching.page, name).count(), 0);
  added.resolve();
  await findCard(watching.page, name).waitFor();
  await watching.close();
  await adding.close();
});

test('a task page refreshes when its task changes, but not when other tasks in its project change', async () => {
  const storageState = await signIn(browser, server.origin, demo.member);
  const { page, close } = await visit(browser, { storageState, viewport });
  const base = await getWorkspaceUrl(page, server.origin);
  await page.goto(`${base}/projects/1`);
  const task = Number(/\d+$/.exec((await page.locator('.cards a').first().getAttribute('href')) ?? '')?.[0]);
  const connected = Promise.withResolvers<WebSocketRoute>();
  await page.routeWebSocket('**/live', (socket) => connected.resolve(socket));
  await page.goto(`${base}/tasks/${task}`);
  const socket = await connected.promise;
  const sendMessage = (message: object) => socket.send(JSON.stringify({ pages: 1, slot: 0, ...message }));
  const seq = await readCursor(page);
  sendMessage({ seq });
  // This message is about another task, so the page must ignore its slot, which would delay a refresh for hours.
  sendMessage({ seq: seq + 1, projects: [1], tasks: [task + 1], slot: 1_000_000 });
  // Earlier versions of the server don't send task ids.
  for (const tasks of [[task + 1, task], undefined]) {
    const refresh = page.waitForResponse(page.url());
    sendMessage({ seq: seq + 2, projects: [1], tasks });
    await refresh;
  }
  await close();
});

test('a page retries a refresh that fails with 503', async () => {
  const storageState = await signIn(browser, server.origin, demo.member);
  const { page, close } = await visit(browser, { storageState, viewport });
  const base = await getWorkspaceUrl(page, server.origin);
  const connected = Promise.withResolvers<WebSocketRoute>();
  await page.routeWebSocket('**/live', (socket) => connected.resolve(socket));
  await page.goto(`${base}/projects/1`);
  const socket = await connected.promise;
  const statuses: number[] = [];
  page.on('response', (response) => {
    if (response.url() === page.url()) statuses.push(response.status());
  });
  await interceptRequests(
    page,
    page.url(),
    (route) => route.fulfill({ status: 503, headers: { 'Retry-After': '1' } }),
    {
      times: 1,
    },
  );
  const seq = await readCursor(page);
  for (const each of [seq, seq + 1]) socket.send(JSON.stringify({ seq: each, pages: 1, slot: 0 }));
  await page.waitForResponse((response) => response.url() === page.url() && response.status() === 200);
  assert.deepEqual(statuses, [503, 200]);
  await close();
});

test("a delayed refresh happens immediately when the person returns to the page's tab", async () => {
  const storageState = await signIn(browser, server.origin, demo.member);
  const { page, close } = await visit(browser, { storageState, viewport });
  const base = await getWorkspaceUrl(page, server.origin);
  const connected = Promise.withResolvers<WebSocketRoute>();
  await page.routeWebSocket('**/live', (socket) => connected.resolve(socket));
  await page.goto(`${base}/projects/1`);
  const socket = await connected.promise;
  const seq = await readCursor(page);
  for (const each of [seq, seq + 1])
    socket.send(JSON.stringify({ seq: each, pages: 1_000_000, slot: 1_000_000 }));
  const setHidden = (hidden: boolean) =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'hidden', { configurable: true, value });
      document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
  await setHidden(true);
  const refresh = page.waitForResponse(page.url());
  await setHidden(false);
  await refresh;
  await close();
});
