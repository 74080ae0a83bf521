import { firstRow, guardStatement, inList, rows, type Statement, write } from '../../kernel/sql/database.ts';
import { columns, names, type Row, sql, typed } from '../../kernel/sql/sql.ts';
import { memberships, workspaces } from '../../schema/cell/workspaces.ts';
import { users } from '../../schema/directory/accounts.ts';
import { browserSessions } from '../../schema/directory/browser-sessions.ts';

const p = names(memberships, 'p');
const s = names(browserSessions, 's');
const u = names(users, 'u');
const w = names(workspaces, 'w');

const sessionPersonColumns = columns({
  id: u.id,
  email: u.email,
  name: u.name,
  image: u.image,
  /** When the session ends. */
  expires_at: s.expires_at,
});
export type SessionPerson = Row<typeof sessionPersonColumns>;

const CLEAN_ROWS_MAX = 200;

export interface NewSession {
  idHash: string;
  userId: string;
  /** As the browser calls itself. */
  userAgent: string;
  expiresAt: number;
  /** Of the password that was checked; null where the person proved who they are in another way. */
  passwordHash?: string | null;
}

/** Does nothing for an account that was deleted, or has got another password, in the meantime. */
export function insertBrowserSession(
  { idHash, userId, userAgent, expiresAt, passwordHash = null }: NewSession,
  now: number,
) {
  return write(sql`
    INSERT INTO ${browserSessions} (id_hash, user_id, user_agent, created_at, expires_at)
    SELECT ${idHash}, ${u.id}, ${userAgent}, ${now}, ${expiresAt} FROM ${u}
    WHERE ${u.id} = ${userId} AND ${u.deleted_at} IS NULL
      AND ${u.password_hash} IS coalesce(${passwordHash}, ${u.password_hash})`);
}

export function findSessionPerson(idHash: string, now: number) {
  return firstRow(sql`
    SELECT ${sessionPersonColumns}
    FROM ${s} JOIN ${u} ON ${u.id} = ${s.user_id}
    WHERE ${s.id_hash} = ${idHash} AND ${s.expires_at} > ${now}`);
}

/** The person of a session, and whether they are in the workspace. */
export function findSessionInWorkspace(idHash: string, workspaceId: string, now: number) {
  return firstRow(sql`
    SELECT ${sessionPersonColumns}, ${columns({
      /** Where the workspace lives; null if the person is not in it. */
      cell: typed<number | null>(sql`(SELECT w.cell FROM ${p} JOIN ${w} ON ${w.id} = ${p.workspace_id}
        WHERE ${p.user_id} = ${u.id} AND ${p.workspace_id} = ${workspaceId} AND ${p.ended_at} IS NULL)`),
    })}
    FROM ${s} JOIN ${u} ON ${u.id} = ${s.user_id}
    WHERE ${s.id_hash} = ${idHash} AND ${s.expires_at} > ${now}`);
}

/** Raises unless the person is still signed in in this browser. */
export function guardBrowserSession(idHash: string, userId: string, now: number) {
  return guardStatement(sql`EXISTS (
    SELECT 1 FROM ${s}
    WHERE ${s.id_hash} = ${idHash} AND ${s.user_id} = ${userId} AND ${s.expires_at} > ${now})`);
}

export function deleteBrowserSession(idHash: string) {
  return write(sql`DELETE FROM ${browserSessions} WHERE ${browserSessions.id_hash} = ${idHash}`);
}

/** Deletes a bounded number a run. */
export function deleteExpiredSessions(now: number) {
  return write(sql`
    DELETE FROM ${browserSessions} WHERE ${browserSessions.id_hash} IN (
      SELECT ${s.id_hash} FROM ${s} WHERE ${s.expires_at} <= ${now}
      ORDER BY ${s.expires_at} LIMIT ${CLEAN_ROWS_MAX})`);
}

const idHashColumn = columns({ id_hash: s.id_hash });

/** Which of these browsers somebody is signed in in. */
export function areSignedIn(idHashes: readonly string[], now: number): Statement<Set<string>> {
  const found = rows(
    sql`SELECT ${idHashColumn} FROM ${s} WHERE ${s.id_hash} IN ${inList(idHashes)}
      AND ${s.expires_at} > ${now}`,
  );
  return { ...found, read: (all) => new Set(found.read(all).map(({ id_hash }) => id_hash)) };
}
