import { and, eq, isNull, or } from 'drizzle-orm';
import type { Statement } from '../../kernel/sql/database.ts';
import { type Argument, prepared, query } from '../../kernel/sql/prepared.ts';
import { sql } from '../../kernel/sql/sql.ts';
import { deleteMailData } from '../../notifications/mail/directory.queries.ts';
import { deletePersonFromApps, markOwnAppsDeleted } from '../../oauth/own-apps/own-apps.queries.ts';
import { emailVerifications, users } from '../../schema/directory/accounts.ts';
import { oauthCodes } from '../../schema/directory/oauth-codes.ts';
import { outbox } from '../../schema/directory/outbox.ts';
import { deleteAccountLinks, deleteBrowserSessions, type OwnAccount } from './own-account.queries.ts';

const FORMER_MEMBER_NAME = 'Former member';

const anonymizeUser = prepared.write((id: Argument<string>, email: Argument<string>, now: Argument<number>) =>
  query
    .update(users)
    .set({
      name: FORMER_MEMBER_NAME,
      email,
      email_key: sql`lower(${email})`,
      image: null,
      password_hash: null,
      verified_at: null,
      deleted_at: now,
      access_ends_at: now,
    })
    .where(and(eq(users.id, id), isNull(users.deleted_at))),
);

const deleteVerifications = prepared.write((id: Argument<string>) =>
  query.delete(emailVerifications).where(eq(emailVerifications.user_id, id)),
);

const deleteUnusedOAuthCodes = prepared.write((id: Argument<string>) =>
  query.delete(oauthCodes).where(and(eq(oauthCodes.user_id, id), isNull(oauthCodes.used_at))),
);

const deletePersonEmails = prepared.write((id: Argument<string>, emailKey: Argument<string>) =>
  query.delete(outbox).where(or(eq(sql`lower(${outbox.recipient})`, emailKey), eq(outbox.about, id))),
);

/** Keeps a row without personal data, because the person's content refers to its id. */
export function deleteAccountRows({ id, email }: OwnAccount, now: number): Statement<void>[] {
  return [
    anonymizeUser(id, `${id}@deleted.invalid`, now),
    deleteBrowserSessions(id),
    deleteAccountLinks(id),
    ...deleteMailData(id),
    deleteVerifications(id),
    // Ending a membership revokes app tokens, but not unused authorization codes.
    deleteUnusedOAuthCodes(id),
    deletePersonFromApps(id),
    markOwnAppsDeleted(id, now),
    deletePersonEmails(id, email.toLowerCase()),
  ];
}
