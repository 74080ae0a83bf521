import { and, eq, gt, inArray, lte } from 'drizzle-orm';
import { buildInList, readRows, type Statement, write } from '../../kernel/sql/database.ts';
import {
  type Argument,
  hasRow,
  pickColumns,
  prepared,
  query,
  type RowOf,
} from '../../kernel/sql/prepared.ts';
import { aliasTable, type Row, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { memberships, workspacePlacements } from '../../schema/cell/workspaces.ts';
import { users } from '../../schema/directory/accounts.ts';
import { browserSessions, endedSessions } from '../../schema/directory/browser-sessions.ts';

const e = aliasTable(endedSessions, 'e');
const p = aliasTable(memberships, 'p');
const s = browserSessions;
const u = aliasTable(users, 'users');
const w = aliasTable(workspacePlacements, 'w');

const sessionPersonColumns = {
  ...pickColumns(users, 'id', 'email', 'name', 'image'),
  expires_at: s.expires_at,
};
export type SessionPerson = RowOf<typeof findPersonBySession>;

const DELETIONS_PER_RUN_MAX = 200;

export interface NewSession {
  idHash: string;
  userId: string;
  userAgent: string;
  expiresAt: number;
  passwordHash?: string | null;
}

const isOpenSession = (idHash: Argument<string>, now: Argument<number>) =>
  and(eq(s.id_hash, idHash), gt(s.expires_at, now));

/** Inserts nothing if the account has been deleted, or if its password has changed since the password was checked. */
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

export const findPersonBySession = prepared.firstRow((idHash: Argument<string>, now: Argument<number>) =>
  query
    .select(sessionPersonColumns)
    .from(s)
    .innerJoin(users, eq(users.id, s.user_id))
    .where(isOpenSession(idHash, now)),
);

export const findSessionInWorkspace = prepared.firstRow(
  (idHash: Argument<string>, workspaceId: Argument<string>, now: Argument<number>) =>
    query
      .select({
        ...sessionPersonColumns,
        cell: withType<number | null>(sql`(
          SELECT w.cell FROM ${p} JOIN ${w} ON ${w.id} = ${p.workspace_id}
          WHERE ${p.user_id} = ${u.id} AND ${p.workspace_id} = ${workspaceId} AND ${p.ended_at} IS NULL)`),
      })
      .from(s)
      .innerJoin(users, eq(users.id, s.user_id))
      .where(isOpenSession(idHash, now)),
);

export const guardBrowserSession = prepared.guard(
  (idHash: Argument<string>, userId: Argument<string>, now: Argument<number>) =>
    hasRow(s, and(isOpenSession(idHash, now), eq(s.user_id, userId))),
);

export const deleteBrowserSession = prepared.write((idHash: Argument<string>) =>
  query.delete(s).where(eq(s.id_hash, idHash)),
);

export const deleteExpiredSessions = prepared.write((now: Argument<number>) => {
  const expired = query
    .select(pickColumns(s, 'id_hash'))
    .from(s)
    .where(lte(s.expires_at, now))
    .orderBy(s.expires_at)
    .limit(DELETIONS_PER_RUN_MAX);
  return query.delete(s).where(inArray(s.id_hash, expired));
});

const endedSessionColumns = selectColumns({
  id_hash: e.id_hash,
  user_id: e.user_id,
  /**
   * The cells that may have a copy of the session, as a JSON array. Includes cells of workspaces that the
   * person has left.
   */
  cells: withType<string>(sql`(
    SELECT json_group_array(DISTINCT ${w.cell}) FROM ${p} JOIN ${w} ON ${w.id} = ${p.workspace_id}
    WHERE ${p.user_id} = ${e.user_id})`),
});
export type EndedSession = Row<typeof endedSessionColumns>;

export function listEndedSessions(limit: number): Statement<EndedSession[]> {
  return readRows(sql`SELECT ${endedSessionColumns} FROM ${e} ORDER BY ${e.id_hash} LIMIT ${limit}`);
}

export function listEndedUserSessions(userId: string, limit: number): Statement<EndedSession[]> {
  return readRows(sql`SELECT ${endedSessionColumns} FROM ${e} WHERE ${e.user_id} = ${userId} LIMIT ${limit}`);
}

export function deleteEndedSessions(idHashes: readonly string[]): Statement<void> {
  return write(sql`DELETE FROM ${endedSessions} WHERE ${endedSessions.id_hash} IN ${buildInList(idHashes)}`);
}
