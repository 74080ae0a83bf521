import { buildInList, readNumber, readRows } from '../../kernel/sql/database.ts';
import { saveJobPosition } from '../../kernel/sql/job-positions.queries.ts';
import { aliasTable, type SQL, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { jobPositions } from '../../schema/cell/job-positions.ts';
import { notifications } from '../../schema/cell/notifications.ts';
import { members, workspaces } from '../../schema/cell/workspaces.ts';
import { listNotificationsWithSummaries } from '../inbox/notifications.queries.ts';
import type { NotificationType } from '../inbox/notifications.schema.ts';

const m = aliasTable(members, 'm');
const n = aliasTable(notifications, 'n');
const w = aliasTable(workspaces, 'w');

const unprocessedColumns = selectColumns({ id: n.id, user_id: n.user_id });

/** The name of the cell's copy of the directory's email cursor. The copy can lag behind, but is never ahead. */
const CURSOR_NAME = 'mails.considered';

export const saveCursorCopy = (upto: number) => saveJobPosition(CURSOR_NAME, String(upto));

/**
 * True if `listUnprocessedNotifications` can find rows. Checks only the oldest unprocessed row, because newer rows have
 * later times.
 */
export function hasUnprocessedNotifications(madeUntil: number): SQL {
  const cursor = sql`coalesce((
    SELECT CAST(${jobPositions.position} AS INTEGER) FROM ${jobPositions} WHERE ${jobPositions.name} = ${CURSOR_NAME}), 0)`;
  return sql`coalesce((
    SELECT ${n.created_at} FROM ${n} WHERE ${n.id} > ${cursor} ORDER BY ${n.id} LIMIT 1) <= ${madeUntil}, 0)`;
}

export function listUnprocessedNotifications(after: number, madeUntil: number, limit: number) {
  return readRows(sql`
    SELECT ${unprocessedColumns} FROM ${n}
    WHERE ${n.id} > ${after} AND ${n.created_at} <= ${madeUntil} ORDER BY ${n.id} LIMIT ${limit}`);
}

export const newestNotificationId = readNumber(
  sql`SELECT coalesce(max(${notifications.id}), 0) AS id FROM ${notifications}`,
);

interface UnmailedFilter {
  kinds: readonly NotificationType[];
  ids: readonly [after: number, upto: number];
  times: readonly [after: number, upto: number];
  limit: number;
}

/** Newest first. Reads only the 500 newest unread notifications. */
export function listUnmailedNotifications(userId: string, { kinds, ids, times, limit }: UnmailedFilter) {
  const unread: SQL = sql`
    SELECT * FROM ${notifications} INDEXED BY notifications_by_user
    WHERE ${notifications.user_id} = ${userId} AND ${notifications.is_read} = 0
      AND ${notifications.id} > ${ids[0]} AND ${notifications.id} <= ${ids[1]} ORDER BY ${notifications.id} DESC LIMIT 500`;
  return listNotificationsWithSummaries(sql`
    SELECT ${n.id}, ${n.user_id}, ${n.ws}, ${n.type}, ${n.task}, ${n.comment}, ${n.project}, ${n.actor},
      ${n.read_at}, ${n.created_at}
    FROM (${unread}) n WHERE ${n.created_at} > ${times[0]} AND ${n.created_at} <= ${times[1]} AND ${n.type} IN ${buildInList(kinds)} LIMIT ${limit}`);
}

const memberNameColumns = selectColumns({ workspace_id: w.id, id: m.user_id, name: m.name });

export function listMemberNames(workspaceIds: readonly string[], ids: readonly string[]) {
  return readRows(sql`
    SELECT ${memberNameColumns}
    FROM ${w} CROSS JOIN ${m} ON ${m.ws} = ${w.no}
    WHERE ${w.id} IN ${buildInList(workspaceIds)} AND ${m.user_id} IN ${buildInList(ids)}`);
}
