import type { Caller } from '../../kernel/access/access.ts';
import { assertUnchanged, readFirstRow, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { selectDescendants } from '../hierarchy/hierarchy.queries.ts';
import { isTaskVisible } from '../visibility/task-visibility.queries.ts';

const p = aliasTable(tasks, 'p');
const t = aliasTable(tasks, 't');

const parentColumns = selectColumns({ id: p.id, project: p.project, archived: p.archived });

export function findParentTask(caller: Caller, id: number): Statement<Row<typeof parentColumns> | null> {
  return readFirstRow(sql`
    SELECT ${parentColumns} FROM ${t} CROSS JOIN ${p} ON ${p.id} = ${t.parent} AND ${isTaskVisible(p, caller)}
    WHERE ${t.id} = ${id} AND ${t.ws} = ${caller.workspace}`);
}

const selectTaskDescendants = (id: number): SQL => selectDescendants(sql`SELECT ${id} AS id`);

export function assertDescendantsUnchanged(
  caller: Caller,
  id: number,
  read: readonly { id: number; version: number }[],
): Statement<void> {
  const versions = JSON.stringify(read.map((each) => [each.id, each.version]));
  return assertUnchanged(sql`
    (SELECT count(*) FROM (${selectTaskDescendants(id)})) = ${read.length}
    AND NOT EXISTS (SELECT 1 FROM json_each(${versions}) d WHERE NOT EXISTS (
      SELECT 1 FROM ${t} NOT INDEXED WHERE ${t.id} = d.value ->> 0 AND ${t.ws} = ${caller.workspace}
        AND ${t.version} = d.value ->> 1))`);
}
