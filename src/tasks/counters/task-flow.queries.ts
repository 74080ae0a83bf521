import { buildInList, type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, nameInsertColumns, sql } from '../../kernel/sql/sql.ts';
import { dueColumns, flowDays, taskCounts } from '../../schema/cell/counters.ts';
import { toStatusBuckets } from '../model/buckets.ts';
import { taskStatuses } from '../model/tasks.schema.ts';
import { sumBuckets } from './bucket-sums.queries.ts';

const c = aliasTable(taskCounts, 'c');

const statusSums = [...taskStatuses.keys()].map((status) => sumBuckets(toStatusBuckets([status])));

/** Running these statements again on the same day changes nothing. */
export function insertTaskFlow(numbers: readonly number[], day: string): Statement<void>[] {
  const taskFlowInsertTarget = nameInsertColumns(flowDays, 'ws', 'project', 'day', ...dueColumns);
  const of = sql`FROM ${c} WHERE ${c.ws} IN ${buildInList(numbers)} AND ${c.member} = 0`;
  const ofAll = statusSums.map((amount) => sql`sum(${amount})`);
  return [
    write(sql`
      INSERT OR IGNORE INTO ${taskFlowInsertTarget} SELECT ${c.ws}, ${c.project}, ${day}, ${sql.join(statusSums, sql`, `)} ${of}`),
    write(sql`
      INSERT OR IGNORE INTO ${taskFlowInsertTarget} SELECT ${c.ws}, 0, ${day}, ${sql.join(ofAll, sql`, `)} ${of} GROUP BY ${c.ws}`),
  ];
}

export function deleteTaskFlow({ ws, id }: { ws: number; id: number }): Statement<void> {
  return write(sql`DELETE FROM ${flowDays} WHERE ${flowDays.ws} = ${ws} AND ${flowDays.project} = ${id}`);
}
