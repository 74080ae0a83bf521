import { vi } from 'vitest';
import type { PushPayload } from '../../../src/notifications/push/compose-push.ts';
import type { Person, World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../../web/server/workspace-browser.ts';
import { createPushReceiver, verifyVapidHeader } from './push-receiver.ts';
import { readServerKey } from './stored-subscription.ts';

interface ReceivedPush {
  readonly payload: PushPayload;
  readonly headers: Headers;
  readonly token: Awaited<ReturnType<typeof verifyVapidHeader>>;
}

export interface SubscribedBrowser {
  readonly screens: WorkspaceBrowser;
  readonly endpoint: string;
  readonly fields: Record<string, string>;
  /** Every message that the push service was sent, including those that it didn't accept. */
  readonly received: ReceivedPush[];
  answer: () => Response | Promise<Response>;
}

const browsers = new Map<
  string,
  { browser: SubscribedBrowser; decrypt: (body: Uint8Array) => Promise<string> }
>();

/** Routes every fetch of the Worker to push services that decrypt messages as browsers do. */
export function openPushServices() {
  return vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input as Request, init);
    const known = browsers.get(request.url);
    if (!known) throw new Error(`no push service at ${request.url}`);
    const { browser, decrypt } = known;
    const payload = JSON.parse(await decrypt(new Uint8Array(await request.arrayBuffer())));
    const token = await verifyVapidHeader(request.headers.get('Authorization') ?? '');
    browser.received.push({ payload, headers: request.headers, token });
    return browser.answer();
  });
}

/** Signs in, but doesn't turn on push yet. */
export async function openBrowser(world: World, person: Person): Promise<SubscribedBrowser> {
  const { keys, decrypt } = await createPushReceiver();
  const endpoint = `https://updates.push.services.mozilla.com/wpush/v2/${crypto.randomUUID()}`;
  const browser: SubscribedBrowser = {
    screens: await WorkspaceBrowser.signIn(world, person),
    endpoint,
    fields: { endpoint, ...keys, serverKey: await readServerKey() },
    received: [],
    answer: () => new Response(null, { status: 201 }),
  };
  browsers.set(endpoint, { browser, decrypt });
  return browser;
}

export async function openSubscribedBrowser(world: World, person: Person): Promise<SubscribedBrowser> {
  const browser = await openBrowser(world, person);
  const { status, html } = await turnOnPush(browser);
  if (status !== 303) throw new Error(`Turning on push returned ${status}: ${html}`);
  return browser;
}

/** Submits the form as the page's script does. */
export async function turnOnPush(
  { screens, fields }: SubscribedBrowser,
  changed: Record<string, string> = {},
) {
  const { html } = await screens.open('/inbox/mail');
  const csrf = /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? '';
  const once = crypto.randomUUID();
  const back = `${screens.base}/inbox/mail`;
  return screens.post('/inbox/push', { csrf, once, back, ...fields, ...changed });
}
