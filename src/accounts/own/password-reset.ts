import { describeRequestSource } from '../../kernel/audit/record-audit.queries.ts';
import { AppError } from '../../kernel/errors/errors.ts';
import type { DirectoryJob } from '../../kernel/operation/jobs.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { requireWithinRateLimit } from '../../kernel/rate-limit/rate-limit.ts';
import { createSecret, hashSecret } from '../../kernel/secrets/tokens.ts';
import { WriteConflictError } from '../../kernel/sql/database.ts';
import { scheduleDelivery } from '../../mail/mail-queues.ts';
import { queueMailTo } from '../../mail/outbox.queries.ts';
import { buildLinkMail } from '../../mail/templates.ts';
import { deleteSessionCopies } from '../browser-sessions/end-sessions.ts';
import { hashPassword } from '../passwords/passwords.ts';
import { toEmailKey } from '../sign-up/accounts.queries.ts';
import { countResetRequest } from '../sign-up/attempt-limits.ts';
import { tryToCopyPerson } from './copy-people.ts';
import {
  assertLinkUnused,
  deleteExpiredAccountLinks,
  findAccountLink,
  insertAccountLink,
  replacePassword,
  selectOwnerByEmail,
} from './own-account.queries.ts';
import { linkInput, passwordResetInput, passwordResetRequestInput } from './own-account.schema.ts';

const RESET_LINK_LIFETIME_MS = 60 * 60_000;

export const requestPasswordReset = defineOperation(
  {
    name: 'requestPasswordReset',
    summary: 'Send a password reset link',
    description: 'The response and its timing are the same whether or not the address has an account.',
    access: 'public',
    capability: null,
    effect: 'write',
    input: passwordResetRequestInput,
    output: successOutput,
    replay: successReplay,
  },
  async ({ directory, request, now }, { email }) => {
    const emailKey = toEmailKey(email);
    const { ofAddress, ofAccount } = await countResetRequest(request, emailKey);
    requireWithinRateLimit(ofAddress);
    if (ofAccount && !ofAccount.allowed) return { success: true as const };
    const token = createSecret();
    const owner = selectOwnerByEmail(emailKey);
    const draft = {
      tokenHash: hashSecret(token),
      purpose: 'password' as const,
      expiresAt: now + RESET_LINK_LIFETIME_MS,
    };
    const [, emails] = await directory.batch([
      insertAccountLink(owner, draft, now),
      queueMailTo(owner, buildResetMail(`${request.origin}/reset-password?token=${token}`), now),
    ]);
    scheduleDelivery(request, emails);
    return { success: true as const };
  },
);

/** Keeps the link valid, because mail scanners also open links. */
export const checkPasswordReset = defineOperation(
  {
    name: 'checkPasswordReset',
    summary: 'Check whether a password reset link is still valid',
    access: 'public',
    capability: null,
    effect: 'read',
    input: linkInput,
    output: successOutput,
  },
  async ({ request, now }, { token }) => {
    const [link] = await request.directory.batch([findAccountLink(hashSecret(token), 'password', now)]);
    if (!link) throw expiredLinkError();
    return { success: true as const };
  },
);

export const resetPassword = defineOperation(
  {
    name: 'resetPassword',
    summary: 'Reset your password with an emailed link, and sign out every browser',
    access: 'public',
    capability: null,
    effect: 'write',
    input: passwordResetInput,
    output: successOutput,
    replay: successReplay,
    audits: ['password.changed', 'session.ended'],
  },
  async ({ directory, now, request }, { token, password, endAccess }) => {
    const tokenHash = hashSecret(token);
    const [link] = await directory.batch([findAccountLink(tokenHash, 'password', now)]);
    if (!link) throw expiredLinkError();
    const change = {
      userId: link.user_id,
      hash: await hashPassword(password),
      endsAccess: endAccess,
      method: 'reset' as const,
      from: describeRequestSource(request),
    };
    await directory
      .batch([assertLinkUnused(tokenHash, now), ...replacePassword(change, now)])
      .catch((error: unknown) => {
        throw error instanceof WriteConflictError ? expiredLinkError() : error;
      });
    await deleteSessionCopies(request, link.user_id);
    await tryToCopyPerson(request, link.user_id);
    return { success: true as const };
  },
);

export const cleanAccountLinks: DirectoryJob = {
  name: 'links.clean',
  cost: 1,
  run: ({ directory, now }) => directory.batch([deleteExpiredAccountLinks(now)]).then(() => false),
};

export function expiredLinkError() {
  return new AppError('not_found', 'This link has expired. Request a new one.');
}

/** Omits the person's name, so that requests take the same time whether or not the account exists. */
function buildResetMail(link: string) {
  return buildLinkMail({
    subject: 'Reset your Edgework password',
    greeting: 'Hi,',
    body: 'Someone asked to reset the password for your Edgework account. Open this link to choose a new password:',
    action: { link, label: 'Choose a password' },
    note: "The link works once and expires in 1 hour. If you didn't request it, you can ignore this email. Your password won't change.",
  });
}
