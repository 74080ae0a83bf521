import { describeRequestSource } from '../../kernel/audit/record-audit.queries.ts';
import { HOUR_MS } from '../../kernel/dates/durations.ts';
import { invalidRequestError, unauthorizedError } from '../../kernel/errors/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { requireCurrentSnapshot } from '../../kernel/operation/snapshot.ts';
import { countEmails } from '../../kernel/rate-limit/email-limits.ts';
import { countHit, requireWithinRateLimit } from '../../kernel/rate-limit/rate-limit.ts';
import { createSecret, hashSecret } from '../../kernel/secrets/tokens.ts';
import { WriteConflictError } from '../../kernel/sql/database.ts';
import { scheduleDelivery } from '../../mail/mail-queues.ts';
import { queueMailTo, selectEmail } from '../../mail/outbox.queries.ts';
import { buildGreeting, buildLinkMail } from '../../mail/templates.ts';
import { deleteSessionCopies } from '../browser-sessions/end-sessions.ts';
import { hashPassword } from '../passwords/passwords.ts';
import { selectUserById, toEmailKey } from '../sign-up/accounts.queries.ts';
import { insertAccountEvent } from './account-events.queries.ts';
import { tryToCopyPerson } from './copy-people.ts';
import {
  assertEmailAvailable,
  assertLinkUnused,
  assertNameUnchanged,
  assertPasswordUnchanged,
  countOtherUsersWithEmail,
  deleteAccountLinks,
  deleteEmailChangeLinks,
  findAccountLink,
  findOwnAccount,
  insertAccountLink,
  replacePassword,
  updateEmail,
  updateName,
} from './own-account.queries.ts';
import {
  emailInput,
  linkInput,
  nameInput,
  noInput,
  passwordInput,
  profileOutput,
} from './own-account.schema.ts';
import { expiredLinkError } from './password-reset.ts';
import { requirePassword } from './require-password.ts';

const LINKS_PER_HOUR_MAX = 10;

const accountAccess = { access: 'account', capability: null } as const;

export const getProfile = defineOperation(
  {
    ...accountAccess,
    name: 'getProfile',
    summary: 'Get your account',
    effect: 'read',
    input: noInput,
    output: profileOutput,
  },
  async (ctx) => {
    const [own] = await ctx.directory.batch([findOwnAccount(ctx.account.id)]);
    return { ...ctx.account, ...own, hasPassword: own?.password_hash != null };
  },
);

export const changeName = defineOperation(
  {
    ...accountAccess,
    name: 'changeName',
    summary: 'Change your name',
    effect: 'write',
    input: nameInput,
    output: successOutput,
    replay: successReplay,
  },
  async (ctx, { name }) => {
    const [own] = await ctx.directory.batch([findOwnAccount(ctx.account.id)]);
    if (!own) throw unauthorizedError("You're signed out. Sign in again.");
    requireCurrentSnapshot(ctx.snapshot, { name }, { name: own.name }, 'own');
    await ctx.directory.batch([assertNameUnchanged(own), updateName(own.id, name)]);
    await tryToCopyPerson(ctx.request, ctx.account.id);
    return { success: true as const };
  },
);

export const changePassword = defineOperation(
  {
    ...accountAccess,
    name: 'changePassword',
    summary: 'Change your password and sign out all other browsers',
    effect: 'write',
    input: passwordInput,
    output: successOutput,
    replay: successReplay,
    audits: ['password.changed', 'session.ended'],
  },
  async (ctx, { password, newPassword, endAccess }) => {
    const own = await requirePassword(ctx, password);
    const change = {
      userId: own.id,
      hash: await hashPassword(newPassword),
      endsAccess: endAccess,
      butSession: ctx.sessionHash,
      method: 'changed' as const,
      from: describeRequestSource(ctx.request),
    };
    await ctx.directory
      .batch([assertPasswordUnchanged(own), ...replacePassword(change, ctx.now)])
      .catch((error: unknown) => {
        if (!(error instanceof WriteConflictError)) throw error;
        throw invalidRequestError('The password was just changed in another browser. Reload the page.');
      });
    await deleteSessionCopies(ctx.request, own.id);
    await tryToCopyPerson(ctx.request, own.id);
    return { success: true as const };
  },
);

export const requestEmailChange = defineOperation(
  {
    ...accountAccess,
    name: 'requestEmailChange',
    summary: 'Send a confirmation link to a new email address',
    effect: 'write',
    input: emailInput,
    output: successOutput,
    replay: successReplay,
  },
  async (ctx, { email, password }) => {
    const own = await requirePassword(ctx, password);
    const { directory, now, request } = ctx;
    const sender = `account:${own.id}`;
    requireWithinRateLimit(
      await countHit(request, `mail:${sender}`, LINKS_PER_HOUR_MAX, HOUR_MS, { durable: true }),
    );
    const [others] = await directory.batch([countOtherUsersWithEmail(email, own.id)]);
    if (others > 0) throw invalidRequestError('Another account already uses this email address.', 'email');
    await countEmails(request, { recipients: [{ email, emailKey: toEmailKey(email) }], sender });
    const token = createSecret();
    const link = `${request.origin}/confirm-email?token=${token}`;
    const draft = {
      tokenHash: hashSecret(token),
      purpose: 'email' as const,
      email,
      expiresAt: now + HOUR_MS,
    };
    const [, , emails] = await directory.batch([
      deleteEmailChangeLinks(own.id),
      insertAccountLink(selectUserById(own.id), draft, now),
      queueMailTo(
        selectEmail(email),
        buildLinkMail({
          subject: 'Confirm your new email address for Edgework',
          greeting: buildGreeting(own.name),
          body: 'To use this address for your Edgework account, open this link, then confirm the change on the page that opens:',
          action: { link, label: 'Use this address' },
          note: "The link expires in 1 hour. If you didn't request it, you can ignore this email.",
        }),
        now,
      ),
    ]);
    scheduleDelivery(request, emails);
    return { success: true as const };
  },
);

export const confirmEmail = defineOperation(
  {
    name: 'confirmEmail',
    summary: 'Confirm a new email address and notify the old one',
    access: 'public',
    capability: null,
    effect: 'write',
    input: linkInput,
    output: successOutput,
    replay: successReplay,
    audits: ['email.changed'],
  },
  async ({ directory, request, now }, { token }) => {
    const tokenHash = hashSecret(token);
    const [link] = await directory.batch([findAccountLink(tokenHash, 'email', now)]);
    if (!link?.email) throw expiredLinkError();
    const [, , , , , emails] = await directory
      .batch([
        assertLinkUnused(tokenHash, now),
        assertEmailAvailable(link.email, link.user_id),
        updateEmail(link.user_id, link.email),
        insertAccountEvent(
          { userId: link.user_id, type: 'email.changed', from: describeRequestSource(request) },
          now,
        ),
        deleteAccountLinks(link.user_id),
        queueMailTo(selectEmail(link.present_email), buildEmailChangedMail(link.name, request.origin), now),
      ])
      .catch((error: unknown) => {
        throw error instanceof WriteConflictError ? expiredLinkError() : error;
      });
    await tryToCopyPerson(request, link.user_id);
    scheduleDelivery(request, emails);
    return { success: true as const };
  },
);

function buildEmailChangedMail(name: string, origin: string) {
  return buildLinkMail({
    subject: 'The email address for your Edgework account was changed',
    greeting: buildGreeting(name),
    body: 'Your Edgework account now has a different email address. From now on, sign in with that address.',
    action: { link: `${origin}/`, label: 'Open Edgework' },
    note: "If you didn't make this change, contact your Edgework administrator immediately.",
  });
}
