import * as z from 'zod';
import { toEmailKey } from '../../accounts/sign-up/accounts.queries.ts';
import type { Caller } from '../../kernel/access/access.ts';
import { recordAuditEntry } from '../../kernel/audit/record-audit.queries.ts';
import { HOUR_MS } from '../../kernel/dates/durations.ts';
import { forbiddenError, invalidRequestError, notFoundError } from '../../kernel/errors/errors.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, successReplay, toTimestamp } from '../../kernel/operation/schema.ts';
import { countEmails, type Recipient, requireEmailsAllowed } from '../../kernel/rate-limit/email-limits.ts';
import { countHit, peekRateWindow, requireWithinRateLimit } from '../../kernel/rate-limit/rate-limit.ts';
import { isRoleAbove } from '../people/people.policy.ts';
import { createInvitationLink } from './invitation-link.ts';
import {
  assertGrantableProjects,
  assertInvitationPending,
  assertNoMembersWithEmail,
  assertPendingInvitationLimit,
  countGrantableProjects,
  endInvitation,
  findPendingInvitation,
  type InvitationRow,
  insertInvitations,
  listMembersByEmail,
  listPendingInvitations,
  newestInvitationId,
  renewInvitation,
} from './invitations.queries.ts';
import {
  type InvitedRole,
  invitationIdInput,
  invitationList,
  invitePeopleInput,
} from './invitations.schema.ts';
import { queueInvitations } from './send-invitations.ts';

const PENDING_INVITATIONS_MAX = 200;
/** Limited per workspace, because these emails go to strangers. */
const EMAILS_PER_HOUR_MAX = 60;

const rolesLeadsCanInvite: readonly InvitedRole[] = ['member', 'client'];

const toInvitationMail = ({ workspaceName, name, userId }: Caller, email: string) => ({
  email,
  workspaceName,
  invitedBy: name,
  inviterId: userId,
});

export const listInvitations = defineOperation(
  {
    name: 'listInvitations',
    summary: 'List pending invitations; leads see their own',
    access: 'session',
    capability: 'invitePeople',
    effect: 'read',
    input: z.strictObject({}),
    output: invitationList,
  },
  async (ctx) => {
    const [found] = await ctx.db.batch([listPendingInvitations(ctx.caller, requireInviteReach(ctx))]);
    return { invitations: found.map((each) => toInvitation(each, ctx.now)) };
  },
);

export const invitePeople = defineOperation(
  {
    name: 'invitePeople',
    summary: 'Invite people to the workspace by email',
    description:
      'Each link works only for the invited address and expires after 7 days. A new invitation replaces an earlier one to the same address.',
    access: 'session',
    capability: 'invitePeople',
    effect: 'write',
    input: invitePeopleInput,
    output: successOutput,
    replay: { ...successReplay, entity: newestInvitationId },
    audits: ['invitation.sent'],
  },
  async (ctx, { email: emails, role, projectIds }) => {
    const { caller, db, now, request } = ctx;
    const reach = requireInviteReach(ctx);
    const projects = [...new Set(projectIds)];
    const recipients = emails.map((email) => ({ email, emailKey: toEmailKey(email) }));
    const keys = recipients.map(({ emailKey }) => emailKey);
    const [members, known] = await db.batch([
      listMembersByEmail(caller, keys),
      countGrantableProjects(caller, projects, reach),
    ]);
    requireAllowedGrant(ctx, role, projects, known);
    if (members.length > 0) throw alreadyMembersError(members.map(({ email }) => email));
    await countInvitationMails(ctx, recipients);
    const drafts = recipients.map((each) => ({ ...createInvitationLink(caller.cell, now), ...each }));
    await db.batch([
      assertNoMembersWithEmail(caller, keys),
      assertGrantableProjects(caller, projects, reach),
      ...insertInvitations(
        caller,
        drafts.map(({ token: _, ...draft }) => draft),
        { role, projects, now },
      ),
      assertPendingInvitationLimit(caller, PENDING_INVITATIONS_MAX),
      ...drafts.map(({ email }) =>
        recordAuditEntry(ctx, { type: 'invitation.sent', subject: { name: email }, details: { role } }),
      ),
    ]);
    await queueInvitations(
      request,
      caller.cell,
      drafts.map((link) => ({ link, mail: toInvitationMail(caller, link.email) })),
    );
    return { success: true as const };
  },
);

