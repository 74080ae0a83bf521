import { and, count, desc, eq, gt, inArray, isNull, lte, ne, not } from 'drizzle-orm';
import type { AuditAuthor } from '../../kernel/audit/record-audit.queries.ts';
import { type Statement, write } from '../../kernel/sql/database.ts';
import {
  type Argument,
  hasRow,
  pickColumns,
  prepared,
  query,
  type RowOf,
} from '../../kernel/sql/prepared.ts';
import { aliasTable, nameInsertColumns, type SQL, sql, withType } from '../../kernel/sql/sql.ts';
import { EXCHANGE_MS_MAX } from '../../oauth/consent/authorization-code.ts';
import { users } from '../../schema/directory/accounts.ts';
import { browserSessions } from '../../schema/directory/browser-sessions.ts';
import { oauthCodes } from '../../schema/directory/oauth-codes.ts';
import { accountLinks } from '../../schema/directory/own-account.ts';
import { toEmailKey } from '../sign-up/accounts.queries.ts';
import { insertAccountEvent } from './account-events.queries.ts';

const u = aliasTable(users, 'u');

const DELETIONS_PER_RUN_MAX = 200;

export const findOwnAccount = prepared.firstRow((id: Argument<string>) =>
  query
    .select(pickColumns(users, 'id', 'name', 'email', 'image', 'password_hash'))
    .from(users)
    .where(and(eq(users.id, id), isNull(users.deleted_at))),
);
export type OwnAccount = RowOf<typeof findOwnAccount>;

export function selectOwnerByEmail(emailKey: string): SQL {
  return sql`SELECT ${u.id}, ${u.email} FROM ${u} WHERE ${u.email_key} = ${emailKey} AND ${u.deleted_at} IS NULL`;
}

export interface AccountLinkDraft {
  tokenHash: string;
  purpose: 'password' | 'email';
  email?: string;
  expiresAt: number;
}

export function insertAccountLink(owner: SQL, draft: AccountLinkDraft, now: number): Statement<void> {
  return write(sql`
    INSERT INTO ${nameInsertColumns(accountLinks, 'token_hash', 'user_id', 'purpose', 'email', 'created_at', 'expires_at')}
    SELECT ${draft.tokenHash}, o.id, ${draft.purpose}, ${draft.email ?? null}, ${now}, ${draft.expiresAt}
    FROM (${owner}) o`);
}

const isOpenAccountLink = (tokenHash: Argument<string>, now: Argument<number>) =>
  and(eq(accountLinks.token_hash, tokenHash), gt(accountLinks.expires_at, now));

export const findAccountLink = prepared.firstRow(
  (tokenHash: Argument<string>, purpose: Argument<AccountLinkDraft['purpose']>, now: Argument<number>) =>
    query
      .select({
        ...pickColumns(accountLinks, 'user_id', 'email'),
        present_email: users.email,
        name: users.name,
      })
      .from(accountLinks)
      .innerJoin(users, eq(users.id, accountLinks.user_id))
      .where(and(isOpenAccountLink(tokenHash, now), eq(accountLinks.purpose, purpose))),
);
export type AccountLinkRow = RowOf<typeof findAccountLink>;

export const assertLinkUnused = prepared.assertUnchanged(
  (tokenHash: Argument<string>, now: Argument<number>) =>
    hasRow(accountLinks, isOpenAccountLink(tokenHash, now)),
);

export const deleteAccountLinks = prepared.write((userId: Argument<string>) =>
  query.delete(accountLinks).where(eq(accountLinks.user_id, userId)),
);

export const deleteEmailChangeLinks = prepared.write((userId: Argument<string>) =>
  query.delete(accountLinks).where(and(eq(accountLinks.user_id, userId), eq(accountLinks.purpose, 'email'))),
);

export const deleteExpiredAccountLinks = prepared.write((now: Argument<number>) => {
  const expired = query
    .select(pickColumns(accountLinks, 'token_hash'))
    .from(accountLinks)
    .where(lte(accountLinks.expires_at, now))
    .orderBy(accountLinks.expires_at)
    .limit(DELETIONS_PER_RUN_MAX);
  return query.delete(accountLinks).where(inArray(accountLinks.token_hash, expired));
});

export interface PasswordChange {
  readonly userId: string;
  readonly hash: string;
  /**
   * True if API keys, connected apps and calendar links must also be revoked, and webhooks that were created in a
   * session must be stopped.
   */
  readonly endsAccess: boolean;
  readonly butSession?: string;
  readonly method: 'changed' | 'reset';
  readonly from: AuditAuthor['from'];
}

/**
 * Also invalidates emailed links and pending app connections, and ends all sessions except `butSession`, because an
 * attacker with the old password could have created them.
 */
