import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readFormFields, type TestBrowser } from '../../oauth/flow.ts';
import { api } from '../../support/api.ts';
import { env } from '../../support/env.ts';
import { PASSWORD, setPassword } from '../../support/people.ts';
import { createTask, createWorld, type Person, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../../web/server/workspace-browser.ts';
import { collectAndDeliver, emptyPushTables } from './collect.ts';
import {
  openBrowser,
  openPushServices,
  openSubscribedBrowser,
  type SubscribedBrowser,
  turnOnPush,
} from './push-service.ts';

let world: World;
let task: { id: number; name: string };

beforeEach(async () => {
  openPushServices();
  await emptyPushTables();
  world = await createWorld();
  task = await createTask(world.people.owner, world.projects.other.id, { name: 'Plan <b>' });
  await collectAndDeliver();
});
afterEach(() => vi.restoreAllMocks());

const mention = (person: Person, by: Person, text = 'please look') =>
  api(by.token).post(`/tasks/${task.id}/comments`, { content: `@[${person.userId}], ${text}` });
const submit = async (
  browser: TestBrowser,
  page: string,
  action: string,
  fields: Record<string, string> = {},
) => {
  const html = await (await browser.get(page)).text();
  return browser.post(action, { ...readFormFields(html, action), ...fields });
};
const count = (table: string) => env.DIRECTORY.prepare(`SELECT count(*) AS n FROM ${table}`).first('n');

describe('a subscription', () => {
  it.each<[string, (browser: SubscribedBrowser) => Promise<unknown>]>([
    ['turns push off', ({ screens }) => screens.send('/inbox/mail', '/inbox/push/off')],
    ['signs out', ({ screens: { browser } }) => submit(browser, '/account', '/sign-out')],
    [
      'signs it out from another browser',
      async () => {
        const { browser } = await WorkspaceBrowser.signIn(world, world.people.owner);
        return submit(browser, '/account', '/account/browsers/sign-out-others');
      },
    ],
  ])('ends when the person %s', async (_, end) => {
    const browser = await openSubscribedBrowser(world, world.people.owner);
    await end(browser);
    await mention(world.people.owner, world.people.member);
    await collectAndDeliver();
    expect(browser.received).toEqual([]);
    expect(await count('push_subscriptions')).toBe(0);
  });

  it('ends with the account, together with the chosen types', async () => {
    const { member } = world.people;
    const { screens } = await openSubscribedBrowser(world, member);
    await screens.send('/inbox/mail', '/inbox/push/types', { types: 'mentioned' });
    expect([await count('push_subscriptions'), await count('push_preferences')]).toEqual([1, 1]);
    await setPassword(member.userId);
    const form = { email: member.email, password: PASSWORD };
    expect((await submit(screens.browser, '/account', '/account/remove', form)).status).toBe(303);
    expect([await count('push_subscriptions'), await count('push_preferences')]).toEqual([0, 0]);
  });

  it('ends when the password changes, except in the browser that changes it', async () => {
    const { member } = world.people;
    await setPassword(member.userId);
    const changing = await openSubscribedBrowser(world, member);
    const other = await openSubscribedBrowser(world, member);
    const form = { password: PASSWORD, newPassword: 'an entirely new password' };
    const changed = await submit(changing.screens.browser, '/account', '/account/password', form);
    expect(changed.status).toBe(303);
    await mention(member, world.people.owner);
    await collectAndDeliver();
    expect([changing.received.length, other.received.length]).toEqual([1, 0]);
  });

  it('gets nothing after its session has expired, even before the session is deleted', async () => {
    const browser = await openSubscribedBrowser(world, world.people.owner);
    await env.DIRECTORY.prepare('UPDATE browser_sessions SET expires_at = 1 WHERE user_id = ?')
      .bind(world.people.owner.userId)
      .run();
    await mention(world.people.owner, world.people.member);
    await collectAndDeliver();
    expect(browser.received).toEqual([]);
  });

  it('moves to the person who signs in next in the same browser', async () => {
    const { owner, member } = world.people;
    const before = await openSubscribedBrowser(world, owner);
    const after = await openBrowser(world, member);
    expect((await turnOnPush(after, before.fields)).status).toBe(303);
    await mention(owner, member);
    await collectAndDeliver();
    expect(before.received).toEqual([]);
    await mention(member, owner);
    await collectAndDeliver();
    expect(before.received).toHaveLength(1);
    expect((await before.screens.open('/inbox/mail')).html).toContain('are off in this browser');
  });

  it('is replaced, not added, when the same browser turns on push again', async () => {
    const browser = await openSubscribedBrowser(world, world.people.owner);
    const again = await openBrowser(world, world.people.owner);
    expect((await turnOnPush(browser, again.fields)).status).toBe(303);
    expect(await count('push_subscriptions')).toBe(1);
  });

  it('gets nothing once the deployment has another key, and can be renewed', async () => {
    const { owner, member } = world.people;
    const browser = await openSubscribedBrowser(world, owner);
    const VAPID_PRIVATE_KEY = btoa('another key that has 32 bytes...');
    await mention(owner, member);
    await collectAndDeliver({ VAPID_PRIVATE_KEY });
    expect(browser.received).toEqual([]);
  });

  it('is limited to ten browsers per person', async () => {
    const { owner } = world.people;
    for (let browsers = 0; browsers < 10; browsers += 1) await openSubscribedBrowser(world, owner);
    const { status, html } = await turnOnPush(await openBrowser(world, owner));
    expect([status, html.includes('in up to 10 browsers')]).toEqual([400, true]);
    expect(await count('push_subscriptions')).toBe(10);
  });

  it.each([
    ['endpoint', 'https://evil.example.com/push', 'must belong to the push service'],
    ['endpoint', 'https://fcm.googleapis.com.evil.example.com/push', 'must belong to the push service'],
    ['endpoint', 'https://evilpush.apple.com/push', 'must belong to the push service'],
    ['endpoint', 'https://push.apple.com.evil.example.com/push', 'must belong to the push service'],
    ['endpoint', 'https://fcm.googleapis.com:8443/push', 'must use port 443'],
    ['endpoint', 'https://user@fcm.googleapis.com/push', 'user name'],
    ['endpoint', 'http://fcm.googleapis.com/push', 'must begin with https://'],
    ['endpoint', 'http://127.0.0.1/push', 'must begin with https://'],
    ['endpoint', 'https://[::1]/push', 'public host name'],
    ['endpoint', 'https://169.254.169.254/latest', 'public host name'],
    ['endpoint', '', 'required'],
    ['p256dh', 'BAAA', 'must be 65 bytes'],
    ['p256dh', `B${'A'.repeat(86)}`, 'on the curve'],
    ['auth', 'not base64!', 'must be 16 bytes'],
    ['serverKey', `B${'A'.repeat(86)}`, 'key for push notifications has changed'],
  ])('is rejected if its %s is %s', async (field, value, message) => {
    const browser = await openBrowser(world, world.people.member);
    const { status, html } = await turnOnPush(browser, { [field]: value });
    expect([status, html.toLowerCase()]).toEqual([400, expect.stringContaining(message.toLowerCase())]);
    expect(await count('push_subscriptions')).toBe(0);
  });

  it.each([
    'https://fcm.googleapis.com/fcm/send/abc',
    'https://updates.push.services.mozilla.com/wpush/v2/abc',
    'https://web.push.apple.com/abc',
    'https://api.push.apple.com/abc',
    'https://jmt17.google.com/fcm/send/abc',
    'https://wns2-par02p.notify.windows.com/w/?token=abc',
  ])('can be at %s', async (endpoint) => {
    const browser = await openBrowser(world, world.people.member);
    expect((await turnOnPush(browser, { endpoint })).status).toBe(303);
  });
});

describe('a test notification', () => {
  it('arrives only in the browser that asks for it', async () => {
    const { owner } = world.people;
    const browser = await openSubscribedBrowser(world, owner);
    const other = await openSubscribedBrowser(world, owner);
    expect((await browser.screens.send('/inbox/mail', '/inbox/push/test')).status).toBe(303);
    expect(browser.received.map(({ payload }) => payload.title)).toEqual(['Push notifications work']);
    expect(other.received).toEqual([]);
  });

  it('is refused while push is off, and more than twenty times an hour', async () => {
    const { owner } = world.people;
    const browser = await openSubscribedBrowser(world, owner);
    const { html } = await browser.screens.open('/inbox/mail');
    const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const back = `${browser.screens.base}/inbox/mail`;
    const send = () => browser.screens.post('/inbox/push/test', { csrf, back, once: crypto.randomUUID() });
    const statuses: number[] = [];
    for (let round = 0; round < 21; round += 1) statuses.push((await send()).status);
    expect([statuses.filter((status) => status === 303).length, statuses.at(-1)]).toEqual([20, 429]);
    expect(browser.received).toHaveLength(20);
    await browser.screens.send('/inbox/mail', '/inbox/push/off');
    const refused = await send();
    expect([refused.status, refused.html.includes('are off in this browser')]).toEqual([400, true]);
  });
});

it('push settings say so if the deployment has no key', async () => {
  const { screens } = await openBrowser(world, world.people.owner);
  const page = await screens.browser.get(`${screens.base}/inbox/mail`, { VAPID_PRIVATE_KEY: 'too short' });
  expect(await page.text()).toContain('set up on this server');
});
