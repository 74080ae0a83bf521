import type { Scope } from '../kernel/request-scope.ts';
import { requireAllowed } from '../rate-limit/rate-limit.ts';
import { findPlacesOfEmail, openHome, type SeatInCell } from '../workspaces/home.ts';
import { countLogin } from './attempts.ts';
import { findAccount, toEmailKey } from './auth.queries.ts';
import { verifyPassword } from './passwords.ts';

export type PasswordSignIn =
  | { readonly outcome: 'signed_in'; readonly seat: SeatInCell }
  /** The same for a wrong password and an unknown address. */
  | { readonly outcome: 'refused' }
  /** Only whoever knows the password learns this. */
  | { readonly outcome: 'unverified' }
  /** Every workspace has let the person go. */
  | { readonly outcome: 'homeless' };

/** One attempt with a password, counted before anything is known about it. Throws 429 where there were too many. */
export async function signInWithPassword(
  scope: Scope,
  email: string,
  password: string,
): Promise<PasswordSignIn> {
  const emailKey = toEmailKey(email);
  const [attempts, [account, places]] = await Promise.all([
    countLogin(scope, emailKey),
    scope.directory.batch([findAccount(emailKey), findPlacesOfEmail(emailKey)]),
  ]);
  requireAllowed(...attempts);
  const isRight = await verifyPassword(password, account?.passwordHash ?? null);
  if (!account || !isRight) return { outcome: 'refused' };
  if (account.verifiedAt === null) return { outcome: 'unverified' };
  const seat = await openHome(scope, account, places);
  return seat ? { outcome: 'signed_in', seat } : { outcome: 'homeless' };
}
