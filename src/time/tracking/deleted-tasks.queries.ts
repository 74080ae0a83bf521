import { recordEvents } from '../../events/log/record.queries.ts';
import type { Caller } from '../../kernel/access/access.ts';
import type { WriteContext } from '../../kernel/operation/operation.ts';
import { type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { timeEntries } from '../../schema/cell/time-entries.ts';
import { selectEffectiveEnd, selectTimeEntryEvents, toTimestampText } from './time-tracking.queries.ts';

const e = aliasTable(timeEntries, 'e');

/** Stops everyone's timers on the tasks. Must run before the statements that hide the tasks. */
export function stopTaskTimers(ctx: WriteContext & { caller: Caller }, ids: SQL): Statement<void>[] {
  const { caller, now } = ctx;
  const end = selectEffectiveEnd(now);
  const isRunning = sql`${e.ws} = ${caller.workspace} AND ${e.task} IN (${ids}) AND ${e.ended_at} IS NULL`;
  const changes = sql`json_object('endTime', json_object('from', NULL, 'to', ${toTimestampText(end)}))`;
  const position = sql`row_number() OVER (ORDER BY ${e.id}) - 1`;
  const entries = sql`e INDEXED BY time_entries_by_task WHERE ${isRunning}`;
  return [
    recordEvents(ctx, selectTimeEntryEvents('time_entry.stopped', changes, entries, position)),
    write(sql`
      UPDATE ${timeEntries} AS e INDEXED BY time_entries_by_task SET ${timeEntries.ended_at} = ${end}
      WHERE ${isRunning}`),
  ];
}

/** Negates the workspace number, so that queries for a workspace don't find the entries of deleted tasks. */
export function hideTimeEntries(ws: number, ids: SQL): Statement<void> {
  return write(sql`
    UPDATE ${timeEntries} AS e INDEXED BY time_entries_by_task SET ${timeEntries.ws} = -${ws}
    WHERE ${e.task} IN (${ids}) AND ${e.ws} = ${ws}`);
}

export function showTimeEntries(ws: number, ids: SQL): Statement<void> {
  return write(sql`
    UPDATE ${timeEntries} AS e INDEXED BY time_entries_by_task SET ${timeEntries.ws} = ${ws}
    WHERE ${e.task} IN (${ids}) AND ${e.ws} = -${ws}`);
}
