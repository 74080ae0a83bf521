import { assertUnchanged, firstRow, number, rows, type Statement, write } from '../../kernel/sql/database.ts';
import { columns, into, names, type Row, type SQL, sql, typed } from '../../kernel/sql/sql.ts';
import { EXCHANGE_MS_MAX } from '../../oauth/consent/code.ts';
import { users } from '../../schema/directory/accounts.ts';
import { browserSessions } from '../../schema/directory/browser-sessions.ts';
import { oauthCodes } from '../../schema/directory/oauth-codes.ts';
import { accountLinks } from '../../schema/directory/own-account.ts';
import { toEmailKey } from '../sign-up/accounts.queries.ts';

const l = names(accountLinks, 'l');
const s = names(browserSessions, 's');
const u = names(users, 'u');

const CLEAN_ROWS_MAX = 200;

const ownAccountColumns = columns({
  id: u.id,
  name: u.name,
  email: u.email,
  image: u.image,
  password_hash: u.password_hash,
});
export type OwnAccount = Row<typeof ownAccountColumns>;

export function findOwnAccount(id: string): Statement<OwnAccount | null> {
  return firstRow(sql`
    SELECT ${ownAccountColumns}
    FROM ${u} WHERE ${u.id} = ${id} AND ${u.deleted_at} IS NULL`);
}

/** Who gets a link for a new password: the owner of the address, whether or not it is verified. */
export function ownerOf(emailKey: string): SQL {
  return sql`SELECT ${u.id}, ${u.email} FROM ${u} WHERE ${u.email_key} = ${emailKey} AND ${u.deleted_at} IS NULL`;
}

export interface LinkDraft {
  tokenHash: string;
  purpose: 'password' | 'email';
  email?: string;
  expiresAt: number;
}

/** A link for whoever `owner` selects as `id`. */
export function insertLink(owner: SQL, draft: LinkDraft, now: number): Statement<void> {
  return write(sql`
    INSERT INTO ${into(accountLinks, 'token_hash', 'user_id', 'purpose', 'email', 'created_at', 'expires_at')}
    SELECT ${draft.tokenHash}, o.id, ${draft.purpose}, ${draft.email ?? null}, ${now}, ${draft.expiresAt}
    FROM (${owner}) o`);
}

const linkColumns = columns({
  user_id: l.user_id,
  email: l.email,
  /** The address as it is now. */
  present_email: u.email,
  name: u.name,
});
export type LinkRow = Row<typeof linkColumns>;

/** A link that still holds, and whose it is. */
export function findLink(
  tokenHash: string,
  purpose: LinkDraft['purpose'],
  now: number,
): Statement<LinkRow | null> {
  return firstRow(sql`
    SELECT ${linkColumns}
    FROM ${l} CROSS JOIN ${u} ON ${u.id} = ${l.user_id}
    WHERE ${l.token_hash} = ${tokenHash} AND ${l.purpose} = ${purpose} AND ${l.expires_at} > ${now}`);
}

/** Undoes the batch unless the link still holds: it counts once. */
export function assertLink(tokenHash: string, now: number): Statement<void> {
  return assertUnchanged(sql`EXISTS (
    SELECT 1 FROM ${l} WHERE ${l.token_hash} = ${tokenHash} AND ${l.expires_at} > ${now})`);
}

export function deleteLinksOf(userId: string): Statement<void> {
  return write(sql`DELETE FROM ${accountLinks} WHERE ${accountLinks.user_id} = ${userId}`);
}

export function deleteEmailLinksOf(userId: string): Statement<void> {
  return write(
    sql`DELETE FROM ${accountLinks} WHERE ${accountLinks.user_id} = ${userId} AND ${accountLinks.purpose} = 'email'`,
  );
}

export function deleteExpiredLinks(now: number): Statement<void> {
  return write(sql`
    DELETE FROM ${accountLinks} WHERE ${accountLinks.token_hash} IN (
      SELECT ${l.token_hash} FROM ${l} WHERE ${l.expires_at} <= ${now}
      ORDER BY ${l.expires_at} LIMIT ${CLEAN_ROWS_MAX})`);
}

export interface PasswordChange {
  readonly userId: string;
  readonly hash: string;
  /** Whether API keys, connected apps, webhooks of sessions and calendar links end as well. */
  readonly endsAccess: boolean;
  /** The browser session that stays. */
  readonly butSession?: string;
}

