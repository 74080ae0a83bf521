import { rows, type Statement } from '../../kernel/sql/database.ts';
import { columns, sql, typed } from '../../kernel/sql/sql.ts';
import { bucketColumns, taskCounts } from '../../schema/cell/counters.ts';
import { tasks } from '../../schema/cell/tasks.ts';

const lastOfRange = columns({ id: typed<number>(sql`max(project)`) });
const borderColumn = columns({ id: typed<number>(sql`id`) });

/** Lists the last project of each range. Ranges have about the same number of tasks if the counters are correct. */
export function listProjectBorders(size: number): Statement<{ id: number }[]> {
  const { member, project } = taskCounts;
  const total = sql.raw(bucketColumns.join(' + '));
  return rows(sql`
    SELECT ${lastOfRange} FROM (
      SELECT ${project}, sum(${total}) OVER (ORDER BY ${project}) / ${sql.raw(String(size))} AS range
        FROM ${taskCounts}
      WHERE ${member} = 0)
    GROUP BY range ORDER BY id`);
}

export function listTaskBorders(size: number): Statement<{ id: number }[]> {
  const step = sql.raw(String(size));
  return rows(sql`
    WITH RECURSIVE border (id, last) AS (
      SELECT ${step}, (SELECT max(${tasks.id}) FROM ${tasks})
      UNION ALL SELECT id + ${step}, last FROM border WHERE id < last)
    SELECT ${borderColumn} FROM border`);
}
