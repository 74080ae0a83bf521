import { and, eq } from 'drizzle-orm';
import type { EventType } from '../../events/log/event-types.ts';
import { recordEvents } from '../../events/log/record.queries.ts';
import type { Caller } from '../../kernel/access/access.ts';
import { buildLimit, isAfter, type PageRange } from '../../kernel/lists/pagination.ts';
import type { WriteContext } from '../../kernel/operation/operation.ts';
import {
  readFirstRow,
  readNumber,
  readRow,
  readRows,
  type Statement,
  write,
} from '../../kernel/sql/database.ts';
import { type Argument, pickColumns, prepared, query } from '../../kernel/sql/prepared.ts';
import {
  aliasTable,
  nameInsertColumns,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { projects } from '../../schema/cell/projects.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { timeEntries } from '../../schema/cell/time-entries.ts';

const e = aliasTable(timeEntries, 'e');
const p = aliasTable(projects, 'p');
const t = aliasTable(tasks, 't');

const timeEntryColumns = selectColumns({
  id: e.id,
  task_id: t.id,
  task_name: t.name,
  project_id: p.id,
  project_name: p.name,
  started_at: e.started_at,
  ended_at: e.ended_at,
});
export type TimeEntryRow = Row<typeof timeEntryColumns> & {
  /** The entry's end, or the current time if the entry is running. Never before its start. */
  counted_until: number;
};

export interface EntryFilter {
  taskId?: number | undefined;
  /** Selects entries by their start. `beforeMs` is exclusive. */
  sinceMs?: number;
  beforeMs?: number;
}

/** Another isolate's clock can be ahead, so an entry can start after `now`. Its duration is then 0. */
export const selectEffectiveEnd = (now: number) =>
  withType<number>(sql`max(coalesce(${e.ended_at}, ${now}), ${e.started_at})`);

function isRunning(caller: Caller): SQL {
  return sql`${e.ws} = ${caller.workspace} AND ${e.member} = ${caller.member} AND ${e.ended_at} IS NULL`;
}

function buildRunningEntryFromClause(caller: Caller): SQL {
  return sql`e INDEXED BY time_entries_running WHERE ${isRunning(caller)}`;
}

function buildMatchingEntriesFromClause(caller: Caller, { taskId, sinceMs, beforeMs }: EntryFilter): SQL {
  const conditions = [
    sql`${e.ws} = ${caller.workspace}`,
    sql`${e.member} = ${caller.member}`,
    ...(sinceMs === undefined ? [] : [sql`${e.started_at} >= ${sinceMs}`]),
    ...(beforeMs === undefined ? [] : [sql`${e.started_at} < ${beforeMs}`]),
    ...(taskId === undefined ? [] : [sql`${e.task} = ${taskId}`]),
  ];
  return sql`e INDEXED BY time_entries_by_member WHERE ${sql.join(conditions, sql` AND `)}`;
}

function selectEntriesWithTasks(caller: Caller, chosen: SQL, now: number) {
  return sql`
    SELECT ${timeEntryColumns}, ${selectColumns({ counted_until: selectEffectiveEnd(now) })}
    FROM (SELECT ${e.id}, ${e.task}, ${e.started_at}, ${e.ended_at} FROM ${timeEntries} ${chosen}) e
    CROSS JOIN ${t} ON ${t.ws} = ${caller.workspace} AND ${t.id} = ${e.task}
    CROSS JOIN ${p} ON ${p.id} = ${t.project}
    ORDER BY ${e.started_at} DESC, ${e.id} DESC`;
}

export function findRunningEntry(caller: Caller, now: number): Statement<TimeEntryRow | null> {
  return readFirstRow(selectEntriesWithTasks(caller, buildRunningEntryFromClause(caller), now));
}

export function listEntries(
  caller: Caller,
  filter: EntryFilter,
  range: PageRange,
  now: number,
): Statement<TimeEntryRow[]> {
  const onPage = sql`${buildMatchingEntriesFromClause(caller, filter)}
    AND ${isAfter(range, [
      { column: e.started_at, isDescending: true },
      { column: e.id, isDescending: true },
    ])}
    ORDER BY ${e.started_at} DESC, ${e.id} DESC ${buildLimit(range)}`;
  return readRows(selectEntriesWithTasks(caller, onPage, now));
}

export function countEntries(caller: Caller, filter: EntryFilter): Statement<number> {
  return readNumber(
    sql`SELECT count(*) AS total FROM ${timeEntries} ${buildMatchingEntriesFromClause(caller, filter)}`,
  );
}

const taskTotalColumns = selectColumns({
  task_id: withType<number>(sql`s.task`),
  task_name: t.name,
  project_id: p.id,
  project_name: p.name,
  total_seconds: withType<number>(sql`s.total_seconds`),
  entry_count: withType<number>(sql`s.entry_count`),
});
export type TaskTotalRow = Row<typeof taskTotalColumns>;

/** Adds up whole seconds, so that the totals equal the sums of the listed durations. */
export function sumTimeByTask(caller: Caller, filter: EntryFilter, now: number): Statement<TaskTotalRow[]> {
  return readRows(sql`
    SELECT ${taskTotalColumns}
    FROM (
      SELECT ${e.task} AS task, count(*) AS entry_count,
        sum(CAST((${selectEffectiveEnd(now)} - ${e.started_at}) / 1000 AS INTEGER)) AS total_seconds
      FROM ${timeEntries} ${buildMatchingEntriesFromClause(caller, filter)} GROUP BY ${e.task}
    ) s
    CROSS JOIN ${t} ON ${t.ws} = ${caller.workspace} AND ${t.id} = s.task
    CROSS JOIN ${p} ON ${p.id} = ${t.project}
    ORDER BY s.total_seconds DESC, s.task`);
}

export function stopRunningEntry(caller: Caller, now: number): Statement<void> {
  return write(sql`
    UPDATE ${timeEntries} AS e INDEXED BY time_entries_running SET ${timeEntries.ended_at} = ${selectEffectiveEnd(now)}
    WHERE ${isRunning(caller)}`);
}

export const toTimestampText = (ms: SQL) => sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${ms} / 1000.0, 'unixepoch')`;

/** Must run before `stopRunningEntry`, because it reads the running entry. Records nothing if no timer is running. */
export function recordTimerStop(ctx: WriteContext & { caller: Caller }): Statement<void> {
  const { caller, now } = ctx;
  const changes = sql`json_object('endTime', json_object('from', NULL, 'to', ${toTimestampText(selectEffectiveEnd(now))}))`;
  return recordEvents(
    ctx,
    selectTimeEntryEvents('time_entry.stopped', changes, buildRunningEntryFromClause(caller)),
  );
}

export function recordTimerStart(ctx: WriteContext & { caller: Caller }): Statement<void> {
  const changes = sql`json_object('startTime', json_object('from', NULL, 'to', ${toTimestampText(e.started_at)}))`;
  return recordEvents(
    ctx,
    selectTimeEntryEvents('time_entry.started', changes, buildRunningEntryFromClause(ctx.caller)),
  );
}

export function selectTimeEntryEvents(
  type: EventType,
  changes: SQL,
  entries: SQL,
  position: SQL = sql`0`,
): SQL {
  return sql`
    SELECT ${type} AS type, (SELECT ${t.project} FROM ${t} WHERE ${t.id} = ${e.task}) AS project,
      ${e.task} AS task, ${e.id} AS entity,
      ${e.member} AS reader, ${position} AS position, ${changes} AS changes, 0 AS entries
    FROM ${timeEntries} ${entries}`;
}

/** Must run after `stopRunningEntry`. If the previous entry ends after `now`, the new entry starts at that end. */
export function insertRunningEntry(caller: Caller, task: number, now: number): Statement<void> {
  const lastEnd = sql`(
    SELECT ${e.ended_at} FROM ${timeEntries} ${buildMatchingEntriesFromClause(caller, {})} ORDER BY ${e.started_at} DESC, ${e.id} DESC
      LIMIT 1)`;
  return write(sql`
    INSERT INTO ${nameInsertColumns(timeEntries, 'ws', 'member', 'task', 'started_at')}
    VALUES (${caller.workspace}, ${caller.member}, ${task}, max(${now}, coalesce(${lastEnd}, 0)))`);
}

const startedColumns = selectColumns({
  id: e.id,
  task: e.task,
  started_at: e.started_at,
});
export type StartedEntryRow = Row<typeof startedColumns>;

export function findStartedEntry(caller: Caller): Statement<StartedEntryRow> {
  return readRow(sql`
    SELECT ${startedColumns}
      FROM ${timeEntries} ${buildRunningEntryFromClause(caller)}`);
}

export const newestEntry = sql`(SELECT max(${timeEntries.id}) FROM ${timeEntries})`;

export function isNewEntry(count: number): SQL {
  return sql`${e.id} > ${newestEntry} - ${count}`;
}

export const findEntry = prepared.row((caller: Argument<Caller>, id: Argument<number>) =>
  query
    .select(pickColumns(timeEntries, 'id', 'task', 'started_at'))
    .from(timeEntries)
    .where(
      and(
        eq(timeEntries.ws, caller.workspace),
        eq(timeEntries.member, caller.member),
        eq(timeEntries.id, id),
      ),
    ),
);

export function findLastStoppedEntry(caller: Caller, now: number): Statement<TimeEntryRow> {
  const closed = sql`${buildMatchingEntriesFromClause(caller, {})} AND ${e.ended_at} IS NOT NULL
    ORDER BY ${e.started_at} DESC, ${e.id} DESC LIMIT 1`;
  return readRow(selectEntriesWithTasks(caller, closed, now));
}

export function listNewEntries(
  caller: Caller,
  count: number,
  now: number,
  newest: SQL | number,
): Statement<TimeEntryRow[]> {
  const chosen = sql`e WHERE ${e.ws} = ${caller.workspace} AND ${e.member} = ${caller.member}
    AND ${e.id} > ${newest} - ${count} AND ${e.id} <= ${newest}`;
  return readRows(selectEntriesWithTasks(caller, chosen, now));
}

export function findEntryWithTask(caller: Caller, id: SQL, now: number): Statement<TimeEntryRow | null> {
  const chosen = sql`e WHERE ${e.ws} = ${caller.workspace} AND ${e.member} = ${caller.member} AND ${e.id} = ${id}`;
  return readFirstRow(selectEntriesWithTasks(caller, chosen, now));
}
