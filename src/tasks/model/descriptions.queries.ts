import type { Caller } from '../../kernel/access/access.ts';
import { idsInOrder, rows, type Statement } from '../../kernel/sql/database.ts';
import { columns, names, type Row, sql, typed } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';

const t = names(tasks, 't');

export const descriptionBytes = typed<number>(sql`coalesce(octet_length(${t.description}), 0)`);
/** SQLite knows the length of a text without reading it. */
export const descriptionWithin = (bytesMax: number) =>
  typed<string | null>(sql`iif(octet_length(${t.description}) <= ${bytesMax}, ${t.description}, NULL)`);

const descriptionColumns = columns({ id: t.id, description: t.description });

/** The descriptions of tasks that the caller has just been shown. */
export function listDescriptions(
  caller: Caller,
  ids: readonly number[],
): Statement<Row<typeof descriptionColumns>[]> {
  return rows(sql`
    SELECT ${descriptionColumns} FROM (${idsInOrder(ids)}) i
    CROSS JOIN ${t} ON ${t.id} = i.id AND ${t.ws} = ${caller.workspace}`);
}
