import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import type { BrowserContext } from 'playwright-core';
import { getPort } from '../../scripts/local.ts';
import { createPushReceiver, verifyVapidHeader } from '../notifications/push/push-receiver.ts';
import { pollUntil } from '../support/timeout.ts';
import { createOwnServerAndBrowser } from './own-server-and-browser.ts';
import { demo } from './server.ts';
import { findAxeProblems, getWorkspaceUrl, type StorageState, signIn, visit } from './visit.ts';

const setup = createOwnServerAndBrowser('push');
let receiver: Awaited<ReturnType<typeof createPushReceiver>>;
/** The messages that reached the push service, decrypted. */
const received: string[] = [];
let owner: StorageState;
let base: string;

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
  const { origin } = setup.prepared;
  owner = await signIn(setup.browser, origin, demo.owner);
  const { page, close } = await visit(setup.browser, { storageState: owner });
  base = await getWorkspaceUrl(page, origin);
  await close();
}
after(() => void pushService.close());

/** Chromium can't register with its push service offline, so its PushManager is replaced. The rest is real. */
async function replacePushManager(context: BrowserContext) {
  const endpoint = `http://127.0.0.1:${getPort(pushService)}/${crypto.randomUUID()}`;
  await context.addInitScript(
    ({ address, p256dh, auth }) => {
      let subscription: PushSubscription | null = null;
      PushManager.prototype.getSubscription = async () => subscription;
      PushManager.prototype.subscribe = async (options) => {
        subscription = {
          options,
          toJSON: () => ({ endpoint: address, keys: { p256dh, auth } }),
          unsubscribe: async () => {
            subscription = null;
            return true;
          },
        } as unknown as PushSubscription;
        return subscription;
      };
    },
    { address: endpoint, ...receiver.keys },
  );
}

async function openSettings() {
  prepared ??= prepare();
  await prepared;
  const opened = await visit(setup.browser, { storageState: owner });
  const context = opened.page.context();
  await replacePushManager(context);
  await context.grantPermissions(['notifications'], { origin: setup.prepared.origin });
  await opened.page.goto(`${base}/inbox/mail`);
  return { ...opened, context };
}

test('push is turned on by keyboard, and a test reaches the push service, encrypted', async () => {
  const { page, context, problems, close } = await openSettings();
  assert.deepEqual(await findAxeProblems(page), []);
  const started = context.waitForEvent('serviceworker');
  await page.getByRole('button', { name: 'Turn on for this browser' }).press('Enter');
  await page.getByText('Push notifications are on in this browser.', { exact: true }).waitFor();
  assert.deepEqual(await findAxeProblems(page), []);
  assert.equal((await started).url(), `${setup.prepared.origin}/service-worker.js`);
  await page.getByRole('button', { name: 'Send a test' }).press('Enter');
  await pollUntil(() => received.length === 1);
  assert.equal(JSON.parse(received[0] ?? '').title, 'Push notifications work');
  assert.deepEqual(problems, []);
  await close();
});

test('the service worker is served at a fixed path, revalidated, and may load nothing', async () => {
  const response = await fetch(`${setup.prepared.origin}/service-worker.js`);
  const { headers } = response;
  assert.deepEqual(
    [response.status, headers.get('Cache-Control'), headers.get('Content-Security-Policy')],
    [200, 'no-cache', "default-src 'none'"],
  );
  assert.match(headers.get('Content-Type') ?? '', /javascript/);
  const script = await response.text();
  assert.doesNotMatch(script, /["']fetch["']|caches/);
  assert.ok(script.length < 2_000, `${script.length} bytes`);
});
