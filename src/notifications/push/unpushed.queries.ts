import { readRows } from '../../kernel/sql/database.ts';
import { saveJobPosition } from '../../kernel/sql/job-positions.queries.ts';
import { aliasTable, type SQL, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { jobPositions } from '../../schema/cell/job-positions.ts';
import { notifications } from '../../schema/cell/notifications.ts';

const n = aliasTable(notifications, 'n');

const unpushedColumns = selectColumns({ id: n.id, user_id: n.user_id, type: n.type });

/** The name of the cell's copy of the directory's push cursor. The copy can lag behind, but is never ahead. */
const CURSOR_NAME = 'push.considered';

export const savePushCursorCopy = (upto: number) => saveJobPosition(CURSOR_NAME, String(upto));

export function hasUnpushedNotifications(): SQL {
  const cursor = sql`coalesce((
    SELECT CAST(${jobPositions.position} AS INTEGER) FROM ${jobPositions} WHERE ${jobPositions.name} = ${CURSOR_NAME}), 0)`;
  return sql`EXISTS (SELECT 1 FROM ${n} WHERE ${n.id} > ${cursor})`;
}

export function listUnpushedNotifications(after: number, limit: number) {
  return readRows(sql`
    SELECT ${unpushedColumns} FROM ${n} WHERE ${n.id} > ${after} ORDER BY ${n.id} LIMIT ${limit}`);
}
