import type { EventType } from '../event-log/event-types.ts';
import { recordEvents } from '../event-log/record.queries.ts';
import type { Caller } from '../kernel/access.ts';
import { assertUnchanged, firstRow, queryBuilder, type Statement, write } from '../kernel/database.ts';
import type { WriteContext } from '../kernel/operation.ts';
import { columns, names, type Row, type SQL, sql } from '../kernel/sql.ts';
import { instantOf, ownEvent } from './time-tracking.queries.ts';
import { timeEntries } from './time-tracking.sql.ts';

const e = names(timeEntries, 'e');

/** When somebody worked on a task, in milliseconds. */
export interface Span {
  task: number;
  started_at: number;
  ended_at: number;
}

const entryColumns = columns({
  id: e.id,
  task: e.task,
  started_at: e.started_at,
  ended_at: e.ended_at,
});
export type OwnEntry = Row<typeof entryColumns>;

const own = (caller: Caller) => sql`${e.ws} = ${caller.workspace} AND ${e.member} = ${caller.member}`;

export function findOwnEntry(caller: Caller, id: number): Statement<OwnEntry | null> {
  return firstRow(sql`SELECT ${entryColumns} FROM ${e} WHERE ${own(caller)} AND ${e.id} = ${id}`);
}

/**
 * The entry in the way of a span. Entries of a person never overlap, so it can only be the last one that starts before the
 * end of the span; a running one has no end.
 * @param except the entry that is to move.
 */
function inTheWay(caller: Caller, { started_at, ended_at }: Span, except: number | null): SQL {
  return sql`
    SELECT * FROM (
      SELECT ${entryColumns} FROM ${e} INDEXED BY time_entries_by_member
      WHERE ${own(caller)} AND ${e.started_at} < ${ended_at} AND ${e.id} IS NOT ${except}
      ORDER BY ${e.started_at} DESC, ${e.id} DESC LIMIT 1) e
    WHERE ${e.ended_at} IS NULL OR ${e.ended_at} > ${started_at}`;
}

export function findInTheWay(caller: Caller, span: Span, except: number | null): Statement<OwnEntry | null> {
  return firstRow<OwnEntry>(inTheWay(caller, span, except));
}

/** Undoes the batch if an entry got in the way meanwhile. */
export function assertFree(caller: Caller, span: Span, except: number | null): Statement<void> {
  return assertUnchanged(sql`NOT EXISTS (${inTheWay(caller, span, except)})`);
}

/** Undoes the batch if the entry is no longer what was read. */
export function assertEntry(caller: Caller, entry: OwnEntry): Statement<void> {
  return assertUnchanged(sql`
    EXISTS (SELECT 1 FROM ${e} WHERE ${own(caller)} AND ${e.id} = ${entry.id} AND ${e.task} = ${entry.task}
      AND ${e.started_at} = ${entry.started_at} AND ${e.ended_at} IS ${entry.ended_at})`);
}

export function insertSpan(caller: Caller, span: Span): Statement<void> {
  return write(
    queryBuilder.insert(timeEntries).values({ ...span, ws: caller.workspace, member: caller.member }),
  );
}

export function moveEntry(caller: Caller, id: number, { task, started_at, ended_at }: Span): Statement<void> {
  return write(sql`
    UPDATE ${timeEntries} AS e SET ${timeEntries.task} = ${task}, ${timeEntries.started_at} = ${started_at},
      ${timeEntries.ended_at} = ${ended_at}
    WHERE ${own(caller)} AND ${e.id} = ${id}`);
}

export function deleteEntry(caller: Caller, id: number): Statement<void> {
  return write(sql`DELETE FROM ${timeEntries} AS e WHERE ${own(caller)} AND ${e.id} = ${id}`);
}

type EntryContext = WriteContext & { caller: Caller };

/** Logs a change of an entry, told from its row: behind an insert, before a change or a deletion. */
export function recordEntry(
  ctx: EntryContext,
  type: Extract<EventType, `time_entry.${'created' | 'updated' | 'deleted'}`>,
  id: SQL,
  becomes?: Span,
): Statement<void> {
  const entry = sql`e WHERE ${own(ctx.caller)} AND ${e.id} = ${id}`;
  return recordEvents(ctx, ownEvent(type, changesOf(type, becomes), entry));
}

function changesOf(type: EventType, becomes: Span | undefined): SQL {
  const [started, ended] = [instantOf(e.started_at), instantOf(e.ended_at)];
  if (!becomes) {
    const told = (value: SQL) =>
      type === 'time_entry.created'
        ? sql`json_object('from', NULL, 'to', ${value})`
        : sql`json_object('from', ${value}, 'to', NULL)`;
    return sql`json_object('startTime', ${told(started)}, 'endTime', ${told(ended)})`;
  }
  const field = (name: string, column: SQL, value: number, show: (value: SQL) => SQL) => sql`
    '${sql.raw(name)}', iif(${column} IS ${value}, NULL,
      json_object('from', ${show(column)}, 'to', ${show(sql`${value}`)}))`;
  return sql`json_patch('{}', json_object(
    ${field('taskId', e.task, becomes.task, (value) => sql`CAST(${value} AS INTEGER)`)},
    ${field('startTime', e.started_at, becomes.started_at, instantOf)},
    ${field('endTime', e.ended_at, becomes.ended_at, instantOf)}))`;
}