/**
 * Sets a password, by a mailed link, which proves the address, or by the one before. Whoever knew that one may have asked
 * for links to an address of their own, let an app in, or be signed in: all of these end.
 */
export function replacePassword(change: PasswordChange, now: number): Statement<void>[] {
  const { userId, hash, endsAccess, butSession } = change;
  // The request may have waited for its turn to hash, and signing in goes on until this statement.
  const at = sql`max(${now}, CAST(unixepoch('subsec') * 1000 AS INTEGER))`;
  const ofUser = sql`${oauthCodes.user_id} = ${userId}`;
  const isOpen = sql`${oauthCodes.used_at} IS NULL`;
  // A code that was used a moment ago may be a token in a moment; the exchange looks whether its code is still there.
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
    deleteLinksOf(userId),
    deleteSessionsOf(userId, butSession),
    write(sql`DELETE FROM ${oauthCodes} WHERE ${ofUser} AND ${codes}`),
  ];
}

/** Undoes the batch unless the password is the one that was asked. */
export function assertPassword({ id, password_hash }: OwnAccount): Statement<void> {
  return assertUnchanged(sql`EXISTS (
    SELECT 1 FROM ${u} WHERE ${u.id} = ${id} AND ${u.password_hash} IS ${password_hash})`);
}

/** Undoes the batch unless the name is the one that was read. */
export function assertName({ id, name }: OwnAccount): Statement<void> {
  return assertUnchanged(sql`EXISTS (SELECT 1 FROM ${u} WHERE ${u.id} = ${id} AND ${u.name} = ${name})`);
}

export function updateName(userId: string, name: string): Statement<void> {
  return write(
    sql`UPDATE ${users} SET ${users.name} = ${name} WHERE ${users.id} = ${userId} AND ${users.name} <> ${name}`,
  );
}

export function updateImage(userId: string, image: string | null): Statement<void> {
  return write(
    sql`UPDATE ${users} SET ${users.image} = ${image} WHERE ${users.id} = ${userId} AND ${users.image} IS NOT ${image}`,
  );
}

/** Undoes the batch if somebody has the address. */
export function assertFree(email: string, userId: string): Statement<void> {
  return assertUnchanged(sql`NOT EXISTS (
    SELECT 1 FROM ${u} WHERE ${u.email_key} = ${toEmailKey(email)} AND ${u.id} <> ${userId})`);
}

export function countOthersWith(email: string, userId: string): Statement<number> {
  return number(sql`
    SELECT count(*) AS n FROM ${u} WHERE ${u.email_key} = ${toEmailKey(email)} AND ${u.id} <> ${userId}`);
}

export function updateEmail(userId: string, email: string): Statement<void> {
  return write(
    sql`UPDATE ${users} SET ${users.email} = ${email}, ${users.email_key} = ${toEmailKey(email)} WHERE ${users.id} = ${userId}`,
  );
}

export function deleteSessionsOf(userId: string, butHash = ''): Statement<void> {
  return write(
    sql`DELETE FROM ${browserSessions} WHERE ${browserSessions.user_id} = ${userId} AND ${browserSessions.id_hash} <> ${butHash}`,
  );
}

/** Enough of a hash to name a session, and too little to look for its cookie. */
const ID_CHARACTERS = 16;
const publicId = sql`substr(${s.id_hash}, 1, ${sql.raw(String(ID_CHARACTERS))})`;

const browserColumns = columns({
  id: typed<string>(publicId),
  id_hash: s.id_hash,
  user_agent: s.user_agent,
  created_at: s.created_at,
});
export type BrowserRow = Row<typeof browserColumns>;

export function listBrowsersOf(userId: string, now: number): Statement<BrowserRow[]> {
  return rows(sql`
    SELECT ${browserColumns}
    FROM ${s} WHERE ${s.user_id} = ${userId} AND ${s.expires_at} > ${now}
    ORDER BY ${s.created_at} DESC, ${s.id_hash} LIMIT 100`);
}

const idHashColumn = columns({ id_hash: browserSessions.id_hash });

/** Answers the session that was deleted; null if the person has no such one. */
export function deleteBrowserOf(userId: string, id: string): Statement<{ id_hash: string } | null> {
  return firstRow(sql`
    DELETE FROM ${browserSessions} WHERE ${browserSessions.user_id} = ${userId}
      AND substr(${browserSessions.id_hash}, 1, ${sql.raw(String(ID_CHARACTERS))}) = ${id}
    RETURNING ${idHashColumn}`);
}
