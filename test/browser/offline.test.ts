import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { startServer } from '../../scripts/own-server.ts';
import { pollUntil } from '../support/timeout.ts';
import { createOwnServerAndBrowser } from './own-server-and-browser.ts';
import { demo } from './server.ts';
import { findAxeProblems, getWorkspaceUrl, signIn, visit } from './visit.ts';

const setup = createOwnServerAndBrowser('offline');

/** Opens My work with a running service worker, which stores each page from then on. */
async function openApp(email: string = demo.owner) {
  const storageState = await signIn(setup.browser, setup.prepared.origin, email);
  const opened = await visit(setup.browser, { storageState, serviceWorkers: 'allow' });
  const { page } = opened;
  const base = await getWorkspaceUrl(page, setup.prepared.origin);
  await page.keyboard.press('Shift');
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
  return { ...opened, base };
}

/** Opens the page, and waits until it is stored. */
async function store(page: Page, address: string) {
  await page.goto(address);
  // `waitForFunction` doesn't wait for the result of an async function.
  await pollUntil(() => page.evaluate(async (url) => (await caches.match(url)) !== undefined, page.url()));
}

const countStoredPages = (page: Page) =>
  page.evaluate(async () => (await (await caches.open('edgework-pages')).keys()).length);

const waitUntilNothingIsStored = (page: Page) => pollUntil(async () => (await countStoredPages(page)) === 0);

test('pages that were opened before can be read, but not changed, while the server is gone', async () => {
  const { page, base, close } = await openApp();
  await store(page, `${base}/projects/1`);
  const task = (await page.locator('.cards a[href*="/tasks/"]').first().getAttribute('href')) as string;
  await store(page, setup.prepared.origin + task);
  const title = await page.locator('h1').innerText();
  await setup.server.stop();
  await page.reload();
  assert.equal(await page.locator('h1').innerText(), title);
  await page.getByText("You're offline. This is a copy from").waitFor();
  assert.equal(await page.locator('main :is(button, input, select, textarea):enabled').count(), 0);
  assert.deepEqual(await findAxeProblems(page), []);
  await page.goto(`${base}/projects/1`);
  await page.getByText("You're offline. This is a copy from").waitFor();
  await page.locator(`a[href="${task}"]`).first().click();
  await page.waitForURL(setup.prepared.origin + task);
  setup.server = await startServer(setup.prepared);
  await page.waitForFunction(() => document.documentElement.dataset.storedAt === undefined);
  await page.locator('main button:enabled').first().waitFor();
  await close();
});

test('offline, a page that was never opened leads to those that were', async () => {
  const { page, base, close } = await openApp();
  await store(page, `${base}/tasks/38`);
  await page.context().setOffline(true);
  await page.goto(`${base}/dashboard`);
  await page.getByRole('heading', { name: "You're offline" }).waitFor();
  assert.deepEqual(await findAxeProblems(page), []);
  const title = await page.evaluate(
    async (url) => /<title>([^<]*)/.exec((await (await caches.match(url))?.text()) ?? '')?.[1],
    `${base}/tasks/38`,
  );
  await page.getByRole('link', { name: title ?? '?' }).click();
  await page.getByText("You're offline. This is a copy from").waitFor();
  await close();
});

test('pages are deleted when their reader signs out, is signed out, or is followed by someone else', async () => {
  const { page, base, close } = await openApp();
  await store(page, `${base}/tasks/38`);
  await page.context().clearCookies();
  await page.goto(`${base}/tasks/38`);
  await page.waitForURL(/sign-in/);
  await waitUntilNothingIsStored(page);
  await close();
  const again = await openApp(demo.member);
  await store(again.page, `${again.base}/tasks/38`);
  await again.page.evaluate(() => localStorage.setItem('edgework:reader', 'Someone else'));
  await again.page.goto(`${again.base}/inbox`);
  await again.page.keyboard.press('Shift');
  await again.page.waitForFunction(() => localStorage.getItem('edgework:reader') !== 'Someone else');
  assert.ok((await countStoredPages(again.page)) <= 1);
  await store(again.page, `${again.base}/tasks/38`);
  await again.page.locator('.sign-out button').evaluate((button: HTMLButtonElement) => button.click());
  await again.page.waitForURL(/sign-in|\/$/);
  await waitUntilNothingIsStored(again.page);
  await again.close();
});

test('links are still prefetched, through the service worker', async () => {
  const { page, base, close } = await openApp();
  await page.goto(`${base}/projects`);
  const link = page.locator('main a[href*="/projects/"]').first();
  const [response] = await Promise.all([page.waitForResponse(/\/projects\//), link.hover()]);
  assert.equal(response.request().headers()['sec-purpose'], 'prefetch');
  assert.ok(response.fromServiceWorker());
  await link.click();
  await page.waitForURL(response.url());
  const delivery = await page.evaluate(() => {
    const [entry] = performance.getEntriesByType('navigation');
    return (entry as PerformanceEntry & { deliveryType: string }).deliveryType;
  });
  assert.equal(delivery, 'navigational-prefetch');
  await close();
});
