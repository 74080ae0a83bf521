import type { Caller } from '../../kernel/access/access.ts';
import { getHub, type RequestScope } from '../../kernel/operation/request-scope.ts';

/** If the call is lost, the cron wakes the sender. */
export function wakeSender(scope: RequestScope, { cell, workspace }: Pick<Caller, 'cell' | 'workspace'>) {
  scope.afterAnswer('webhooks.wake', () => getHub(scope.env, cell, workspace).sendWebhooks(false));
}
