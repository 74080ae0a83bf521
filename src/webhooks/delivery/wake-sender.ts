import type { Caller } from '../../kernel/access/access.ts';
import { getWorkspaceHub, type RequestScope } from '../../kernel/operation/request-scope.ts';

/** If the call is lost, the `wakeLateWebhooks` cron job wakes the sender. */
export function wakeSender(scope: RequestScope, { cell, workspace }: Pick<Caller, 'cell' | 'workspace'>) {
  scope.afterResponse('webhooks.wake', () => getWorkspaceHub(scope.env, cell, workspace).sendWebhooks(false));
}
