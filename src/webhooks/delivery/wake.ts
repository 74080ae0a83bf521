import type { Caller } from '../../kernel/access/access.ts';
import { hubOf, type RequestScope } from '../../kernel/operation/request-scope.ts';

/** A webhook was made or changed. If this is lost, the cron finds it. */
export function wakeSender(scope: RequestScope, { cell, workspace }: Pick<Caller, 'cell' | 'workspace'>) {
  scope.afterAnswer('webhooks.wake', () => hubOf(scope.env, cell, workspace).sendWebhooks(false));
}
