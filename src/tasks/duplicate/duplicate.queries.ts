import type { Caller } from '../../kernel/access/access.ts';
import { assertUnchanged, readFirstRow, readRows, type Statement } from '../../kernel/sql/database.ts';
import {
  aliasLeftJoined,
  aliasTable,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { activeMembers, members } from '../../schema/cell/workspaces.ts';
import { selectDescendants } from '../hierarchy/hierarchy.queries.ts';
import { stateFields } from '../model/tasks.queries.ts';
import { selectDescriptionBytes } from '../texts/task-texts.queries.ts';
import { isTaskVisible } from '../visibility/task-visibility.queries.ts';

const a = aliasLeftJoined(members, 'a');
const am = aliasLeftJoined(activeMembers, 'am');
const p = aliasTable(tasks, 'p');
const t = aliasTable(tasks, 't');

const parentColumns = selectColumns({ id: p.id, project: p.project, archived: p.archived });

/** Returns null if there is no parent or the caller can't see it. */
export function findParent(caller: Caller, id: number): Statement<Row<typeof parentColumns> | null> {
  return readFirstRow(sql`
    SELECT ${parentColumns} FROM ${t} CROSS JOIN ${p} ON ${p.id} = ${t.parent} AND ${isTaskVisible(p, caller)}
    WHERE ${t.id} = ${id} AND ${t.ws} = ${caller.workspace}`);
}

const descendantColumns = selectColumns({
  ...stateFields,
  description: withType<string | null>(sql`NULL`),
  bytes: selectDescriptionBytes(t),
  /** Null if the assignee has left the workspace. */
  active_assignee: am.no,
});
export type DescendantRow = Row<typeof descendantColumns>;

const selectDescendantsOf = (id: number): SQL => selectDescendants(sql`SELECT ${id} AS id`);

/** Returns parents before their subtasks, and subtasks in manual order. */
export function listDescendants(caller: Caller, id: number): Statement<DescendantRow[]> {
  return readRows(sql`
    SELECT ${descendantColumns} FROM (${selectDescendantsOf(id)}) d CROSS JOIN ${t} NOT INDEXED ON ${t.id} = d.id
    LEFT JOIN ${a} ON ${a.no} = ${t.assignee}
    LEFT JOIN ${am} ON ${am.no} = ${t.assignee} AND ${am.ws} = ${t.ws}
    WHERE ${t.ws} = ${caller.workspace} ORDER BY d.level, ${t.parent_place}, ${t.id}`);
}

/** Aborts the batch if the task has other descendants now, or one of them has changed. */
export function assertDescendantsUnchanged(
  caller: Caller,
  id: number,
  read: readonly { id: number; version: number }[],
): Statement<void> {
  const versions = JSON.stringify(read.map((each) => [each.id, each.version]));
  return assertUnchanged(sql`
    (SELECT count(*) FROM (${selectDescendantsOf(id)})) = ${read.length}
    AND NOT EXISTS (SELECT 1 FROM json_each(${versions}) d WHERE NOT EXISTS (
      SELECT 1 FROM ${t} NOT INDEXED WHERE ${t.id} = d.value ->> 0 AND ${t.ws} = ${caller.workspace}
        AND ${t.version} = d.value ->> 1))`);
}
