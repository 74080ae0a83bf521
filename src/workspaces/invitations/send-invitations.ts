import { describeError, log } from '../../kernel/operation/log.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { type Allowance, unitsOf } from '../../kernel/sql/budget.ts';
import { deliverSoon } from '../../mail/queues.ts';
import {
  createInvitationLink,
  type InvitationLink,
  type Invited,
  queueInvitation,
} from './invitation-link.ts';
import { deleteOld, listUnsent, markSent, replaceUnsentToken } from './invitations.queries.ts';

/** Statements for finding and deleting invitations, and for sending one. */
const FIND_COST = 2;
const SEND_COST = 3;
export const INVITATIONS_COST = FIND_COST + SEND_COST;
const INVITATIONS_A_RUN = 20;
/** The request that created the invitation may still be running for this long. */
const PATIENCE_MS = 60_000;
const KEPT_MS = 90 * 24 * 60 * 60_000;
const FORGOTTEN_A_RUN = 100;

/** The invitation is already stored. If queueing its email fails, the cron sends it with a new link. */
export async function sendSoon(
  scope: RequestScope,
  cell: number,
  { token, tokenHash }: InvitationLink,
  invited: Invited,
): Promise<void> {
  try {
    const [mails] = await scope.directory.batch([queueInvitation(scope.origin, token, invited, scope.now)]);
    await scope.cell(cell).batch([markSent(tokenHash, scope.now)]);
    deliverSoon(scope, mails);
  } catch (error) {
    log('error', 'invitation.unsent', { id: scope.id, cause: describeError(error) });
  }
}

export async function sendInvitations(
  scope: RequestScope,
  no: number,
  allowance: Allowance,
): Promise<boolean> {
  const cell = scope.cell(no);
  const limit = unitsOf({ left: allowance.left - FIND_COST }, SEND_COST, INVITATIONS_A_RUN);
  const [unsent] = await cell.batch([
    listUnsent(scope.now - PATIENCE_MS, limit),
    deleteOld(scope.now - KEPT_MS, FORGOTTEN_A_RUN),
  ]);
  for (const { id, email, workspace_name, invited_by, inviter_id } of unsent) {
    const invited = {
      email,
      workspaceName: workspace_name,
      invitedBy: invited_by,
      inviterId: inviter_id,
    };
    const { token, tokenHash } = createInvitationLink(no, scope.now);
    await cell.batch([replaceUnsentToken(id, tokenHash)]);
    await scope.directory.batch([queueInvitation(scope.origin, token, invited, scope.now)]);
    await cell.batch([markSent(tokenHash, scope.now)]);
  }
  return unsent.length === limit;
}
