import { and, eq } from 'drizzle-orm';
import type { EventType } from '../../events/log/event-types.ts';
import { recordEvents } from '../../events/log/record.queries.ts';
import type { Caller } from '../../kernel/access/access.ts';
import type { WriteContext } from '../../kernel/operation/operation.ts';
import { assertUnchanged, firstRow, rows, type Statement, write } from '../../kernel/sql/database.ts';
import { type Given, hasRow, pick, prepared, query } from '../../kernel/sql/prepared.ts';
import { columns, into, names, type Row, type SQL, sql, typed } from '../../kernel/sql/sql.ts';
import { timeEntries } from '../../schema/cell/time-entries.ts';
import { instantOf, isNewEntry, ownEvent } from './time-tracking.queries.ts';

const e = names(timeEntries, 'e');
const intoEntries = into(timeEntries, 'ws', 'member', 'task', 'started_at', 'ended_at');

/** When a person worked on a task, in milliseconds. */
export interface TimeSpan {
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

const isOwn = (caller: Given<Caller>, id: Given<number>) =>
  and(eq(timeEntries.ws, caller.workspace), eq(timeEntries.member, caller.member), eq(timeEntries.id, id));

export const findOwnEntry = prepared.firstRow((caller: Given<Caller>, id: Given<number>) =>
  query
    .select(pick(timeEntries, 'id', 'task', 'started_at', 'ended_at'))
    .from(timeEntries)
    .where(isOwn(caller, id)),
);

/** A span as a statement holds it: as numbers, or as SQL over a list of spans. */
interface SpanTimes {
  started_at: number | SQL;
  ended_at: number | SQL;
}

/**
 * The entry in the way of a span. Entries of a person never overlap, so it can only be the last one that starts before the
 * end of the span; a running one has no end.
 * @param except the entry that is to move.
 */
function inTheWay(caller: Caller, { started_at, ended_at }: SpanTimes, except: number | null) {
  return sql`
    SELECT * FROM (
      SELECT ${entryColumns} FROM ${e} INDEXED BY time_entries_by_member
      WHERE ${own(caller)} AND ${e.started_at} < ${ended_at} AND ${e.id} IS NOT ${except}
      ORDER BY ${e.started_at} DESC, ${e.id} DESC LIMIT 1) e
    WHERE ${e.ended_at} IS NULL OR ${e.ended_at} > ${started_at}`;
}

export function findInTheWay(
  caller: Caller,
  span: TimeSpan,
  except: number | null,
): Statement<OwnEntry | null> {
  return firstRow(inTheWay(caller, span, except));
}

/** Undoes the batch if another entry now overlaps. */
export function assertFree(caller: Caller, span: TimeSpan, except: number | null): Statement<void> {
  return assertUnchanged(sql`NOT EXISTS (${inTheWay(caller, span, except)})`);
}

/** The parts of the list of spans `d`. */
const part = (index: number) => sql`CAST(d.value ->> ${sql.raw(String(index))} AS INTEGER)`;
const listed: SpanTimes = { started_at: part(1), ended_at: part(2) };

function listOf(spans: readonly TimeSpan[]): SQL {
  const list = spans.map(({ task, started_at, ended_at }) => [task, started_at, ended_at]);
  return sql`json_each(${JSON.stringify(list)}) d`;
}

const placeColumn = columns({ place: typed<number>(sql`d.key`) });

/** The entries in the way of many spans, each with the place of its span. */
export function listOverlapping(
  caller: Caller,
  spans: readonly TimeSpan[],
): Statement<(OwnEntry & { place: number })[]> {
  return rows(sql`
    SELECT ${placeColumn}, ${entryColumns}
    FROM ${listOf(spans)}
    CROSS JOIN ${e} ON ${e.id} = (SELECT id FROM (${inTheWay(caller, listed, null)})) ORDER BY d.key`);
}

/** Undoes the batch if another entry now overlaps one of them. */
export function assertAllFree(caller: Caller, spans: readonly TimeSpan[]): Statement<void> {
  return assertUnchanged(sql`
    NOT EXISTS (SELECT 1 FROM ${listOf(spans)} WHERE EXISTS (${inTheWay(caller, listed, null)}))`);
}

/** In their order, so that ids rise with it. */
export function insertSpans(caller: Caller, spans: readonly TimeSpan[]): Statement<void> {
  return write(sql`
    INSERT INTO ${intoEntries}
    SELECT ${caller.workspace}, ${caller.member}, ${part(0)}, ${part(1)}, ${part(2)}
    FROM ${listOf(spans)} ORDER BY d.key`);
}

/** Logs the entries that the same batch inserted. */
export function recordEntries(ctx: EntryContext, count: number): Statement<void> {
  const entries = sql`e WHERE ${own(ctx.caller)} AND ${isNewEntry(count)}`;
  const position = count === 1 ? sql`0` : sql`row_number() OVER (ORDER BY ${e.id}) - 1`;
  const changes = changesOf('time_entry.created', undefined);
  return recordEvents(ctx, ownEvent('time_entry.created', changes, entries, position));
}

/** Undoes the batch if the entry is no longer what was read. */
export const assertEntry = prepared.assertUnchanged((caller: Given<Caller>, entry: Given<OwnEntry>) =>
  hasRow(
    timeEntries,
    and(
      isOwn(caller, entry.id),
      eq(timeEntries.task, entry.task),
      eq(timeEntries.started_at, entry.started_at),
      sql`${timeEntries.ended_at} IS ${entry.ended_at}`,
    ),
  ),
);

export const moveEntry = prepared.write(
  (caller: Given<Caller>, id: Given<number>, { task, started_at, ended_at }: Given<TimeSpan>) =>
    query.update(timeEntries).set({ task, started_at, ended_at }).where(isOwn(caller, id)),
);

export const deleteEntry = prepared.write((caller: Given<Caller>, id: Given<number>) =>
  query.delete(timeEntries).where(isOwn(caller, id)),
);

type EntryContext = WriteContext & { caller: Caller };

/** Logs a change of an entry, told from its row: before the change or the deletion. */
export function recordEntry(
  ctx: EntryContext,
  type: Extract<EventType, `time_entry.${'updated' | 'deleted'}`>,
  id: SQL,
  becomes?: TimeSpan,
): Statement<void> {
  const entry = sql`e WHERE ${own(ctx.caller)} AND ${e.id} = ${id}`;
  return recordEvents(ctx, ownEvent(type, changesOf(type, becomes), entry));
}

function changesOf(type: EventType, becomes: TimeSpan | undefined): SQL {
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
