// This file is long because Chromium's part of push is replaced here for all tests.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { getPort } from '../../scripts/local.ts';
import { createPushReceiver, verifyVapidHeader } from '../notifications/push/push-receiver.ts';
import { pollUntil } from '../support/timeout.ts';
import { createOwnServerAndBrowser } from './own-server-and-browser.ts';
import { demo } from './server.ts';
import { findAxeProblems, visit } from './visit.ts';

const setup = createOwnServerAndBrowser('push');
let receiver: Awaited<ReturnType<typeof createPushReceiver>>;
/** The messages that reached the push service, decrypted. */
const received: string[] = [];
let base: string;
let signIns = 0;

/** Stands in for the push service of a browser vendor, which tests can't reach. */
const pushService = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  try {
    await verifyVapidHeader(request.headers.authorization ?? '');
    received.push(await receiver.decrypt(new Uint8Array(Buffer.concat(parts))));
    response.writeHead(201).end();
  } catch {
    response.writeHead(400).end();
  }
});

let prepared: Promise<void> | undefined;

/** Runs once, when the first test needs it, because hooks of a file don't wait for each other. */
async function prepare() {
  receiver = await createPushReceiver();
  await new Promise<void>((done) => {
    pushService.listen(0, '127.0.0.1', done);
  });
}
after(() => void pushService.close());

/**
 * Chromium can't register with its push service offline, so its PushManager is replaced by one that keeps its
 * subscription in the page's storage. The rest is real.
 */
async function replacePushManager(context: BrowserContext) {
  await context.addInitScript(
    ({ address, p256dh, auth }) => {
      const key = 'test:endpoint';
      // Headless Chromium always returns 'denied' here.
      Object.defineProperty(Notification, 'permission', { get: () => 'granted' });
      const buildSubscription = (endpoint: string) => ({
        endpoint,
        toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
        unsubscribe: async () => {
          localStorage.removeItem(key);
          return true;
        },
      });
      PushManager.prototype.getSubscription = async () => {
        const endpoint = localStorage.getItem(key);
        return endpoint === null ? null : (buildSubscription(endpoint) as unknown as PushSubscription);
      };
      PushManager.prototype.subscribe = async () => {
        const endpoint = address + crypto.randomUUID();
        localStorage.setItem(key, endpoint);
        return buildSubscription(endpoint) as unknown as PushSubscription;
      };
    },
    { address: `http://127.0.0.1:${getPort(pushService)}/`, ...receiver.keys },
  );
}

/** Signs in, so that each test has its own session. */
async function openSettings() {
  prepared ??= prepare();
  await prepared;
  signIns += 1;
  const extraHTTPHeaders = { 'CF-Connecting-IP': `198.51.100.${signIns}` };
  const opened = await visit(setup.browser, { extraHTTPHeaders, serviceWorkers: 'allow' });
  const context = opened.page.context();
  await replacePushManager(context);
  await context.grantPermissions(['notifications'], { origin: setup.prepared.origin });
  await signInHere(opened.page, demo.owner);
  base = opened.page.url();
  await opened.page.goto(`${base}/inbox/mail`);
  return { ...opened, context };
}

async function signInHere(page: Page, email: string) {
  await page.goto(`${setup.prepared.origin}/sign-in`);
  await page.fill('#email', email);
  await page.fill('#password', demo.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'My work' }).waitFor();
}

async function turnOn(page: Page) {
  const button = page.getByRole('button', { name: 'Turn on for this browser' });
  await button.press('Enter');
  await page.getByText('Push notifications are on in this browser.', { exact: true }).waitFor();
  await button.waitFor({ state: 'hidden' });
  await page.waitForFunction(() => localStorage.getItem('edgework:push') !== null);
}

test('push is turned on by keyboard, and a test reaches the push service, encrypted', async () => {
  const { page, context, problems, close } = await openSettings();
  assert.deepEqual(await findAxeProblems(page), []);
  const started = context.waitForEvent('serviceworker');
  await turnOn(page);
  assert.deepEqual(await findAxeProblems(page), []);
  assert.equal((await started).url(), `${setup.prepared.origin}/service-worker.js`);
  await page.getByRole('button', { name: 'Send a test' }).press('Enter');
  await pollUntil(() => received.length === 1);
  assert.equal(JSON.parse(received[0] ?? '').title, 'Push notifications work');
  assert.deepEqual(problems, []);
  await close();
});