export const resendInvitation = defineOperation(
  {
    name: 'resendInvitation',
    summary: 'Resend an invitation with a new link',
    description:
      'The old link stops working, and the new one expires after 7 days. Requires the same role as inviting; you become the sender.',
    access: 'session',
    capability: 'invitePeople',
    effect: 'write',
    input: invitationIdInput,
    output: successOutput,
    replay: successReplay,
    audits: ['invitation.resent'],
  },
  async (ctx, { id }) => {
    const { caller, db, now, request } = ctx;
    const reach = requireInviteReach(ctx);
    const [open] = await db.batch([findPendingInvitation(caller, id, reach)]);
    if (!open) throw invitationNotFoundError(id);
    const projects = JSON.parse(open.projects) as number[];
    const [known] = await db.batch([countGrantableProjects(caller, projects, reach)]);
    requireAllowedGrant(ctx, open.role, projects, known);
    await countInvitationMails(ctx, [{ email: open.email, emailKey: toEmailKey(open.email) }]);
    const link = createInvitationLink(caller.cell, now);
    await db.batch([
      assertInvitationPending(caller, id),
      assertGrantableProjects(caller, projects, reach),
      renewInvitation(caller, id, link.tokenHash, link.expiresAt),
      recordAuditEntry(ctx, {
        type: 'invitation.resent',
        subject: { id, name: open.email },
        details: { role: open.role },
      }),
    ]);
    await queueInvitations(request, caller.cell, [{ link, mail: toInvitationMail(caller, open.email) }]);
    return { success: true as const };
  },
);

export const withdrawInvitation = defineOperation(
  {
    name: 'withdrawInvitation',
    summary: 'Withdraw an invitation; its link stops working',
    access: 'session',
    capability: 'invitePeople',
    effect: 'write',
    input: invitationIdInput,
    output: successOutput,
    replay: successReplay,
    audits: ['invitation.withdrawn'],
  },
  async (ctx, { id }) => {
    const { caller, db, now } = ctx;
    const [open] = await db.batch([findPendingInvitation(caller, id, requireInviteReach(ctx))]);
    if (!open) throw invitationNotFoundError(id);
    await db.batch([
      recordAuditEntry(ctx, { type: 'invitation.withdrawn', subject: { id, name: open.email } }),
      endInvitation(caller, id, now),
    ]);
    return { success: true as const };
  },
);

function requireInviteReach({ caller, reach }: Context): 'all' | 'own' {
  if (reach === 'all' || reach === 'own') return reach;
  throw forbiddenError(
    `Only leads, admins and owners can invite people; your role is ${caller.role}. Ask one of them.`,
  );
}

/** `known` is the number of `projects` that exist, or for a lead, the number of `projects` that they lead. */
function requireAllowedGrant(ctx: Context, role: InvitedRole, projects: readonly number[], known: number) {
  requireRoleNotAboveCaller(ctx, role);
  if (
    ctx.reach === 'own' &&
    (!rolesLeadsCanInvite.includes(role) || projects.length === 0 || known < projects.length)
  ) {
    throw forbiddenError(
      'Leads can invite members and clients to projects they lead. Choose one of those projects, or ask an owner or admin.',
    );
  }
  if (known < projects.length) {
    throw invalidRequestError(
      ({ call, field }) =>
        `${field('projectIds')} must exist in this workspace. ${call('listProjects')} lists the projects.`,
    );
  }
}

function requireRoleNotAboveCaller({ caller }: Context, role: InvitedRole) {
  if (isRoleAbove(role, caller.role)) {
    throw forbiddenError(
      `You can't grant the ${role} role, because it is above your role, ${caller.role}. Ask an owner.`,
    );
  }
}

/** Counts the emails toward the limits only if the limits allow all of them. */
async function countInvitationMails(
  { caller: { workspaceId }, request }: Context,
  recipients: readonly Recipient[],
): Promise<void> {
  const mail = { recipients, sender: workspaceId };
  const name = `invite:${workspaceId}`;
  const hits = recipients.length;
  requireWithinRateLimit(await peekRateWindow(request, name, EMAILS_PER_HOUR_MAX, hits));
  await requireEmailsAllowed(request, mail);
  requireWithinRateLimit(
    await countHit(request, name, EMAILS_PER_HOUR_MAX, HOUR_MS, { durable: true, hits }),
  );
  await countEmails(request, mail);
}

function alreadyMembersError(emails: readonly string[]) {
  return invalidRequestError(
    `Already in this workspace: ${emails.join(', ')}. Invite only people who aren't members yet.`,
    'email',
  );
}

function invitationNotFoundError(id: number) {
  return notFoundError('invitation', id, ({ call }) => call('listInvitations'));
}

function toInvitation(row: InvitationRow, now: number) {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    projects: JSON.parse(row.projects) as { id: number; name: string }[],
    invitedBy: row.invited_by,
    createdAt: toTimestamp(row.created_at),
    expiresAt: toTimestamp(row.expires_at),
    isExpired: row.expires_at <= now,
  };
}
