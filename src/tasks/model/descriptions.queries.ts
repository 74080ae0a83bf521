import type { Caller } from '../../kernel/access/access.ts';
import { readRows, type Statement, selectIdsInOrder } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { selectDescription } from '../texts/task-texts.queries.ts';

const t = aliasTable(tasks, 't');

const descriptionColumns = selectColumns({ id: t.id, description: selectDescription(t) });

/** Doesn't check access, because the caller has just read these tasks. */
export function listDescriptions(
  ws: number,
  ids: readonly number[],
): Statement<Row<typeof descriptionColumns>[]> {
  return readRows(sql`
    SELECT ${descriptionColumns} FROM (${selectIdsInOrder(ids)}) i
    CROSS JOIN ${t} ON ${t.id} = i.id AND ${t.ws} = ${ws}`);
}

const idColumn = selectColumns({ id: t.id });

export function listTasksWithEqualDescription(
  caller: Caller,
  ids: readonly number[],
  description: string,
): Statement<{ id: number }[]> {
  return readRows(sql`
    SELECT ${idColumn} FROM (${selectIdsInOrder(ids)}) i
    CROSS JOIN ${t} ON ${t.id} = i.id AND ${t.ws} = ${caller.workspace} AND ${selectDescription(t)} = ${description}`);
}
