import { describeRequestSource } from '../../kernel/audit/record-audit.queries.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { requireWithinRateLimit } from '../../kernel/rate-limit/rate-limit.ts';
import { findWorkspacesByEmail, type JoinedWorkspace } from '../../workspaces/directory/directory.queries.ts';
import {
  type MembershipInCell,
  resolveSignInMembership,
} from '../../workspaces/directory/sign-in-workspace.ts';
import { hashPassword, isOutdatedHash, verifyPassword } from '../passwords/passwords.ts';
import { recordFailedSignIn } from '../sessions/sign-in-audit.queries.ts';
import {
  type AccountRow,
  findAccount,
  findPasswordChangedAt,
  replacePasswordHash,
  toEmailKey,
} from './accounts.queries.ts';
import { countLoginAttempt, recordLoginResult } from './attempt-limits.ts';

type CurrentPasswordHash = string | null;

export type PasswordSignIn =
  | {
      readonly outcome: 'signed_in';
      readonly membership: MembershipInCell;
      readonly passwordHash: CurrentPasswordHash;
    }
  | { readonly outcome: 'rejected' }
  | { readonly outcome: 'unverified' }
  | { readonly outcome: 'no_workspace'; readonly userId: string; readonly passwordHash: CurrentPasswordHash };

export async function signInWithPassword(
  scope: RequestScope,
  email: string,
  password: string,
): Promise<PasswordSignIn> {
  const emailKey = toEmailKey(email);
  const [attempts, [account, locations]] = await Promise.all([
    countLoginAttempt(scope, emailKey),
    scope.directory.batch([findAccount(emailKey), findWorkspacesByEmail(emailKey)]),
  ]);
  requireWithinRateLimit(...attempts);
  const isRight = await verifyPassword(password, account?.password_hash ?? null);
  requireWithinRateLimit(await recordLoginResult(scope, emailKey, isRight));
  if (account && !isRight) recordSignInFailure(scope, account.id, locations);
  if (!account || !isRight) return { outcome: 'rejected' };
  rehashPassword(scope, account, password);
  if (account.verified_at === null) return { outcome: 'unverified' };
  const [membership, [present]] = await Promise.all([
    resolveSignInMembership(scope, account, locations),
    scope.directory.batch([findPasswordChangedAt(account.id)]),
  ]);
  if (present?.password_changed_at !== account.password_changed_at) return { outcome: 'rejected' };
  const { id: userId, password_hash: known } = account;
  const passwordHash = known !== null && isOutdatedHash(known) ? null : known;
  return membership
    ? { outcome: 'signed_in', membership, passwordHash }
    : { outcome: 'no_workspace', userId, passwordHash };
}

/** Runs after the response, because the response time must not reveal whether the address has an account. */
function recordSignInFailure(scope: RequestScope, userId: string, locations: readonly JoinedWorkspace[]) {
  const cells = new Set(locations.filter(({ ended_at }) => ended_at === null).map(({ cell }) => cell));
  const entry = recordFailedSignIn(userId, describeRequestSource(scope), scope.now);
  scope.afterResponse('audit.record', () =>
    Promise.all([...cells].map((no) => scope.cellAfterResponse(no)?.batch([entry]))),
  );
}

function rehashPassword(
  scope: RequestScope,
  { id, password_hash: passwordHash }: AccountRow,
  password: string,
) {
  if (passwordHash === null || !isOutdatedHash(passwordHash)) return;
  scope.afterResponse('password.rehash', async () => {
    await scope.directory.batch([replacePasswordHash(id, passwordHash, await hashPassword(password))]);
  });
}
