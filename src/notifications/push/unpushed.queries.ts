import { readRows, write } from '../../kernel/sql/database.ts';
import { findJobPosition } from '../../kernel/sql/job-positions.queries.ts';
import {
  aliasTable,
  joinColumnNames,
  nameInsertColumns,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { jobPositions } from '../../schema/cell/job-positions.ts';
import { notifications } from '../../schema/cell/notifications.ts';

const n = aliasTable(notifications, 'n');

const personColumns = selectColumns({
  user_id: n.user_id,
  first_id: withType<number>(sql`min(${n.id})`),
  last_id: withType<number>(sql`max(${n.id})`),
  notifications: withType<number>(sql`count(*)`),
  types: withType<string>(sql`group_concat(DISTINCT ${n.type})`),
});
export type UnpushedPerson = Row<typeof personColumns>;

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

/** Returns who got the next notifications, in the order of each person's first one. */
export function listUnpushedPeople(after: number, limit: number) {
  const next = sql`
    SELECT ${joinColumnNames(notifications, 'id', 'user_id', 'type')} FROM ${notifications}
    WHERE ${notifications.id} > ${after} ORDER BY ${notifications.id} LIMIT ${limit}`;
  return readRows<UnpushedPerson>(sql`
    SELECT ${personColumns} FROM (${next}) n GROUP BY ${n.user_id} ORDER BY min(${n.id})`);
}
