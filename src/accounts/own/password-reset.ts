import { AppError } from '../../kernel/errors/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { done, doneAgain } from '../../kernel/operation/schema.ts';
import { requireAllowed } from '../../kernel/rate-limit/rate-limit.ts';
import { hashSecret, randomSecret } from '../../kernel/secrets/tokens.ts';
import { WriteConflict } from '../../kernel/sql/database.ts';
import { deliverOutbox } from '../../mail/deliver.ts';
import { queueMailTo } from '../../mail/outbox.queries.ts';
import { linkMail } from '../../mail/templates.ts';
import { hashPassword } from '../passwords/passwords.ts';
import { toEmailKey } from '../sign-up/accounts.queries.ts';
import { countReset } from '../sign-up/attempts.ts';
import {
  assertLink,
  deleteExpiredLinks,
  findLink,
  insertLink,
  ownerOf,
  replacePassword,
} from './own-account.queries.ts';
import { linkInput, passwordResetInput, passwordResetRequestInput } from './own-account.schema.ts';
import { settlePersonSoon } from './settle-people.ts';

const RESET_MS = 60 * 60_000;

export const requestPasswordReset = operation(
  {
    name: 'requestPasswordReset',
    summary: 'Mail a link for a new password',
    description: 'The answer is the same for every address, and so is the work.',
    access: 'public',
    capability: null,
    effect: 'write',
    input: passwordResetRequestInput,
    output: done,
    repeat: doneAgain,
  },
  async ({ directory, request, now }, { email }) => {
    const emailKey = toEmailKey(email);
    const { ofAddress, ofAccount } = await countReset(request, emailKey);
    requireAllowed(ofAddress);
    if (ofAccount && !ofAccount.allowed) return { success: true as const };
    const token = randomSecret();
    const owner = ownerOf(emailKey);
    const draft = { tokenHash: hashSecret(token), purpose: 'password' as const, expiresAt: now + RESET_MS };
    await directory.batch([
      insertLink(owner, draft, now),
      queueMailTo(owner, resetMail(`${request.origin}/reset-password?token=${token}`), now),
    ]);
    request.afterAnswer('mail.deliver', () => deliverOutbox(request));
    return { success: true as const };
  },
);

/** For the page that asks the new password. Changes nothing, because mail scanners open links too. */
export const checkPasswordReset = operation(
  {
    name: 'checkPasswordReset',
    summary: 'Whether a link for a new password still holds',
    access: 'public',
    capability: null,
    effect: 'read',
    input: linkInput,
    output: done,
  },
  async ({ request, now }, { token }) => {
    const [link] = await request.directory.batch([findLink(hashSecret(token), 'password', now)]);
    if (!link) throw linkEnded();
    return { success: true as const };
  },
);

export const resetPassword = operation(
  {
    name: 'resetPassword',
    summary: 'Set a new password by a mailed link, and sign out every browser',
    access: 'public',
    capability: null,
    effect: 'write',
    input: passwordResetInput,
    output: done,
    repeat: doneAgain,
  },
  async ({ directory, now, request }, { token, password, endAccess }) => {
    const tokenHash = hashSecret(token);
    const [link] = await directory.batch([findLink(tokenHash, 'password', now)]);
    if (!link) throw linkEnded();
    const change = { userId: link.user_id, hash: await hashPassword(password), endsAccess: endAccess };
    await directory
      .batch([assertLink(tokenHash, now), ...replacePassword(change, now)])
      .catch((error: unknown) => {
        throw error instanceof WriteConflict ? linkEnded() : error;
      });
    if (endAccess) await settlePersonSoon(request, link.user_id);
    return { success: true as const };
  },
);

/** Removes links that have expired. */
export async function cleanAccountLinks(scope: Pick<RequestScope, 'directory' | 'now'>): Promise<void> {
  await scope.directory.batch([deleteExpiredLinks(scope.now)]);
}

/** The same for an unknown link, and one that was used or is too old. */
export function linkEnded() {
  return new AppError('not_found', 'This link does not hold any more. Ask for a new one.');
}

/** It contains no name, so a request costs the same whether or not the account exists. */
function resetMail(link: string) {
  return linkMail({
    subject: 'A new password for Edgework',
    greeting: 'Hello,',
    body: 'somebody, we hope you, asked for a new password. Open this link to choose one:',
    action: { link, label: 'Choose a password' },
    note: 'The link is valid for one hour, and once. If you did not ask for it, ignore this mail; your password stays as it is.',
  });
}
