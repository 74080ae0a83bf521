import { inList, type Statement, write } from '../kernel/database.ts';
import { into, names, sql } from '../kernel/sql.ts';
import { bucketOf } from '../task-model/buckets.ts';
import { taskPriorities, taskStatuses } from '../task-model/tasks.schema.ts';
import { bucketColumns, columnAt, dueColumns, flowDays, taskCounts } from './counters.sql.ts';

const c = names(taskCounts, 'c');

/** Unarchived tasks of each status, as the counters of a project tell them. */
const byStatus = [...taskStatuses.keys()].map((status) =>
  [...taskPriorities.keys()].map((priority) =>
    columnAt(bucketColumns, bucketOf({ archived: 0, status, priority })),
  ),
);

/** Keeps what some workspaces have as a day begins; a second run on that day changes nothing. */
export function keepFlow(numbers: readonly number[], day: string): Statement<void>[] {
  const intoFlow = into(flowDays, 'ws', 'project', 'day', ...dueColumns);
  const of = sql`FROM ${c} WHERE ${c.ws} IN ${inList(numbers)} AND ${c.member} = 0`;
  const ofProject = byStatus.map((columns) => columns.map((column) => c[column]).join(' + '));
  const ofAll = ofProject.map((sum) => `sum(${sum})`);
  return [
    write(sql`
      INSERT OR IGNORE INTO ${intoFlow} SELECT ${c.ws}, ${c.project}, ${day}, ${sql.raw(ofProject.join(', '))} ${of}`),
    write(sql`
      INSERT OR IGNORE INTO ${intoFlow} SELECT ${c.ws}, 0, ${day}, ${sql.raw(ofAll.join(', '))} ${of} GROUP BY ${c.ws}`),
  ];
}

/** For a project that is deleted. What the workspace had on those days stays. */
export function dropFlow({ ws, id }: { ws: number; id: number }): Statement<void> {
  return write(sql`DELETE FROM ${flowDays} WHERE ${flowDays.ws} = ${ws} AND ${flowDays.project} = ${id}`);
}
