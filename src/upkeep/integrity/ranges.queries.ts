import { readRows, type Statement } from '../../kernel/sql/database.ts';
import { selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { bucketColumns, taskCounts } from '../../schema/cell/counters.ts';
import { tasks } from '../../schema/cell/tasks.ts';

const lastProjectColumn = selectColumns({ id: withType<number>(sql`max(project)`) });
const rangeEndColumn = selectColumns({ id: withType<number>(sql`id`) });

/** Lists the last project of each range. If the counters are correct, ranges have about the same number of tasks. */
export function listProjectRangeEnds(size: number): Statement<{ id: number }[]> {
  const { member, project } = taskCounts;
  const total = sql.raw(bucketColumns.join(' + '));
  return readRows(sql`
    SELECT ${lastProjectColumn} FROM (
      SELECT ${project}, sum(${total}) OVER (ORDER BY ${project}) / ${sql.raw(String(size))} AS range
        FROM ${taskCounts}
      WHERE ${member} = 0)
    GROUP BY range ORDER BY id`);
}

export function listTaskRangeEnds(size: number): Statement<{ id: number }[]> {
  const step = sql.raw(String(size));
  return readRows(sql`
    WITH RECURSIVE border (id, last) AS (
      SELECT ${step}, (SELECT max(${tasks.id}) FROM ${tasks})
      UNION ALL SELECT id + ${step}, last FROM border WHERE id < last)
    SELECT ${rangeEndColumn} FROM border`);
}
