import type { Caller } from '../../kernel/access/access.ts';
import { rows, type Statement, selectIdsInOrder } from '../../kernel/sql/database.ts';
import { columns, names, type Row, sql } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { selectDescription } from '../texts/task-texts.queries.ts';

const t = names(tasks, 't');

const descriptionColumns = columns({ id: t.id, description: selectDescription(t) });

/** Doesn't check access, because the caller has just read these tasks. */
export function listDescriptions(
  caller: Caller,
  ids: readonly number[],
): Statement<Row<typeof descriptionColumns>[]> {
  return rows(sql`
    SELECT ${descriptionColumns} FROM (${selectIdsInOrder(ids)}) i
    CROSS JOIN ${t} ON ${t.id} = i.id AND ${t.ws} = ${caller.workspace}`);
}

const idColumn = columns({ id: t.id });

export function listTasksWithDescription(
  caller: Caller,
  ids: readonly number[],
  description: string,
): Statement<{ id: number }[]> {
  return rows(sql`
    SELECT ${idColumn} FROM (${selectIdsInOrder(ids)}) i
    CROSS JOIN ${t} ON ${t.id} = i.id AND ${t.ws} = ${caller.workspace} AND ${selectDescription(t)} = ${description}`);
}
