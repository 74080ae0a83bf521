import type * as z from 'zod';
import { hashPassword } from '../../accounts/passwords/passwords.ts';
import { findAccount, insertVerifiedAccount, toEmailKey } from '../../accounts/sign-up/accounts.queries.ts';
import { newPassword, newPersonName } from '../../accounts/sign-up/accounts.schema.ts';
import { countRegistration } from '../../accounts/sign-up/attempt-limits.ts';
import { describeRequestSource } from '../../kernel/audit/record-audit.queries.ts';
import { AppError, forbiddenError, invalidRequestError } from '../../kernel/errors/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { requireWithinRateLimit } from '../../kernel/rate-limit/rate-limit.ts';
import { createId, hashSecret, parseTokenCell } from '../../kernel/secrets/tokens.ts';
import { WriteConflictError } from '../../kernel/sql/database.ts';
import { tryToCopyMembershipToDirectory } from '../directory/copy-memberships.ts';
import { listPersonCells } from '../directory/directory.queries.ts';
import type { Person } from '../directory/provision.ts';
import { acceptInvitation as acceptStatements, findInvitationByToken } from './accept.queries.ts';
import { INVITATION_PREFIX } from './invitation-link.ts';
import { acceptedInvitation, invitationPreview, invitationTokenInput } from './invitations.schema.ts';

export const showInvitation = defineOperation(
  {
    name: 'showInvitation',
    summary: 'Get an invitation from its link',
    access: 'public',
    capability: null,
    effect: 'read',
    input: invitationTokenInput,
    output: invitationPreview,
  },
  async ({ request }, { token }) => {
    const { invitation } = await readInvitationLink(request, token);
    if (invitation.accepted_by !== null) throw linkExpiredError();
    const [accounts] = await request.directory.batch([findAccount(invitation.email_key)]);
    return {
      workspaceName: invitation.workspace_name,
      role: invitation.role,
      email: invitation.email,
      invitedBy: invitation.invited_by,
      hasAccount: accounts !== null && accounts.verified_at !== null,
    };
  },
);

export const acceptInvitation = defineOperation(
  {
    name: 'acceptInvitation',
    summary: 'Accept an invitation with your account',
    access: 'account',
    capability: null,
    effect: 'write',
    input: invitationTokenInput,
    output: acceptedInvitation,
    audits: ['member.joined'],
  },
  async ({ account, directory, request }, { token }) => {
    // This batch also checks the session, so that no one can join with a revoked session.
    const [cells] = await directory.batch([listPersonCells(account.id)]);
    const all = cells.map((each) => each.cell);
    return joinWorkspace(request, token, account, all);
  },
);

export const registerByInvitation = defineOperation(
  {
    name: 'registerByInvitation',
    summary: 'Create an account from an invitation and join its workspace',
    description:
      "The account's email address is already verified, because the link was sent to it. Doesn't create a workspace for the person.",
    access: 'public',
    capability: null,
    effect: 'write',
    input: invitationTokenInput.extend({ name: newPersonName, password: newPassword }),
    output: acceptedInvitation,
    audits: ['member.joined'],
    replay: {
      // The first attempt created the account, but a crash may have kept the person from joining.
      rebuild: async ({ directory, request }, { token }) => {
        const { invitation } = await readInvitationLink(request, token);
        const [account] = await directory.batch([findAccount(invitation.email_key)]);
        return joinWorkspace(request, token, account, []);
      },
    },
  },
  async ({ directory, request, now }, { token, name, password }) => {
    // If the form is submitted again, its link has already been used. The empty batch then returns the stored response.
    const [, { invitation }] = await Promise.all([directory.batch([]), readInvitationLink(request, token)]);
    if (invitation.accepted_by !== null) throw linkExpiredError();
    requireWithinRateLimit(await countRegistration(request));
    const { email, email_key: emailKey } = invitation;
    const fresh = { id: createId('usr'), email, name, passwordHash: await hashPassword(password) };
    const [, account] = await directory.batch([
      // Replaces an unverified account with this address, because a stranger may have created it.
      insertVerifiedAccount(fresh, now),
      findAccount(emailKey),
    ]);
    if (!account || account.password_hash !== fresh.passwordHash) {
      throw invalidRequestError(
        'This email address already has an account. Sign in, then open the link again.',
      );
    }
    return joinWorkspace(request, token, account, []);
  },
);

/** Safe to repeat. If `person` is null, the accepted invitation identifies the person. */
async function joinWorkspace(
  request: RequestScope,
  token: string,
  person: Person | null,
  cells: readonly number[],
): Promise<z.input<typeof acceptedInvitation>> {
  const { invitation, cell } = await readInvitationLink(request, token);
  const { accepted_by: acceptedBy, workspace_id: workspaceId } = invitation;
  const userId = person?.id ?? acceptedBy;
  if (userId === null || (acceptedBy !== null && acceptedBy !== userId)) throw linkExpiredError();
  if (person && acceptedBy === null) {
    if (toEmailKey(person.email) !== invitation.email_key) {
      throw forbiddenError(
        `This invitation is for ${invitation.email}, but you are signed in as ${person.email}. Sign out, then open the link again.`,
      );
    }
    const all = [...new Set([...cells, cell])].sort((a, b) => a - b);
    await request
      .cell(cell)
      .batch(acceptStatements(invitation, person, all, describeRequestSource(request), request.now))
      .catch(async (error: unknown) => {
        if (!(error instanceof WriteConflictError)) throw error;
        const { invitation: now } = await readInvitationLink(request, token);
        if (now.accepted_by !== userId) throw linkExpiredError();
      });
  }
  await tryToCopyMembershipToDirectory(request, cell, workspaceId, userId);
  return { workspaceId, userId };
}

async function readInvitationLink(request: RequestScope, token: string) {
  const cell = parseTokenCell(INVITATION_PREFIX, token);
  if (cell === null || !request.config.cells.has(cell)) throw linkExpiredError();
  const [invitation] = await request
    .cell(cell)
    .batch([findInvitationByToken(hashSecret(token), request.now)]);
  if (!invitation) throw linkExpiredError();
  return { invitation, cell };
}

/** Doesn't reveal whether the link is unknown, expired, withdrawn or replaced. */
function linkExpiredError() {
  return new AppError(
    'not_found',
    'This invitation has expired. Ask the person who invited you to send it again.',
  );
}
