import { parseEnv } from '../../../src/env.ts';
import { createRequestScope } from '../../../src/kernel/operation/request-scope.ts';
import { unlimitedAllowance } from '../../../src/kernel/sql/budget.ts';
import { collectPush } from '../../../src/notifications/push/collect-push.ts';
import { ORIGIN } from '../../support/api.ts';
import { env } from '../../support/env.ts';

/** Also returns the work that runs after the response. */
export function openScope(variables: Partial<Env> = {}) {
  const work: Promise<unknown>[] = [];
  const all = { ...env, ...variables } as Env;
  const scope = createRequestScope({
    env: all,
    config: parseEnv(all),
    origin: ORIGIN,
    waitUntil: (promise) => void work.push(promise),
  });
  return { scope, work };
}

/** Runs the cron job without a queue, and waits for the deliveries. */
export async function collectAndDeliver(variables: Partial<Env> = {}): Promise<void> {
  const { scope, work } = openScope(variables);
  while (await collectPush.run(scope, 0, unlimitedAllowance));
  await Promise.all(work);
}

export async function emptyPushTables(): Promise<void> {
  await env.DIRECTORY.batch(
    ['push_subscriptions', 'push_preferences'].map((table) => env.DIRECTORY.prepare(`DELETE FROM ${table}`)),
  );
}
