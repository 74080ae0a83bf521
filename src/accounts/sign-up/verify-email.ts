import type { DirectoryJob } from '../../kernel/operation/jobs.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { requireWithinRateLimit } from '../../kernel/rate-limit/rate-limit.ts';
import { hashSecret } from '../../kernel/secrets/tokens.ts';
import { scheduleDelivery } from '../../mail/mail-queues.ts';
import { queueMailTo } from '../../mail/outbox.queries.ts';
import { buildVerificationMail } from '../../mail/templates.ts';
import { provisionFirstWorkspace } from '../../workspaces/directory/provision.ts';
import {
  deleteExpiredVerifications,
  findAccountByVerification,
  insertVerification,
  markEmailVerified,
  selectUnverifiedUser,
  toEmailKey,
} from './accounts.queries.ts';
import { countResendRequest } from './attempt-limits.ts';
import { createVerificationLink, VERIFICATION_HOURS } from './verification-link.ts';

/** Doesn't verify the address, because mail scanners also open links. */
export async function findUnverifiedAccount(scope: RequestScope, token: string) {
  const [account] = await scope.directory.batch([findAccountByVerification(hashSecret(token), scope.now)]);
  return account;
}

interface VerifiedAccount {
  readonly id: string;
  readonly email: string;
  /** False if the address was verified before. */
  readonly isNew: boolean;
}

/**
 * Creates the workspace before it marks the address as verified, so that the person can submit the form again after a
 * crash.
 */
export async function verifyEmail(
  scope: RequestScope,
  { token, workspaceName }: { token: string; workspaceName?: string | undefined },
): Promise<VerifiedAccount | null> {
  const [account] = await scope.directory.batch([findAccountByVerification(hashSecret(token), scope.now)]);
  if (!account) return null;
  const { id, email, verified_at } = account;
  if (verified_at !== null) return { id, email, isNew: false };
  await provisionFirstWorkspace(scope, account, { name: workspaceName, timeZone: scope.timeZone });
  await scope.directory.batch([markEmailVerified(id, scope.now)]);
  return { id, email, isNew: true };
}

/** Neither the response nor its timing reveals whether a link was sent. */
export async function resendVerification(scope: RequestScope, email: string): Promise<void> {
  const emailKey = toEmailKey(email);
  const { ofAddress, ofAccount } = await countResendRequest(scope, emailKey);
  requireWithinRateLimit(ofAddress);
  if (ofAccount && !ofAccount.allowed) return;
  const { link, tokenHash, expiresAt } = createVerificationLink(scope.origin, scope.now);
  const owner = selectUnverifiedUser(emailKey);
  const [, emails] = await scope.directory.batch([
    insertVerification(owner, tokenHash, expiresAt, scope.now),
    queueMailTo(owner, buildVerificationMail({ link, validHours: VERIFICATION_HOURS }), scope.now),
  ]);
  scheduleDelivery(scope, emails);
}

export const cleanVerifications: DirectoryJob = {
  name: 'verifications.clean',
  cost: 1,
  run: ({ directory, now }) => directory.batch([deleteExpiredVerifications(now)]).then(() => false),
};
