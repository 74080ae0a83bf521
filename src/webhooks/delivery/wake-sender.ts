import type { Caller } from '../../kernel/access/access.ts';
import { getHub, type RequestScope } from '../../kernel/operation/request-scope.ts';

/** Starts sending after a webhook was created or changed. If the call is lost, the cron job makes up for it. */
export function wakeSender(scope: RequestScope, { cell, workspace }: Pick<Caller, 'cell' | 'workspace'>) {
  scope.afterAnswer('webhooks.wake', () => getHub(scope.env, cell, workspace).sendWebhooks(false));
}
