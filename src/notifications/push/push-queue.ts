import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { deliverPushes } from './deliver-push.ts';
import { NOTIFICATION_AGE_MS_MAX, type PushTask } from './push-task.ts';

const SEND_BATCH_MAX = 100;
const FIRST_RETRY_MS = 60_000;

/** Without a queue, sends the notifications once, after the response. Failed ones then appear only in the inbox. */
export async function queuePushes(scope: RequestScope, pushes: readonly PushTask[]): Promise<void> {
  const queue = scope.env.PUSH_NOTIFICATIONS;
  if (pushes.length === 0) return;
  if (!queue) {
    scope.afterResponse('push.deliver', () => deliverPushes(scope, pushes));
    return;
  }
  for (let start = 0; start < pushes.length; start += SEND_BATCH_MAX)
    await queue.sendBatch(pushes.slice(start, start + SEND_BATCH_MAX).map((body) => ({ body })));
}

/** Retries failed notifications later, so that a push service that doesn't respond delays no others. */
export async function consumePushBatch(batch: MessageBatch<unknown>, scope: RequestScope): Promise<void> {
  const received = batch.messages.map((message) => ({ message, task: message.body as PushTask }));
  const failed = await deliverPushes(
    scope,
    received.map(({ task }) => task),
  );
  for (const { message, task } of received) {
    const wait = failed.get(task);
    if (wait === undefined || wait > NOTIFICATION_AGE_MS_MAX) continue;
    const usual = FIRST_RETRY_MS * 2 ** (message.attempts - 1);
    message.retry({ delaySeconds: Math.ceil(Math.max(usual, wait) / 1000) });
  }
}