export function replacePassword(change: PasswordChange, now: number): Statement<void>[] {
  const { userId, hash, endsAccess, butSession, method, from } = change;
  // Uses the current time, not `now`, because other browsers could sign in while the request waited in the hash queue.
  const at = sql`max(${now}, CAST(unixepoch('subsec') * 1000 AS INTEGER))`;
  const ofUser = sql`${oauthCodes.user_id} = ${userId}`;
  const isOpen = sql`${oauthCodes.used_at} IS NULL`;
  // Also deletes recently used codes whose tokens may not be stored yet, so that the exchange fails.
  const codes = endsAccess ? sql`(${isOpen} OR ${oauthCodes.used_at} > ${now - EXCHANGE_MS_MAX})` : isOpen;
  return [
    write(sql`
      UPDATE ${users} SET ${users.password_hash} = ${hash}, ${users.password_changed_at} = ${at},
        ${users.verified_at} = coalesce(${users.verified_at}, ${now}) WHERE ${users.id} = ${userId}`),
    ...(endsAccess
      ? [
          write(sql`
            UPDATE ${users} SET ${users.access_ends_at} = ${users.password_changed_at}, ${users.is_settled} = 0,
              ${users.version} = ${users.version} + 1 WHERE ${users.id} = ${userId}`),
        ]
      : []),
    insertAccountEvent(
      { userId, type: 'password.changed', from, details: { method, endedAccess: endsAccess } },
      now,
    ),
    deleteAccountLinks(userId),
    deleteBrowserSessions(userId, butSession),
    write(sql`DELETE FROM ${oauthCodes} WHERE ${ofUser} AND ${codes}`),
  ];
}

export const assertPasswordUnchanged = prepared.assertUnchanged(
  ({ id, password_hash }: Argument<Pick<OwnAccount, 'id' | 'password_hash'>>) =>
    hasRow(users, and(eq(users.id, id), sql`${users.password_hash} IS ${password_hash}`)),
);

export const assertNameUnchanged = prepared.assertUnchanged(
  ({ id, name }: Argument<Pick<OwnAccount, 'id' | 'name'>>) =>
    hasRow(users, and(eq(users.id, id), eq(users.name, name))),
);

export const updateName = prepared.write((userId: Argument<string>, name: Argument<string>) =>
  query
    .update(users)
    .set({ name })
    .where(and(eq(users.id, userId), ne(users.name, name))),
);

export const updateImage = prepared.write((userId: Argument<string>, image: Argument<string | null>) =>
  query
    .update(users)
    .set({ image })
    .where(and(eq(users.id, userId), sql`${users.image} IS NOT ${image}`)),
);

const isOtherUserWithEmail = (emailKey: Argument<string>, userId: Argument<string>) =>
  and(eq(users.email_key, emailKey), ne(users.id, userId));

const assertEmailKeyAvailable = prepared.assertUnchanged(
  (emailKey: Argument<string>, userId: Argument<string>) =>
    not(hasRow(users, isOtherUserWithEmail(emailKey, userId))),
);

export function assertEmailAvailable(email: string, userId: string): Statement<void> {
  return assertEmailKeyAvailable(toEmailKey(email), userId);
}

const countOtherUsersWithEmailKey = prepared.number((emailKey: Argument<string>, userId: Argument<string>) =>
  query.select({ n: count() }).from(users).where(isOtherUserWithEmail(emailKey, userId)),
);

export function countOtherUsersWithEmail(email: string, userId: string): Statement<number> {
  return countOtherUsersWithEmailKey(toEmailKey(email), userId);
}

const updateEmailAndKey = prepared.write(
  (userId: Argument<string>, email: Argument<string>, emailKey: Argument<string>) =>
    query.update(users).set({ email, email_key: emailKey }).where(eq(users.id, userId)),
);

export function updateEmail(userId: string, email: string): Statement<void> {
  return updateEmailAndKey(userId, email, toEmailKey(email));
}

const deleteBrowserSessionsExcept = prepared.write((userId: Argument<string>, butHash: Argument<string>) =>
  query
    .delete(browserSessions)
    .where(and(eq(browserSessions.user_id, userId), ne(browserSessions.id_hash, butHash))),
);

export function deleteBrowserSessions(userId: string, butHash = ''): Statement<void> {
  return deleteBrowserSessionsExcept(userId, butHash);
}

/** Enough characters of a session's hash to tell sessions apart, but too few to reveal the hash. */
const PUBLIC_ID_CHARACTERS = 16;
const publicSessionId = sql`substr(${browserSessions.id_hash}, 1, ${sql.raw(String(PUBLIC_ID_CHARACTERS))})`;

export const listBrowserSessions = prepared.rows((userId: Argument<string>, now: Argument<number>) =>
  query
    .select({
      id: withType<string>(publicSessionId),
      ...pickColumns(browserSessions, 'id_hash', 'user_agent', 'created_at'),
    })
    .from(browserSessions)
    .where(and(eq(browserSessions.user_id, userId), gt(browserSessions.expires_at, now)))
    .orderBy(desc(browserSessions.created_at), browserSessions.id_hash)
    .limit(100),
);
export type BrowserSessionRow = RowOf<typeof listBrowserSessions>;

export const deleteBrowserSessionById = prepared.firstRow((userId: Argument<string>, id: Argument<string>) =>
  query
    .delete(browserSessions)
    .where(and(eq(browserSessions.user_id, userId), eq(publicSessionId, id)))
    .returning(pickColumns(browserSessions, 'id_hash')),
);
