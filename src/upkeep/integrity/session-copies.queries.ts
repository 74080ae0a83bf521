import { inList, rows, type Statement } from '../../kernel/sql/database.ts';
import { columns, names, type Row, sql, typed } from '../../kernel/sql/sql.ts';
import { workspaceSessions } from '../../schema/cell/workspace-sessions.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { browserSessions, endedSessions } from '../../schema/directory/browser-sessions.ts';

const copy = names(workspaceSessions, 'c');
const ended = names(endedSessions, 'e');
const m = names(members, 'm');
const session = names(browserSessions, 's');

const copyColumns = columns({ ws: copy.ws, id_hash: copy.id_hash, user_id: m.user_id });
export type SessionCopy = Row<typeof copyColumns>;

/** Lists session copies with which a browser can currently open a workspace. */
export function listOpenCopies(
  after: Pick<SessionCopy, 'ws' | 'id_hash'>,
  now: number,
  limit: number,
): Statement<SessionCopy[]> {
  return rows(sql`
    SELECT ${copyColumns} FROM ${copy} CROSS JOIN ${m} ON ${m.no} = ${copy.member}
    WHERE (${copy.ws}, ${copy.id_hash}) > (${after.ws}, ${after.id_hash})
      AND ${copy.is_confirmed} = 1 AND ${copy.expires_at} > ${now}
    ORDER BY ${copy.ws}, ${copy.id_hash} LIMIT ${limit}`);
}

const originalColumns = columns({
  id_hash: typed<string>(sql`id_hash`),
  user_id: typed<string>(sql`user_id`),
});

/** Lists sessions that are open, or whose copies are about to be deleted. */
export function listOriginals(
  idHashes: readonly string[],
): Statement<Pick<SessionCopy, 'id_hash' | 'user_id'>[]> {
  return rows(sql`
    SELECT ${originalColumns} FROM (
      SELECT ${session.id_hash}, ${session.user_id} FROM ${session} WHERE ${session.id_hash} IN ${inList(idHashes)}
      UNION ALL
      SELECT ${ended.id_hash}, ${ended.user_id} FROM ${ended} WHERE ${ended.id_hash} IN ${inList(idHashes)})`);
}
