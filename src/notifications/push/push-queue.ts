import { describeError, log } from '../../kernel/operation/log.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { deliverPushes } from './deliver-push.ts';
import { NOTIFICATION_AGE_MS_MAX, type PushTask } from './push-task.ts';

/** Cloudflare accepts at most 100 messages per call. */
export const SEND_BATCH_MAX = 100;
const FIRST_RETRY_MS = 60_000;

export async function queuePushes(
  { env }: Pick<RequestScope, 'env'>,
  pushes: readonly PushTask[],
): Promise<void> {
  for (let start = 0; start < pushes.length; start += SEND_BATCH_MAX) {
    const messages = pushes.slice(start, start + SEND_BATCH_MAX).map((body) => ({ body }));
    await env.PUSH_NOTIFICATIONS?.sendBatch(messages);
  }
}

/** Decides by the content, because an operator can rename the queues. */
export function isPushBatch(batch: MessageBatch<unknown>): batch is MessageBatch<PushTask> {
  return batch.messages.every(
    ({ body }) => typeof body === 'object' && body !== null && 'sessionHash' in body,
  );
}

/** Retries failed notifications later, so that a push service that doesn't respond delays no others. */
export async function consumePushBatch(
  { messages }: MessageBatch<PushTask>,
  scope: RequestScope,
): Promise<void> {
  const tasks = messages.map(({ body }) => body);
  const failed = await deliverPushes(scope, tasks).catch((error) => {
    log('error', 'push.failed', { cause: describeError(error) });
    return new Map(tasks.map((task) => [task, 0]));
  });
  for (const message of messages) {
    const wait = failed.get(message.body);
    if (wait === undefined || wait > NOTIFICATION_AGE_MS_MAX) continue;
    const usual = FIRST_RETRY_MS * 2 ** (message.attempts - 1);
    message.retry({ delaySeconds: Math.ceil(Math.max(usual, wait) / 1000) });
  }
}
