import { and, eq } from 'drizzle-orm';
import type { EventType } from '../../events/log/event-types.ts';
import { recordEvents } from '../../events/log/record.queries.ts';
import type { Caller } from '../../kernel/access/access.ts';
import type { WriteContext } from '../../kernel/operation/operation.ts';
import {
  assertUnchanged,
  buildInList,
  readFirstRow,
  readRows,
  type Statement,
  write,
} from '../../kernel/sql/database.ts';
import { type Argument, hasRow, pickColumns, prepared, query } from '../../kernel/sql/prepared.ts';
import {
  aliasTable,
  nameInsertColumns,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { timeEntries } from '../../schema/cell/time-entries.ts';
import { isNewEntry, selectTimeEntryEvents, toTimestampText } from './time-tracking.queries.ts';

const e = aliasTable(timeEntries, 'e');
const intoEntries = nameInsertColumns(timeEntries, 'ws', 'member', 'task', 'started_at', 'ended_at');

/** Times are in milliseconds. */
export interface TimeSpan {
  task: number;
  started_at: number;
  ended_at: number;
}

const entryColumns = selectColumns({
  id: e.id,
  task: e.task,
  started_at: e.started_at,
  ended_at: e.ended_at,
});
export type OwnEntry = Row<typeof entryColumns>;

const isOwnEntry = (caller: Caller) => sql`${e.ws} = ${caller.workspace} AND ${e.member} = ${caller.member}`;

const isOwnEntryWithId = (caller: Argument<Caller>, id: Argument<number>) =>
  and(eq(timeEntries.ws, caller.workspace), eq(timeEntries.member, caller.member), eq(timeEntries.id, id));

export const findOwnEntry = prepared.firstRow((caller: Argument<Caller>, id: Argument<number>) =>
  query
    .select(pickColumns(timeEntries, 'id', 'task', 'started_at', 'ended_at'))
    .from(timeEntries)
    .where(isOwnEntryWithId(caller, id)),
);

export function listOwnEntries(caller: Caller, ids: readonly number[]): Statement<OwnEntry[]> {
  return readRows(sql`
    SELECT ${entryColumns} FROM ${e} NOT INDEXED
    WHERE ${e.id} IN ${buildInList(ids)} AND ${isOwnEntry(caller)}`);
}

interface SpanTimeExpressions {
  started_at: number | SQL;
  ended_at: number | SQL;
}

/** Checks only the last entry that starts before the span ends, because a person's entries never overlap. */
export function selectOverlappingEntry(
  caller: Caller,
  { started_at, ended_at }: SpanTimeExpressions,
  except: number | null,
) {
  return sql`
    SELECT * FROM (
      SELECT ${entryColumns} FROM ${e} INDEXED BY time_entries_by_member
      WHERE ${isOwnEntry(caller)} AND ${e.started_at} < ${ended_at} AND ${e.id} IS NOT ${except}
      ORDER BY ${e.started_at} DESC, ${e.id} DESC LIMIT 1) e
    WHERE ${e.ended_at} IS NULL OR ${e.ended_at} > ${started_at}`;
}

export function findOverlappingEntry(
  caller: Caller,
  span: TimeSpan,
  except: number | null,
): Statement<OwnEntry | null> {
  return readFirstRow(selectOverlappingEntry(caller, span, except));
}

export function assertNoOverlap(caller: Caller, span: TimeSpan, except: number | null): Statement<void> {
  return assertUnchanged(sql`NOT EXISTS (${selectOverlappingEntry(caller, span, except)})`);
}

const selectSpanElement = (index: number) => sql`CAST(d.value ->> ${sql.raw(String(index))} AS INTEGER)`;
const listedSpanTimes: SpanTimeExpressions = {
  started_at: selectSpanElement(1),
  ended_at: selectSpanElement(2),
};

function buildSpanTable(spans: readonly TimeSpan[]): SQL {
  const list = spans.map(({ task, started_at, ended_at }) => [task, started_at, ended_at]);
  return sql`json_each(${JSON.stringify(list)}) d`;
}

const placeColumn = selectColumns({ place: withType<number>(sql`d.key`) });

/** `place` is the index in `spans` of the span that the entry overlaps. */
export function listOverlappingEntries(
  caller: Caller,
  spans: readonly TimeSpan[],
): Statement<(OwnEntry & { place: number })[]> {
  return readRows(sql`
    SELECT ${placeColumn}, ${entryColumns}
    FROM ${buildSpanTable(spans)}
    CROSS JOIN ${e} ON ${e.id} = (SELECT id FROM (${selectOverlappingEntry(caller, listedSpanTimes, null)})) ORDER BY d.key`);
}

export function assertNoOverlaps(caller: Caller, spans: readonly TimeSpan[]): Statement<void> {
  return assertUnchanged(sql`
    NOT EXISTS (SELECT 1 FROM ${buildSpanTable(spans)} WHERE EXISTS (${selectOverlappingEntry(caller, listedSpanTimes, null)}))`);
}

export function insertTimeEntries(caller: Caller, spans: readonly TimeSpan[]): Statement<void> {
  return write(sql`
    INSERT INTO ${intoEntries}
    SELECT ${caller.workspace}, ${caller.member}, ${selectSpanElement(0)}, ${selectSpanElement(1)}, ${selectSpanElement(2)}
    FROM ${buildSpanTable(spans)} ORDER BY d.key`);
}

export function recordCreatedEntries(ctx: EntryContext, count: number): Statement<void> {
  const entries = sql`e WHERE ${isOwnEntry(ctx.caller)} AND ${isNewEntry(count)}`;
  const position = count === 1 ? sql`0` : sql`row_number() OVER (ORDER BY ${e.id}) - 1`;
  const changes = selectEntryChanges('time_entry.created', undefined);
  return recordEvents(ctx, selectTimeEntryEvents('time_entry.created', changes, entries, position));
}

export const assertEntryUnchanged = prepared.assertUnchanged(
  (caller: Argument<Caller>, entry: Argument<OwnEntry>) =>
    hasRow(
      timeEntries,
      and(
        isOwnEntryWithId(caller, entry.id),
        eq(timeEntries.task, entry.task),
        eq(timeEntries.started_at, entry.started_at),
        sql`${timeEntries.ended_at} IS ${entry.ended_at}`,
      ),
    ),
);

export const updateEntry = prepared.write(
  (caller: Argument<Caller>, id: Argument<number>, { task, started_at, ended_at }: Argument<TimeSpan>) =>
    query.update(timeEntries).set({ task, started_at, ended_at }).where(isOwnEntryWithId(caller, id)),
);

export const deleteEntry = prepared.write((caller: Argument<Caller>, id: Argument<number>) =>
  query.delete(timeEntries).where(isOwnEntryWithId(caller, id)),
);

type EntryContext = WriteContext & { caller: Caller };

/** Must run before the entry is changed or deleted, because it reads the row. */
export function recordEntryChange(
  ctx: EntryContext,
  type: Extract<EventType, `time_entry.${'updated' | 'deleted'}`>,
  id: SQL,
  becomes?: TimeSpan,
): Statement<void> {
  const entry = sql`e WHERE ${isOwnEntry(ctx.caller)} AND ${e.id} = ${id}`;
  return recordEvents(ctx, selectTimeEntryEvents(type, selectEntryChanges(type, becomes), entry));
}

function selectEntryChanges(type: EventType, becomes: TimeSpan | undefined): SQL {
  const [started, ended] = [toTimestampText(e.started_at), toTimestampText(e.ended_at)];
  if (!becomes) {
    const selectChange = (value: SQL) =>
      type === 'time_entry.created'
        ? sql`json_object('from', NULL, 'to', ${value})`
        : sql`json_object('from', ${value}, 'to', NULL)`;
    return sql`json_object('startTime', ${selectChange(started)}, 'endTime', ${selectChange(ended)})`;
  }
  const field = (name: string, column: SQL, value: number, show: (value: SQL) => SQL) => sql`
    '${sql.raw(name)}', iif(${column} IS ${value}, NULL,
      json_object('from', ${show(column)}, 'to', ${show(sql`${value}`)}))`;
  return sql`json_patch('{}', json_object(
    ${field('taskId', e.task, becomes.task, (value) => sql`CAST(${value} AS INTEGER)`)},
    ${field('startTime', e.started_at, becomes.started_at, toTimestampText)},
    ${field('endTime', e.ended_at, becomes.ended_at, toTimestampText)}))`;
}

export function assertEntriesUnchanged(caller: Caller, entries: readonly OwnEntry[]): Statement<void> {
  const rows = JSON.stringify(
    entries.map(({ id, task, started_at, ended_at }) => [id, task, started_at, ended_at]),
  );
  return assertUnchanged(sql`
    NOT EXISTS (SELECT 1 FROM json_each(${rows}) d WHERE NOT EXISTS (
      SELECT 1 FROM ${e} WHERE ${e.id} = d.value ->> 0 AND ${isOwnEntry(caller)} AND ${e.task} = d.value ->> 1
        AND ${e.started_at} = d.value ->> 2 AND ${e.ended_at} IS d.value ->> 3))`);
}

/** Must run before the entries are deleted, because it reads their rows. */
export function recordDeletedEntries(ctx: EntryContext, ids: readonly number[]): Statement<void> {
  const type = 'time_entry.deleted';
  const entries = sql`e NOT INDEXED WHERE ${e.id} IN ${buildInList(ids)} AND ${isOwnEntry(ctx.caller)}`;
  const position = sql`row_number() OVER (ORDER BY ${e.id}) - 1`;
  return recordEvents(
    ctx,
    selectTimeEntryEvents(type, selectEntryChanges(type, undefined), entries, position),
  );
}

export function deleteEntries(caller: Caller, ids: readonly number[]): Statement<void> {
  return write(sql`
    DELETE FROM ${timeEntries} WHERE ${timeEntries.ws} = ${caller.workspace}
      AND ${timeEntries.member} = ${caller.member} AND ${timeEntries.id} IN ${buildInList(ids)}`);
}

/** False if the deleted entry has already been restored. */
export function isEntryIdFree(id: number): SQL {
  return sql`NOT EXISTS (SELECT 1 FROM ${e} WHERE ${e.id} = ${id})`;
}

export function reinsertEntry(
  { workspace, member }: Caller,
  id: number,
  { task, started_at, ended_at }: TimeSpan,
): Statement<void> {
  return write(sql`
    INSERT INTO ${nameInsertColumns(timeEntries, 'id', 'ws', 'member', 'task', 'started_at', 'ended_at')}
    VALUES (${id}, ${workspace}, ${member}, ${task}, ${started_at}, ${ended_at})`);
}

export function recordRestoredEntry(ctx: EntryContext, id: number): Statement<void> {
  const type = 'time_entry.created';
  const entry = sql`e WHERE ${isOwnEntry(ctx.caller)} AND ${e.id} = ${id}`;
  return recordEvents(ctx, selectTimeEntryEvents(type, selectEntryChanges(type, undefined), entry));
}
