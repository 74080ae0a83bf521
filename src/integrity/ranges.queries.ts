import { sql } from 'drizzle-orm';
import { rows, type Statement } from '../kernel/database.ts';
import { BUCKETS } from '../task-model/buckets.ts';

/** The last projects of ranges with about equally many tasks. Wrong counters make only the sizes wrong. */
export function listProjectBorders(tasks: number): Statement<{ id: number }[]> {
  const total = Array.from({ length: BUCKETS }, (_, bucket) => `bucket${bucket}`).join(' + ');
  return rows<{ id: number }>(
    sql.raw(`
    SELECT max(project) AS id FROM (
      SELECT project, sum(${total}) OVER (ORDER BY project) / ${tasks} AS range FROM task_counts WHERE member = 0)
    GROUP BY range ORDER BY id`),
  );
}

/** The same of tasks. */
export function listTaskBorders(tasks: number): Statement<{ id: number }[]> {
  return rows<{ id: number }>(
    sql.raw(`
    WITH RECURSIVE border (id, last) AS (
      SELECT ${tasks}, (SELECT max(id) FROM tasks)
      UNION ALL SELECT id + ${tasks}, last FROM border WHERE id < last)
    SELECT id FROM border`),
  );
}
