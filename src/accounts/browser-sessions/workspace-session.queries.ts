import { and, eq, exists, gt } from 'drizzle-orm';
import type { Caller } from '../../kernel/access/access.ts';
import {
  type AuditAuthor,
  auditColumns,
  recordAuditEntryBy,
} from '../../kernel/audit/record-audit.queries.ts';
import { buildInList, readRows, type Statement, write } from '../../kernel/sql/database.ts';
import { type Argument, pickColumns, prepared, query } from '../../kernel/sql/prepared.ts';
import { aliasTable, nameInsertColumns, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { auditEntries } from '../../schema/cell/audit-entries.ts';
import { workspaceSessions } from '../../schema/cell/workspace-sessions.ts';
import { activeMembers, members, workspaces } from '../../schema/cell/workspaces.ts';
import { callerColumns, isUnchangedMember } from '../credentials/credentials.queries.ts';

const m = aliasTable(members, 'm');
const s = workspaceSessions;
const ws2 = aliasTable(workspaceSessions, 's');
const w = aliasTable(workspaces, 'w');

const isOpenSession = (idHash: Argument<string>, now: Argument<number>) =>
  and(eq(s.id_hash, idHash), eq(s.is_confirmed, 1), gt(s.expires_at, now));

export const findSessionCaller = prepared.firstRow(
  (idHash: Argument<string>, workspaceId: Argument<string>, now: Argument<number>) =>
    query
      .select({ ...callerColumns, ...pickColumns(s, 'expires_at') })
      .from(workspaces)
      .innerJoin(s, eq(s.ws, workspaces.no))
      .innerJoin(activeMembers, and(eq(activeMembers.no, s.member), eq(activeMembers.ws, s.ws)))
      .where(and(eq(workspaces.id, workspaceId), isOpenSession(idHash, now))),
);

export const guardSessionCaller = prepared.guard(
  (caller: Argument<Caller>, idHash: Argument<string>, now: Argument<number>) =>
    exists(
      query
        .select(pickColumns(s, 'member'))
        .from(s)
        .innerJoin(activeMembers, eq(activeMembers.no, s.member))
        .where(and(eq(s.ws, caller.workspace), isOpenSession(idHash, now), isUnchangedMember(caller))),
    ),
);

export interface WorkspaceSession {
  readonly idHash: string;
  readonly userId: string;
  readonly workspaceId: string;
  readonly expiresAt: number;
  readonly from: AuditAuthor['from'];
}

/**
 * Copies a session and records the sign-in, unless the person isn't a member or the cell already has the session. Also
 * deletes expired copies.
 */
export function insertWorkspaceSession(session: WorkspaceSession, now: number): Statement<void>[] {
  const { idHash, userId, workspaceId, expiresAt, from } = session;
  const ws = sql`(SELECT ${w.no} FROM ${w} WHERE ${w.id} = ${workspaceId})`;
  const member = sql`(SELECT ${m.no} FROM ${m} WHERE ${m.ws} = ${ws} AND ${m.user_id} = ${userId}
    AND ${m.ended_at} IS NULL)`;
  const isCopied = sql`EXISTS (SELECT 1 FROM ${ws2} WHERE ${ws2.ws} = ${ws} AND ${ws2.id_hash} = ${idHash})`;
  return [
    recordAuditEntryBy(
      { ws, actor: member, kind: 'browser', from, now },
      { type: 'sign_in.succeeded' },
      sql`${member} IS NOT NULL AND NOT ${isCopied}`,
    ),
    write(sql`
      DELETE FROM ${workspaceSessions}
      WHERE ${workspaceSessions.ws} = ${ws} AND ${workspaceSessions.expires_at} <= ${now}`),
    write(sql`
      INSERT INTO ${nameInsertColumns(workspaceSessions, 'ws', 'id_hash', 'member', 'expires_at')}
      SELECT ${m.ws}, ${idHash}, ${m.no}, ${expiresAt}
      FROM ${w} CROSS JOIN ${m} ON ${m.ws} = ${w.no} AND ${m.user_id} = ${userId}
      WHERE ${w.id} = ${workspaceId} AND ${m.ended_at} IS NULL
      ON CONFLICT DO NOTHING`),
  ];
}

export function confirmWorkspaceSession({ idHash, workspaceId }: WorkspaceSession): Statement<void> {
  return write(sql`
    UPDATE ${workspaceSessions} SET ${workspaceSessions.is_confirmed} = 1
    WHERE ${workspaceSessions.ws} = (SELECT ${w.no} FROM ${w} WHERE ${w.id} = ${workspaceId})
      AND ${workspaceSessions.id_hash} = ${idHash}`);
}

interface SessionKey {
  readonly id_hash: string;
  readonly user_id: string;
}

/**
 * Deletes a cell's copies of the sessions, and records in the audit log that they ended. `from` identifies the browser
 * that ended them, or is null if a job or an operator did.
 */
export function endWorkspaceSessions(
  sessions: readonly SessionKey[],
  from: AuditAuthor['from'] | null,
  now: number,
): Statement<void>[] {
  const pairs = JSON.stringify(sessions.map(({ id_hash, user_id }) => [user_id, id_hash]));
  const keys = sql`(
      SELECT ${m.ws}, j.value ->> 1 FROM json_each(${pairs}) j CROSS JOIN ${m} ON ${m.user_id} = j.value ->> 0)`;
  return [
    write(sql`
    INSERT INTO ${nameInsertColumns(auditEntries, ...auditColumns)}
    SELECT ${ws2.ws}, 'session.ended', ${ws2.member}, ${from ? 'browser' : 'service'}, NULL, ${from?.ip ?? null},
      ${from?.userAgent ?? null}, NULL, NULL, NULL, json_object('sessions', CAST(count(*) AS TEXT)), NULL, ${now}
    FROM ${ws2} WHERE (${ws2.ws}, ${ws2.id_hash}) IN ${keys} AND ${ws2.is_confirmed} = 1 AND ${ws2.expires_at} > ${now}
    GROUP BY ${ws2.ws}, ${ws2.member}`),
    write(sql`
    DELETE FROM ${workspaceSessions} WHERE (${workspaceSessions.ws}, ${workspaceSessions.id_hash}) IN ${keys}`),
  ];
}

/** A restored cell may have outdated copies. Each session is copied again when its browser loads the next page. */
export function deleteAllWorkspaceSessions(): Statement<void> {
  return write(sql`DELETE FROM ${workspaceSessions}`);
}

export function findOpenSessionHashes(
  ws: number,
  idHashes: readonly string[],
  now: number,
): Statement<Set<string>> {
  const found = readRows(sql`
    SELECT ${selectColumns({ id_hash: s.id_hash })} FROM ${s}
    WHERE ${s.ws} = ${ws} AND ${s.id_hash} IN ${buildInList(idHashes)} AND ${s.is_confirmed} = 1
      AND ${s.expires_at} > ${now}`);
  return { ...found, read: (all) => new Set(found.read(all).map(({ id_hash }) => id_hash)) };
}
