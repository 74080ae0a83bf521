import type { CellJob } from '../../kernel/operation/jobs.ts';
import { describeError, log } from '../../kernel/operation/log.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { countAffordableUnits } from '../../kernel/sql/budget.ts';
import { scheduleDelivery } from '../../mail/mail-queues.ts';
import {
  createInvitationLink,
  type InvitationLink,
  type InvitationMail,
  queueInvitationMail,
} from './invitation-link.ts';
import {
  deleteOldInvitations,
  hasDueInvitations,
  listUnsentInvitations,
  markInvitationsSent,
  replaceUnsentToken,
} from './invitations.queries.ts';

const FIND_COST = 2;
const SEND_COST = 3;
const INVITATIONS_PER_RUN_MAX = 20;
/** Younger invitations are left out, because the request that created one may still be about to send it. */
const UNSENT_AGE_MS_MIN = 60_000;
const RETENTION_MS = 90 * 24 * 60 * 60_000;
const DELETIONS_PER_RUN_MAX = 100;

interface OutgoingInvitation {
  readonly link: InvitationLink;
  readonly mail: InvitationMail;
}

/** If queueing fails, the `sendInvitations` cron job sends the invitations with new links. */
export async function queueInvitations(
  scope: RequestScope,
  cell: number,
  invitations: readonly OutgoingInvitation[],
): Promise<void> {
  try {
    const emails = await scope.directory.batch(
      invitations.map(({ link, mail }) => queueInvitationMail(scope.origin, link.token, mail, scope.now)),
    );
    const hashes = invitations.map(({ link }) => link.tokenHash);
    await scope.cell(cell).batch([markInvitationsSent(hashes, scope.now)]);
    scheduleDelivery(scope, emails.flat());
  } catch (error) {
    log('error', 'invitation.unsent', { id: scope.id, cause: describeError(error) });
  }
}

export const sendInvitations: CellJob = {
  name: 'invitations.send',
  cost: FIND_COST + SEND_COST,
  isDue: ({ now }) => hasDueInvitations(now - UNSENT_AGE_MS_MIN, now - RETENTION_MS),
  async run(scope, no, allowance) {
    const cell = scope.cell(no);
    const limit = countAffordableUnits(
      { left: allowance.left - FIND_COST },
      SEND_COST,
      INVITATIONS_PER_RUN_MAX,
    );
    const [unsent] = await cell.batch([
      listUnsentInvitations(scope.now - UNSENT_AGE_MS_MIN, limit),
      deleteOldInvitations(scope.now - RETENTION_MS, DELETIONS_PER_RUN_MAX),
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
      await scope.directory.batch([queueInvitationMail(scope.origin, token, invited, scope.now)]);
      await cell.batch([markInvitationsSent([tokenHash], scope.now)]);
    }
    return unsent.length === limit;
  },
};
