import { readRows, write } from '../../kernel/sql/database.ts';
import { findJobPosition } from '../../kernel/sql/job-positions.queries.ts';
import { aliasTable, nameInsertColumns, type SQL, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { jobPositions } from '../../schema/cell/job-positions.ts';
import { notifications } from '../../schema/cell/notifications.ts';

const n = aliasTable(notifications, 'n');

const unpushedColumns = selectColumns({ id: n.id, user_id: n.user_id, type: n.type });

/** The name of the position that contains the id of the last notification that was considered for push. */
const CURSOR_NAME = 'push.considered';

export const findPushCursor = () => findJobPosition(CURSOR_NAME);

/** Never moves the cursor back, because a parallel run may have moved it further. */
export function movePushCursor(upto: number) {
  return write(sql`
    INSERT INTO ${nameInsertColumns(jobPositions, 'name', 'position')} VALUES (${CURSOR_NAME}, ${String(upto)})
    ON CONFLICT (${jobPositions.name}) DO UPDATE SET ${jobPositions.position} = ${String(upto)}
    WHERE CAST(${jobPositions.position} AS INTEGER) < ${upto}`);
}

export function hasUnpushedNotifications(): SQL {
  const cursor = sql`coalesce((
    SELECT CAST(${jobPositions.position} AS INTEGER) FROM ${jobPositions} WHERE ${jobPositions.name} = ${CURSOR_NAME}), 0)`;
  return sql`EXISTS (SELECT 1 FROM ${n} WHERE ${n.id} > ${cursor})`;
}

export function listUnpushedNotifications(after: number, limit: number) {
  return readRows(sql`
    SELECT ${unpushedColumns} FROM ${n} WHERE ${n.id} > ${after} ORDER BY ${n.id} LIMIT ${limit}`);
}
