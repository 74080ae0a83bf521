import type { Caller, Plan } from '../../kernel/access/access.ts';
import { MINUTE_MS } from '../../kernel/dates/durations.ts';
import { AppError } from '../../kernel/errors/errors.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { toAddressBlock } from '../../kernel/rate-limit/client-address.ts';
import { countHitLocally } from '../../kernel/rate-limit/local-hit-count.ts';
import { requireWithinRateLimit } from '../../kernel/rate-limit/rate-limit.ts';

export interface VisitedWorkspace {
  readonly ws: number;
  readonly workspace_id: string;
  readonly workspace_name: string;
  readonly plan: Plan;
  readonly timezone: string;
}

/**
 * The caller for a visitor, who has a link but isn't signed in. Statements use it only for its workspace, which the
 * link's project or filter narrows further. Its database time counts toward the workspace's budget.
 */
export function createVisitor(workspace: VisitedWorkspace, cell: number, secretHash: string): Caller {
  return {
    credential: { kind: 'session', hash: secretHash, id: null, expiresAt: null, signedInAt: null },
    userId: 'visitor',
    name: 'Visitor',
    email: '',
    image: null,
    role: 'member',
    scopes: [],
    cell,
    cells: [cell],
    member: 0,
    workspace: workspace.ws,
    workspaceId: workspace.workspace_id,
    workspaceName: workspace.workspace_name,
    plan: workspace.plan,
    timezone: workspace.timezone,
    dailyCapacityHours: 0,
    version: 0,
    changeSet: null,
  };
}

const VISITS_PER_IP_MAX = 600;
const VISITS_WINDOW_MS = 5 * MINUTE_MS;

/** Also counts visits with a wrong secret. The request doesn't wait for the counter. */
export function limitVisits(scope: RequestScope) {
  const name = `visit:ip:${toAddressBlock(scope.clientIp)}`;
  const verdict = countHitLocally(scope, name, VISITS_PER_IP_MAX, VISITS_WINDOW_MS);
  if (verdict instanceof Promise) scope.afterResponse('rate_limit.unavailable', () => verdict);
  else requireWithinRateLimit(verdict);
}

/** Doesn't reveal whether the link ever existed. */
export function linkNotFoundError(): AppError {
  return new AppError(
    'not_found',
    'This link is incorrect or no longer works. Ask the person who shared it with you for a new one.',
  );
}