test('push that the browser has ended can be turned on again', async () => {
  const { page, problems, close } = await openSettings();
  await turnOn(page);
  await page.evaluate(() => localStorage.removeItem('test:endpoint'));
  await page.reload();
  const stopped = page.getByText('Push notifications no longer work in this browser');
  await stopped.waitFor();
  await turnOn(page);
  await stopped.waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('button', { name: 'Send a test' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Turn on for this browser' }).isVisible(), false);
  assert.deepEqual(problems, []);
  await close();
});

test('push explains how to allow notifications that the browser blocks', async () => {
  const { page, context, problems, close } = await openSettings();
  await context.clearPermissions();
  await page.getByRole('button', { name: 'Turn on for this browser' }).press('Enter');
  await page.getByText(/This browser blocks notifications|Notifications weren't allowed/).waitFor();
  await page.getByText('Push notifications are off in this browser.', { exact: true }).waitFor();
  assert.deepEqual(problems, []);
  await close();
});

test('push returns when the same person signs in again, and stays off for someone else', async () => {
  const { page, problems, close } = await openSettings();
  const readState = async () => {
    await page.keyboard.press('Shift');
    await page.waitForFunction(() => {
      const csrf = document.querySelector<HTMLInputElement>('.sign-out [name="csrf"]')?.value;
      const stored = JSON.parse(localStorage.getItem('edgework:push') ?? 'null');
      return stored === null || stored.csrf === csrf;
    });
    await page.goto(`${base}/inbox/mail`);
    return page.getByText(/^Push notifications are (on|off) in this browser/).textContent();
  };
  await turnOn(page);
  for (const [email, state] of [
    [demo.owner, 'on'],
    [demo.member, 'off'],
    [demo.owner, 'off'],
  ] as const) {
    await page.context().clearCookies();
    await signInHere(page, email);
    assert.equal(await readState(), `Push notifications are ${state} in this browser.`, email);
  }
  assert.deepEqual(problems, []);
  await close();
});

async function assignTasksToOwner(count: number) {
  const call = async (path: string, token: string, body?: object) => {
    const response = await fetch(`${setup.prepared.origin}/v1${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
      body: body ? JSON.stringify(body) : null,
    });
    assert.ok(response.ok, `${path} returned ${response.status}`);
    return response.json();
  };
  const { token } = await call('/auth/login', '', { email: demo.member, password: demo.password });
  const { data: people } = await call('/users?limit=100', token);
  const assigneeId = people.find(({ email }: { email: string }) => email === demo.owner).id;
  const { data: projects } = await call('/projects?limit=1', token);
  for (let created = 0; created < count; created += 1)
    await call('/tasks', token, { projectId: projects[0].id, name: `Push ${created}`, assigneeId });
}

test('a notification is displayed, and its page marks it as read', async () => {
  const { page, context, problems, close } = await openSettings();
  const started = context.waitForEvent('serviceworker');
  await turnOn(page);
  const worker = await started;
  await assignTasksToOwner(2);
  await page.goto(`${base}/inbox`);
  const unread = page.locator('.inbox > .unread');
  const [first, second] = await unread.evaluateAll((items) => items.map(({ id }) => id.split('-')[1] ?? ''));
  assert.ok(first && second);
  const shown = page.locator(`#notification-${first}.read`);

  // The page that a click opens.
  await page.goto(`${base}#notification-${first}`);
  await page.keyboard.press('Shift');
  await pollUntil(async () => {
    await page.goto(`${base}/inbox`);
    return shown.isVisible();
  });

  // A page that is already open.
  const payload = { title: 'Ada mentioned you', body: 'Look', path: new URL(page.url()).pathname, tag: 'n1' };
  await page.keyboard.press('Shift');
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.includes('deferred')),
  );
  const marked = page.waitForRequest((request) => request.url().endsWith(`/inbox/${second}/read`));
  const displayed = await worker.evaluate(
    async ([text, id]) => {
      const scope = self as unknown as { registration: ServiceWorkerRegistration } & EventTarget;
      const shown: [string, NotificationOptions | undefined][] = [];
      // Headless Chromium displays no notifications.
      scope.registration.showNotification = async (title, options) => void shown.push([title, options]);
      const send = (name: string, init: object) => {
        const work: Promise<unknown>[] = [];
        const event = Object.assign(new Event(name), init, {
          waitUntil: (promise: Promise<unknown>) => void work.push(promise.catch(() => undefined)),
        });
        scope.dispatchEvent(event);
        return Promise.all(work);
      };
      const data = { ...JSON.parse(text), id: Number(id) };
      await send('push', { data: { json: () => data } });
      const [title, options] = shown[0] ?? [];
      await send('notificationclick', { notification: { ...options, close: () => undefined } });
      return { title, body: options?.body, tag: options?.tag };
    },
    [JSON.stringify(payload), second] as const,
  );
  assert.deepEqual(displayed, { title: 'Ada mentioned you', body: 'Look', tag: 'n1' });
  await (await marked).response();
  await page.reload();
  assert.ok(await page.locator(`#notification-${second}.read`).isVisible());
  assert.deepEqual(problems, []);
  await close();
});

test('the service worker is served at a fixed path, revalidated, and may only load from its own origin', async () => {
  const response = await fetch(`${setup.prepared.origin}/service-worker.js`);
  const { headers } = response;
  assert.deepEqual(
    [response.status, headers.get('Cache-Control'), headers.get('Content-Security-Policy')],
    [200, 'no-cache', "default-src 'none'; connect-src 'self'"],
  );
  assert.match(headers.get('Content-Type') ?? '', /javascript/);
  const script = await response.text();
  assert.ok(script.length < 4_000, `${script.length} bytes`);
});
