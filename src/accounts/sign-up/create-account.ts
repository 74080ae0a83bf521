import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { requireWithinRateLimit } from '../../kernel/rate-limit/rate-limit.ts';
import { createId } from '../../kernel/secrets/tokens.ts';
import { GuardedDatabase } from '../../kernel/sql/guarded-database.ts';
import { type IdempotencyKey, KeyUsedBeforeError } from '../../kernel/sql/idempotency-key.ts';
import { scheduleDelivery } from '../../mail/mail-queues.ts';
import { queueMailTo } from '../../mail/outbox.queries.ts';
import { buildWelcomeMail } from '../../mail/templates.ts';
import { hashPassword } from '../passwords/passwords.ts';
import {
  countAccounts,
  countUsersById,
  insertUser,
  insertVerification,
  selectUserById,
  toEmailKey,
} from './accounts.queries.ts';
import { countRegistration } from './attempt-limits.ts';
import { createVerificationLink, VERIFICATION_HOURS } from './verification-link.ts';

interface NewAccount {
  readonly email: string;
  readonly password: string;
  readonly name: string;
}

/** Returns false if the address is taken. `key` is the form key, or null for API requests. */
export async function createAccount(
  scope: RequestScope,
  account: NewAccount,
  key: IdempotencyKey | null,
): Promise<boolean> {
  const directory = new GuardedDatabase(scope.directory, null);
  if (key) directory.claimIdempotencyKey(key, null);
  try {
    return await insertAccount(scope, directory, account);
  } catch (error) {
    if (error instanceof KeyUsedBeforeError) return true;
    throw error;
  }
}

async function insertAccount(
  scope: RequestScope,
  directory: GuardedDatabase,
  { email, password, name }: NewAccount,
): Promise<boolean> {
  const [attempt, [taken]] = await Promise.all([
    countRegistration(scope),
    directory.batch([countAccounts(toEmailKey(email))]),
  ]);
  requireWithinRateLimit(attempt);
  if (taken > 0) return false;

  const { now } = scope;
  const id = createId('usr');
  const { link, tokenHash, expiresAt } = createVerificationLink(scope.origin, now);
  const [, , emails, created] = await directory.batch([
    insertUser({ id, email, name, passwordHash: await hashPassword(password) }, now),
    insertVerification(selectUserById(id), tokenHash, expiresAt, now),
    queueMailTo(selectUserById(id), buildWelcomeMail({ name, link, validHours: VERIFICATION_HOURS }), now),
    countUsersById(id),
  ]);
  if (created === 0) return false;
  scheduleDelivery(scope, emails);
  return true;
}
