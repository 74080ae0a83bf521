import { type Statement, write } from '../../kernel/sql/database.ts';
import { sql } from '../../kernel/sql/sql.ts';
import { forgetMails } from '../../notifications/mail/directory.queries.ts';
import { emailVerifications, users } from '../../schema/directory/accounts.ts';
import { oauthCodes } from '../../schema/directory/oauth-codes.ts';
import { outbox } from '../../schema/directory/outbox.ts';
import { deleteLinksOf, deleteSessionsOf, type OwnAccount } from './own-account.queries.ts';

const FORMER_NAME = 'Former member';

/** Takes name, address and every way in out of the directory. The id stays, for what the person wrote. */
export function deleteAccountRows({ id, email }: OwnAccount, now: number): Statement<void>[] {
  const gone = `${id}@deleted.invalid`;
  return [
    write(sql`
      UPDATE ${users} SET ${users.name} = ${FORMER_NAME}, ${users.email} = ${gone},
        ${users.email_key} = ${gone.toLowerCase()}, ${users.image} = NULL,
        ${users.password_hash} = NULL, ${users.verified_at} = NULL, ${users.deleted_at} = ${now}
      WHERE ${users.id} = ${id} AND ${users.deleted_at} IS NULL`),
    deleteSessionsOf(id),
    deleteLinksOf(id),
    ...forgetMails(id),
    write(sql`DELETE FROM ${emailVerifications} WHERE ${emailVerifications.user_id} = ${id}`),
    // Tokens of apps end with the memberships; a code that is not used yet ends here.
    write(
      sql`DELETE FROM ${oauthCodes} WHERE ${oauthCodes.user_id} = ${id} AND ${oauthCodes.used_at} IS NULL`,
    ),
    write(
      sql`DELETE FROM ${outbox} WHERE lower(${outbox.recipient}) = ${email.toLowerCase()} OR ${outbox.about} = ${id}`,
    ),
  ];
}
