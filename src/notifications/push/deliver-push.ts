import { describeError, log } from '../../kernel/operation/log.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { readUnreadItems } from '../inbox/unread-items.ts';
import { composePush, type PushMessage } from './compose-push.ts';
import { NOTIFICATION_AGE_MS_MAX, type PushTask } from './push-task.ts';
import { parsePushTypes } from './push-types.ts';
import { type PushOutcome, sendPush } from './send-push.ts';
import { deleteGoneSubscription, listPushBrowsers, type PushBrowser } from './subscriptions.queries.ts';
import { findVapidKey } from './vapid.ts';

/** A Worker has six connections at a time. A request that waits for one could time out before it is sent. */
const PARALLEL_MAX = 6;

/**
 * Sends what each person can still see and hasn't read, if the browser is still signed in. Returns the tasks to repeat,
 * with the wait in milliseconds that the push service asked for, or 0. Throws if the directory fails.
 */
export async function deliverPushes(
  scope: RequestScope,
  tasks: readonly PushTask[],
): Promise<Map<PushTask, number>> {
  const failed = new Map<PushTask, number>();
  const key = await findVapidKey(scope.config.vapidPrivateKey);
  if (!key) return failed;
  const sessions = tasks.map(({ sessionHash }) => sessionHash);
  const [browsers] = await scope.directory.batch([listPushBrowsers(sessions, key.publicKey, scope.now)]);
  const bySession = new Map(browsers.map((browser) => [browser.session_hash, browser]));
  for (let start = 0; start < tasks.length; start += PARALLEL_MAX) {
    await Promise.all(
      tasks.slice(start, start + PARALLEL_MAX).map(async (task) => {
        const browser = bySession.get(task.sessionHash);
        const outcome = browser && (await deliverToBrowser(scope, task, browser));
        if (outcome?.kind === 'failed') failed.set(task, outcome.retryAfterMs ?? 0);
      }),
    );
  }
  return failed;
}

async function deliverToBrowser(
  scope: RequestScope,
  task: PushTask,
  browser: PushBrowser,
): Promise<PushOutcome> {
  try {
    const items = await readUnreadItems(scope, task.cell, browser.user_id, {
      kinds: parsePushTypes(browser.types),
      ids: [task.after, task.upto],
      times: [scope.now - NOTIFICATION_AGE_MS_MAX, Number.MAX_SAFE_INTEGER],
    });
    return await sendToBrowser(scope, browser, composePush(task.cell, items));
  } catch (error) {
    log('error', 'push.failed', { cell: task.cell, cause: describeError(error) });
    return { kind: 'failed', reason: 'unexpected error', retryAfterMs: null };
  }
}

/** Stops at the first message that isn't sent. */
export async function sendToBrowser(
  scope: Pick<RequestScope, 'config' | 'origin' | 'now' | 'directory'>,
  browser: PushBrowser,
  messages: readonly PushMessage[],
): Promise<PushOutcome> {
  for (const message of messages) {
    const outcome = await sendPush(scope, browser, message);
    if (outcome.kind === 'sent') continue;
    if (outcome.kind === 'gone') await scope.directory.batch([deleteGoneSubscription(browser)]);
    else logFailure(browser, outcome);
    return outcome;
  }
  return { kind: 'sent' };
}

/** Logs only the domain, because the endpoint is a secret of the browser, and people can make up host names. */
function logFailure({ endpoint }: PushBrowser, { kind, reason }: PushOutcome & { readonly reason: string }) {
  const domain = new URL(endpoint).hostname.split('.').slice(-2).join('.');
  if (kind === 'failed') log('info', 'push.postponed', { domain, cause: reason });
  else log('error', 'push.rejected', { domain, cause: reason });
}
