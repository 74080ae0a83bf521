import { isAfterFirstEvent } from '../../events/log/task-events.queries.ts';
import type { Caller } from '../../kernel/access/access.ts';
import { assertUnchanged, readRows, type Statement, selectIdsInOrder } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { events } from '../../schema/cell/events.ts';

const e = aliasTable(events, 'e');
const x = aliasTable(events, 'x');

/** The web app offers the last ten changes for undo. Each change and each undo creates an entry. */
const ENTRIES_PER_TASK_MAX = 24;

const entryColumns = selectColumns({
  task: e.task,
  seq: e.seq,
  changes: e.changes,
  type: e.type,
  occurred_at: e.occurred_at,
  is_own: withType<0 | 1>(sql`e.is_own`),
});
export type ChangeEntry = Row<typeof entryColumns>;

/**
 * Returns the oldest entries first. Reads backward from each task's newest entry, so that entries before `since` aren't
 * read.
 */
export function listHistorySince(
  { workspace, member }: Caller,
  ids: readonly number[],
  since: number,
): Statement<ChangeEntry[]> {
  const isSince = sql`${e.ws} = ${workspace} AND ${e.seq} = b.seq AND ${e.occurred_at} >= ${since}`;
  return readRows(sql`
    WITH RECURSIVE back (task, seq) AS (
      SELECT i.id, (${selectEntries(workspace, sql`i.id`, sql`max(${x.seq})`)}) FROM (${selectIdsInOrder(ids)}) i
      UNION ALL
      SELECT b.task, (${selectEntries(workspace, sql`b.task`, sql`max(${x.seq})`)} AND ${x.seq} < b.seq)
      FROM back b CROSS JOIN ${e} ON ${isSince}
      LIMIT ${ENTRIES_PER_TASK_MAX * ids.length})
    SELECT ${entryColumns} FROM (
      SELECT ${e.task}, ${e.seq}, ${e.changes}, ${e.type}, ${e.occurred_at},
        ${e.actor} = ${member} AS is_own
      FROM back b CROSS JOIN ${e} ON ${isSince}) e
    ORDER BY ${e.seq}`);
}

/** Aborts the batch if a task has a newer history entry. `latest` maps a task without entries to null. */
export function assertNoNewerEntries(
  { workspace }: Caller,
  latest: ReadonlyMap<number, number | null>,
): Statement<void> {
  return assertUnchanged(sql`
    NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify([...latest])}) d
      WHERE (${selectEntries(workspace, sql`(d.value ->> 0)`, sql`max(${x.seq})`)}) IS NOT d.value ->> 1)`);
}

function selectEntries(workspace: number, task: SQL, selected: SQL = x.seq): SQL {
  return sql`
    SELECT ${selected} FROM ${x} INDEXED BY events_by_task
    WHERE ${x.task} = ${task} AND ${x.ws} = ${workspace} AND ${isAfterFirstEvent(x)}`;
}
