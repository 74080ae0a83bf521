import { sql } from 'drizzle-orm';
import { type Statement, write } from '../kernel/database.ts';
import { deleteSessionsOf, type OwnAccount } from './own-account.queries.ts';

const FORMER_NAME = 'Former member';

/** Takes name, address and every way in out of the directory. The id stays, for what the person wrote. */
export function deleteAccountRows({ id, email }: OwnAccount, now: number): Statement<void>[] {
  const gone = `${id}@deleted.invalid`;
  return [
    write(sql`
      UPDATE users SET name = ${FORMER_NAME}, email = ${gone}, email_key = ${gone.toLowerCase()}, image = NULL,
        password_hash = NULL, verified_at = NULL, deleted_at = ${now}
      WHERE id = ${id} AND deleted_at IS NULL`),
    deleteSessionsOf(id),
    write(sql`DELETE FROM account_links WHERE user_id = ${id}`),
    write(sql`DELETE FROM email_verifications WHERE user_id = ${id}`),
    // Tokens of apps end with the memberships; a code that is not used yet ends here.
    write(sql`DELETE FROM oauth_codes WHERE user_id = ${id} AND used_at IS NULL`),
    write(sql`DELETE FROM outbox WHERE lower(recipient) = ${email.toLowerCase()} OR about = ${id}`),
  ];
}
