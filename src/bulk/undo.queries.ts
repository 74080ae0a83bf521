import { events } from '../event-log/events.sql.ts';
import { isBehindBeginning } from '../event-log/task-events.queries.ts';
import type { Caller } from '../kernel/access.ts';
import { idsInOrder, rows, type Statement } from '../kernel/database.ts';
import { columns, names, type Row, sql } from '../kernel/sql.ts';

const e = names(events, 'e');
const x = names(events, 'x');

const changeColumns = columns({ task: e.task, changes: e.changes });

/** The newest entry in the history of each task, where the caller made it then or later. */
export function listOwnLastChanges(
  { workspace, member }: Caller,
  ids: readonly number[],
  since: number,
): Statement<Row<typeof changeColumns>[]> {
  return rows(sql`
    SELECT ${changeColumns} FROM (${idsInOrder(ids)}) i
    CROSS JOIN ${e} ON ${e.ws} = ${workspace} AND ${e.seq} = (
      SELECT max(${x.seq}) FROM ${x} INDEXED BY events_by_task
      WHERE ${x.task} = i.id AND ${x.ws} = ${workspace} AND ${isBehindBeginning(x)})
    WHERE ${e.actor} = ${member} AND ${e.occurred_at} >= ${since}
      AND ${e.type} IN ('task.updated', 'task.archived', 'task.unarchived')`);
}
