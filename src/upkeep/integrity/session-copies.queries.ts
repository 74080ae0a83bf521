import { buildInList, readRows, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { workspaceSessions } from '../../schema/cell/workspace-sessions.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { browserSessions, endedSessions } from '../../schema/directory/browser-sessions.ts';

const copy = aliasTable(workspaceSessions, 'c');
const ended = aliasTable(endedSessions, 'e');
const m = aliasTable(members, 'm');
const session = aliasTable(browserSessions, 's');

const copyColumns = selectColumns({ ws: copy.ws, id_hash: copy.id_hash, user_id: m.user_id });
export type SessionCopy = Row<typeof copyColumns>;

export function listUsableSessionCopies(
  after: Pick<SessionCopy, 'ws' | 'id_hash'>,
  now: number,
  limit: number,
): Statement<SessionCopy[]> {
  return readRows(sql`
    SELECT ${copyColumns} FROM ${copy} CROSS JOIN ${m} ON ${m.no} = ${copy.member}
    WHERE (${copy.ws}, ${copy.id_hash}) > (${after.ws}, ${after.id_hash})
      AND ${copy.is_confirmed} = 1 AND ${copy.expires_at} > ${now}
    ORDER BY ${copy.ws}, ${copy.id_hash} LIMIT ${limit}`);
}

const originalColumns = selectColumns({
  id_hash: withType<string>(sql`id_hash`),
  user_id: withType<string>(sql`user_id`),
});

export function listOriginals(
  idHashes: readonly string[],
): Statement<Pick<SessionCopy, 'id_hash' | 'user_id'>[]> {
  return readRows(sql`
    SELECT ${originalColumns} FROM (
      SELECT ${session.id_hash}, ${session.user_id} FROM ${session} WHERE ${session.id_hash} IN ${buildInList(idHashes)}
      UNION ALL
      SELECT ${ended.id_hash}, ${ended.user_id} FROM ${ended} WHERE ${ended.id_hash} IN ${buildInList(idHashes)})`);
}
