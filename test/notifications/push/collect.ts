import { parseEnv } from '../../../src/env.ts';
import { createRequestScope, type RequestScope } from '../../../src/kernel/operation/request-scope.ts';
import { unlimitedAllowance } from '../../../src/kernel/sql/budget.ts';
import { collectPush } from '../../../src/notifications/push/collect-push.ts';
import { deliverPushes } from '../../../src/notifications/push/deliver-push.ts';
import type { PushTask } from '../../../src/notifications/push/push-task.ts';
import { ORIGIN } from '../../support/api.ts';
import { env } from '../../support/env.ts';

function openScope(variables: Partial<Env>): RequestScope {
  const all = { ...env, ...variables } as Env;
  return createRequestScope({ env: all, config: parseEnv(all), origin: ORIGIN, waitUntil: () => undefined });
}

/** Runs the cron job, and adds what it queues to `tasks`. */
export async function collectTasks(
  variables: Partial<Env> = {},
  tasks: PushTask[] = [],
): Promise<PushTask[]> {
  const sendBatch = async (messages: Iterable<{ body: PushTask }>) => {
    for (const { body } of messages) tasks.push(structuredClone(body));
  };
  const queue = { sendBatch } as unknown as Queue<PushTask>;
  const scope = openScope({ PUSH_NOTIFICATIONS: queue, ...variables });
  while (await collectPush.run(scope, 0, unlimitedAllowance));
  return tasks;
}

export async function collectAndDeliver(variables: Partial<Env> = {}): Promise<void> {
  await deliverPushes(openScope(variables), await collectTasks(variables));
}

export async function emptyPushTables(): Promise<void> {
  await env.DIRECTORY.batch(
    ['push_subscriptions', 'push_preferences'].map((table) => env.DIRECTORY.prepare(`DELETE FROM ${table}`)),
  );
}
