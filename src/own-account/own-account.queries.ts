import { toEmailKey } from '../accounts/accounts.queries.ts';
import { users } from '../accounts/accounts.sql.ts';
import { browserSessions } from '../browser-sessions/browser-session.sql.ts';
import { assertUnchanged, firstRow, number, rows, type Statement, write } from '../kernel/database.ts';
import { into, names, type SQL, sql } from '../kernel/sql.ts';
import { accountLinks } from './own-account.sql.ts';

const l = names(accountLinks, 'l');
const s = names(browserSessions, 's');
const u = names(users, 'u');

const CLEAN_ROWS_MAX = 200;

export interface OwnAccount {
  id: string;
  name: string;
  email: string;
  image: string | null;
  passwordHash: string | null;
}

export function findOwnAccount(id: string): Statement<OwnAccount | null> {
  return firstRow<OwnAccount>(sql`
    SELECT ${u.id} AS id, ${u.name} AS name, ${u.email} AS email, ${u.image} AS image,
      ${u.password_hash} AS passwordHash
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

export interface LinkRow {
  user_id: string;
  email: string | null;
  /** The address as it is now. */
  present_email: string;
  name: string;
}

/** A link that still holds, and whose it is. */
export function findLink(
  tokenHash: string,
  purpose: LinkDraft['purpose'],
  now: number,
): Statement<LinkRow | null> {
  return firstRow<LinkRow>(sql`
    SELECT ${l.user_id} AS user_id, ${l.email} AS email, ${u.email} AS present_email, ${u.name} AS name
    FROM ${l} CROSS JOIN ${u} ON ${u.id} = ${l.user_id}
    WHERE ${l.token_hash} = ${tokenHash} AND ${l.purpose} = ${purpose} AND ${l.expires_at} > ${now}`);
}

/** Undoes the batch unless the link still holds: it counts once. */
export function assertLink(tokenHash: string, now: number): Statement<void> {
  return assertUnchanged(sql`EXISTS (
    SELECT 1 FROM ${l} WHERE ${l.token_hash} = ${tokenHash} AND ${l.expires_at} > ${now})`);
}

export function deleteLinksOf(userId: string, purpose: LinkDraft['purpose']): Statement<void> {
  return write(
    sql`DELETE FROM ${accountLinks} WHERE ${accountLinks.user_id} = ${userId} AND ${accountLinks.purpose} = ${purpose}`,
  );
}

export function deleteExpiredLinks(now: number): Statement<void> {
  return write(sql`
    DELETE FROM ${accountLinks} WHERE ${accountLinks.token_hash} IN (
      SELECT ${l.token_hash} FROM ${l} WHERE ${l.expires_at} <= ${now}
      ORDER BY ${l.expires_at} LIMIT ${CLEAN_ROWS_MAX})`);
}

/** Sets a password by a mailed link, which proves the address as well. */
export function setPassword(userId: string, hash: string, now: number): Statement<void> {
  return write(sql`
    UPDATE ${users} SET ${users.password_hash} = ${hash},
      ${users.verified_at} = coalesce(${users.verified_at}, ${now}) WHERE ${users.id} = ${userId}`);
}

/** Undoes the batch unless the password is the one that was asked. */
export function assertPassword({ id, passwordHash }: OwnAccount): Statement<void> {
  return assertUnchanged(sql`EXISTS (
    SELECT 1 FROM ${u} WHERE ${u.id} = ${id} AND ${u.password_hash} IS ${passwordHash})`);
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

export interface BrowserRow {
  id: string;
  id_hash: string;
  user_agent: string;
  created_at: number;
}

export function listBrowsersOf(userId: string, now: number): Statement<BrowserRow[]> {
  return rows<BrowserRow>(sql`
    SELECT ${publicId} AS id, ${s.id_hash} AS id_hash, ${s.user_agent} AS user_agent,
      ${s.created_at} AS created_at
    FROM ${s} WHERE ${s.user_id} = ${userId} AND ${s.expires_at} > ${now}
    ORDER BY ${s.created_at} DESC, ${s.id_hash} LIMIT 100`);
}

/** Answers the session that was deleted; null if the person has no such one. */
export function deleteBrowserOf(userId: string, id: string): Statement<{ id_hash: string } | null> {
  return firstRow<{ id_hash: string }>(sql`
    DELETE FROM ${browserSessions} WHERE ${browserSessions.user_id} = ${userId}
      AND substr(${browserSessions.id_hash}, 1, ${sql.raw(String(ID_CHARACTERS))}) = ${id}
    RETURNING ${browserSessions.id_hash}`);
}
