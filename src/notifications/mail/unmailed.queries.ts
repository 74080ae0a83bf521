import { readNumber, readRows } from '../../kernel/sql/database.ts';
import { saveJobPosition } from '../../kernel/sql/job-positions.queries.ts';
import { aliasTable, type SQL, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { jobPositions } from '../../schema/cell/job-positions.ts';
import { notifications } from '../../schema/cell/notifications.ts';

const n = aliasTable(notifications, 'n');

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
