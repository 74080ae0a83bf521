import * as z from 'zod';
import { HOUR_MS } from '../../kernel/dates/durations.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { countHit, requireWithinRateLimit } from '../../kernel/rate-limit/rate-limit.ts';
import type { PushMessage } from './compose-push.ts';
import { sendToBrowser } from './deliver-push.ts';
import { importBrowserKey } from './encrypt-push.ts';
import {
  BROWSERS_MAX,
  formerServerKeyError,
  invalidBrowserKeyError,
  notInBrowserError,
  notSubscribedError,
  pushUnavailableError,
  requirePushEndpoint,
  testFailedError,
  tooManyBrowsersError,
} from './push.policy.ts';
import { parseBase64url, pushTypesInput, subscriptionInput } from './push.schema.ts';
import {
  deleteSubscription,
  findPushState,
  insertSubscription,
  listPushBrowsers,
  savePushTypes,
} from './subscriptions.queries.ts';
import { findPushKey } from './vapid.ts';

const TESTS_PER_HOUR_MAX = 20;

const ownPush = { access: 'session', capability: 'manageOwn' } as const;
const noInput = z.strictObject({});

export const setPushTypes = defineOperation(
  {
    ...ownPush,
    name: 'setPushTypes',
    summary: 'Choose which notifications are pushed to your browsers',
    effect: 'write',
    input: pushTypesInput,
    output: successOutput,
    replay: successReplay,
  },
  async ({ request, caller, recheck }, { types }) => {
    // The directory can't check the credential, so `recheck` rejects a revoked credential before the write.
    await recheck();
    await request.directory.batch([savePushTypes(caller.userId, JSON.stringify(types))]);
    return { success: true as const };
  },
);

export const subscribeToPush = defineOperation(
  {
    ...ownPush,
    name: 'subscribeToPush',
    summary: 'Turn on push notifications for this browser',
    effect: 'write',
    input: subscriptionInput,
    output: successOutput,
    replay: successReplay,
  },
  async ({ request, caller, now, recheck }, { endpoint, p256dh, auth, serverKey }) => {
    const key = await findPushKey(request);
    if (!key) throw pushUnavailableError();
    if (serverKey !== key.publicKey) throw formerServerKeyError();
    requirePushEndpoint(request, endpoint);
    await importBrowserKey(parseBase64url(p256dh)).catch(() => {
      throw invalidBrowserKeyError();
    });
    await recheck();
    const own = { sessionHash: caller.credential.hash, userId: caller.userId };
    const [, , state] = await request.directory.batch([
      ...insertSubscription({ ...own, endpoint, p256dh, auth, serverKey }, BROWSERS_MAX, now),
      findPushState(own.userId, own.sessionHash, serverKey),
    ]);
    if (state.endpoint === null)
      throw state.browsers >= BROWSERS_MAX ? tooManyBrowsersError() : notInBrowserError();
    return { success: true as const };
  },
);

export const unsubscribeFromPush = defineOperation(
  {
    ...ownPush,
    name: 'unsubscribeFromPush',
    summary: 'Turn off push notifications for this browser',
    effect: 'write',
    input: noInput,
    output: successOutput,
    replay: successReplay,
  },
  async ({ request, caller, recheck }) => {
    await recheck();
    await request.directory.batch([deleteSubscription(caller.credential.hash, caller.userId)]);
    return { success: true as const };
  },
);

export const testPush = defineOperation(
  {
    ...ownPush,
    name: 'testPush',
    summary: 'Send a test notification to this browser',
    effect: 'write',
    input: noInput,
    output: successOutput,
    replay: successReplay,
  },
  async (ctx) => {
    const { request, caller, now, recheck } = ctx;
    const browser = await requirePushBrowser(ctx);
    requireWithinRateLimit(
      await countHit(request, `push.test:${caller.userId}`, TESTS_PER_HOUR_MAX, HOUR_MS),
    );
    await recheck();
    const test: PushMessage = {
      urgency: 'high',
      payload: {
        title: 'Push notifications work',
        body: 'You get notifications of the types that you chose here, even when Edgework is closed.',
        path: `/app/${caller.workspaceId}/inbox/mail`,
        tag: `test-${now}`,
      },
    };
    const outcome = await sendToBrowser(request, browser, [test]);
    if (outcome.kind !== 'sent') throw testFailedError(outcome);
    return { success: true as const };
  },
);

async function requirePushBrowser({ request, caller, now }: Context) {
  const key = await findPushKey(request);
  if (!key) throw pushUnavailableError();
  const [[browser]] = await request.directory.batch([
    listPushBrowsers([caller.credential.hash], key.publicKey, now),
  ]);
  if (!browser) throw notSubscribedError();
  return browser;
}
