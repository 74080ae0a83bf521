import { events } from '../event-log/events.sql.ts';
import { isBehindBeginning } from '../event-log/task-events.queries.ts';
import type { Caller } from '../kernel/access.ts';
import { assertUnchanged, idsInOrder, rows, type Statement } from '../kernel/database.ts';
import { columns, names, type Row, type SQL, sql } from '../kernel/sql.ts';

const e = names(events, 'e');
const x = names(events, 'x');

const changeColumns = columns({ task: e.task, seq: e.seq, changes: e.changes });
type OwnChange = Row<typeof changeColumns>;

/** The newest entry in the history of each task, where the caller made it then or later. */
export function listOwnLastChanges(
  { workspace, member }: Caller,
  ids: readonly number[],
  since: number,
): Statement<OwnChange[]> {
  return rows(sql`
    SELECT ${changeColumns} FROM (${idsInOrder(ids)}) i
    CROSS JOIN ${e} ON ${e.ws} = ${workspace} AND ${e.seq} = (
      ${lastOf(workspace, sql`i.id`)})
    WHERE ${e.actor} = ${member} AND ${e.occurred_at} >= ${since}
      AND ${e.type} IN ('task.updated', 'task.archived', 'task.unarchived')`);
}

/** Undoes the batch if one of the tasks has a newer entry by now. */
export function assertLastChanges({ workspace }: Caller, found: readonly OwnChange[]): Statement<void> {
  const entries = JSON.stringify(found.map(({ task, seq }) => [task, seq]));
  return assertUnchanged(sql`
    NOT EXISTS (SELECT 1 FROM json_each(${entries}) d
      WHERE (${lastOf(workspace, sql`(d.value ->> 0)`)}) <> d.value ->> 1)`);
}

/** A SELECT of the newest entry in the history of a task. */
function lastOf(workspace: number, task: SQL): SQL {
  return sql`
      SELECT max(${x.seq}) FROM ${x} INDEXED BY events_by_task
      WHERE ${x.task} = ${task} AND ${x.ws} = ${workspace} AND ${isBehindBeginning(x)}`;
}
