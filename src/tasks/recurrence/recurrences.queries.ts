// This file is long because the statements that read and change recurrences share their columns.

import type { Caller } from '../../kernel/access/access.ts';
import {
  assertUnchanged,
  buildInList,
  readFirstRow,
  readRows,
  type Statement,
  write,
} from '../../kernel/sql/database.ts';
import {
  aliasLeftJoinedTable,
  aliasTable,
  nameInsertColumns,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { recurrences } from '../../schema/cell/recurrences.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { activeMembers, workspaces } from '../../schema/cell/workspaces.ts';
import { completedStatus } from '../statuses.queries.ts';
import { isTaskVisible, isTaskVisibleTo } from '../visibility/task-visibility.queries.ts';
import type { Series } from './recurrence-days.ts';

const am = aliasTable(activeMembers, 'am');
const n = aliasTable(tasks, 'n');
const nx = aliasLeftJoinedTable(tasks, 'nx');
const o = aliasTable(activeMembers, 'o');
const pv = aliasLeftJoinedTable(tasks, 'pv');
const r = aliasTable(recurrences, 'r');
const rl = aliasLeftJoinedTable(recurrences, 'r');
const t = aliasTable(tasks, 't');
const tl = aliasLeftJoinedTable(tasks, 't');
const w = aliasTable(workspaces, 'w');

const recurrenceColumns = selectColumns({
  id: t.id,
  archived: t.archived,
  due: t.due,
  project: t.project,
  task_version: t.version,
  rule: rl.rule,
  mode: rl.mode,
  days: rl.days,
  version: rl.version,
  previous_task: rl.previous_task,
  next_task: rl.next_task,
  /** The ids of the previous and the next task. Null if the task doesn't exist or the caller can't see it. */
  previous: pv.id,
  next: nx.id,
  has_next: withType<number>(
    sql`EXISTS (SELECT 1 FROM ${n} WHERE ${n.id} = ${rl.next_task} AND ${n.ws} = ${t.ws})`,
  ),
});
export type RecurrenceRow = Row<typeof recurrenceColumns>;

const selectRecurrences = (caller: Caller, isOne: SQL) => sql`
    SELECT ${recurrenceColumns} FROM ${t} NOT INDEXED LEFT JOIN ${rl} ON ${rl.task} = ${t.id} AND ${rl.ws} = ${t.ws}
    LEFT JOIN ${pv} ON ${pv.id} = ${rl.previous_task} AND ${isTaskVisible(pv, caller)}
    LEFT JOIN ${nx} ON ${nx.id} = ${rl.next_task} AND ${isTaskVisible(nx, caller)}
    WHERE ${isOne} AND ${isTaskVisible(t, caller)}`;

export function findRecurrence(caller: Caller, task: number): Statement<RecurrenceRow | null> {
  return readFirstRow(selectRecurrences(caller, sql`${t.id} = ${task}`));
}

export function listRecurrences(caller: Caller, ids: readonly number[] | SQL): Statement<RecurrenceRow[]> {
  const listed = 'queryChunks' in ids ? sql`(${ids})` : buildInList(ids);
  return readRows(selectRecurrences(caller, sql`${t.id} IN ${listed}`));
}

/** @param read the recurrence version of each task, or 0 for a task without a recurrence. */
export function assertRecurrencesUnchanged(
  ws: number,
  read: readonly { task: number; version: number }[],
): Statement<void> {
  const versions = JSON.stringify(read.map(({ task, version }) => [task, version]));
  return assertUnchanged(sql`
    NOT EXISTS (SELECT 1 FROM json_each(${versions}) d WHERE coalesce((
      SELECT ${r.version} FROM ${r} WHERE ${r.ws} = ${ws} AND ${r.task} = d.value ->> 0), 0) <> d.value ->> 1)`);
}

export interface NewRecurrence extends Series {
  due_at: number | null;
}

const savedColumns = nameInsertColumns(
  recurrences,
  'task',
  'ws',
  'rule',
  'mode',
  'days',
  'first_day',
  'slot',
  'occurrence',
  'due_at',
  'created_by',
);

function selectNewRecurrences(
  { workspace, member }: Pick<Caller, 'workspace' | 'member'>,
  task: SQL,
  list: string,
): SQL {
  const names = ['rule', 'mode', 'days', 'first_day', 'slot', 'occurrence', 'due_at'];
  const values = names.map((name) => sql.raw(`d.value ->> '${name}'`));
  return sql`SELECT ${task}, ${workspace}, ${sql.join(values, sql`, `)}, ${member} FROM json_each(${list}) d WHERE true`;
}

/** Keeps the links to the previous and the next task. */
export function saveRecurrences(
  caller: Pick<Caller, 'workspace' | 'member'>,
  saved: readonly (NewRecurrence & { task: number })[],
): Statement<void> {
  return write(sql`
    INSERT INTO ${savedColumns} ${selectNewRecurrences(caller, sql`d.value ->> 'task'`, JSON.stringify(saved))}
    ON CONFLICT (task) DO UPDATE SET rule = excluded.rule, mode = excluded.mode, days = excluded.days,
      first_day = excluded.first_day, slot = excluded.slot, occurrence = excluded.occurrence,
      due_at = excluded.due_at, created_by = excluded.created_by, version = recurrences.version + 1`);
}

/** Inserts the recurrences of tasks that the same batch created. `place` is a task's index among them. */
export function insertRecurrences(
  caller: Pick<Caller, 'workspace' | 'member'>,
  inserted: readonly (NewRecurrence & { place: number })[],
  created: number,
): Statement<void> {
  const task = sql`(SELECT max(${n.id}) FROM ${n}) - ${created} + 1 + (d.value ->> 'place')`;
  return write(
    sql`INSERT INTO ${savedColumns} ${selectNewRecurrences(caller, task, JSON.stringify(inserted))}`,
  );
}

export function removeRecurrenceRules(ws: number, ids: readonly number[]): Statement<void>[] {
  const isOfTask = sql`${recurrences.ws} = ${ws} AND ${recurrences.task} IN ${buildInList(ids)}`;
  return [
    write(sql`DELETE FROM ${recurrences} WHERE ${isOfTask}
      AND ${recurrences.previous_task} IS NULL AND ${recurrences.next_task} IS NULL`),
    write(sql`UPDATE ${recurrences} SET ${recurrences.rule} = NULL, ${recurrences.due_at} = NULL,
      ${recurrences.version} = ${recurrences.version} + 1 WHERE ${isOfTask}`),
  ];
}

const seriesFields = {
  task: r.task,
  ws: r.ws,
  /** Not null, because the statements select only tasks with a rule. */
  rule: withType<string>(r.rule),
  mode: r.mode,
  days: r.days,
  first_day: r.first_day,
  slot: r.slot,
  occurrence: r.occurrence,
  version: r.version,
};
const seriesColumns = selectColumns(seriesFields);
export type SeriesRow = Row<typeof seriesColumns>;

export function listCompletionSeries(ws: number, ids: readonly number[]): Statement<SeriesRow[]> {
  return readRows(sql`
    SELECT ${seriesColumns} FROM ${r}
    WHERE ${r.ws} = ${ws} AND ${r.task} IN ${buildInList(ids)} AND ${r.rule} IS NOT NULL AND ${r.mode} = 'completion'
    ORDER BY ${r.task}`);
}

const dueColumns = selectColumns({
  ...seriesFields,
  timezone: w.timezone,
  /** True if the task was deleted or its project is being deleted. */
  is_hidden: withType<number>(sql`${tl.id} IS NULL`),
  /** False if the task was archived before it was completed, which ends the series. */
  is_alive: withType<number>(sql`coalesce(${tl.archived} = 0 OR ${tl.status} = ${completedStatus}, 0)`),
  /** The person who set the rule, or an owner of the workspace if that person can no longer see the task. */
  author: withType<number | null>(sql`coalesce((
      SELECT ${am.no} FROM ${am} WHERE ${am.no} = ${r.created_by} AND ${am.ws} = ${r.ws} AND ${isTaskVisibleTo(tl, am)}), (
      SELECT ${o.no} FROM ${o} WHERE ${o.ws} = ${r.ws} AND ${o.role} = 'owner' LIMIT 1))`),
});
export type DueSeriesRow = Row<typeof dueColumns>;

export function hasDueSeries({ now }: { now: number }): SQL {
  return sql`EXISTS (SELECT 1 FROM ${r} INDEXED BY recurrences_due WHERE ${r.due_at} <= ${now})`;
}

export function listDueSeries(now: number, limit: number): Statement<DueSeriesRow[]> {
  return readRows(sql`
    SELECT ${dueColumns}
    FROM ${r} INDEXED BY recurrences_due CROSS JOIN ${w} ON ${w.no} = ${r.ws}
    LEFT JOIN ${tl} ON ${tl.id} = ${r.task} AND ${tl.ws} = ${r.ws}
    WHERE ${r.due_at} <= ${now} ORDER BY ${r.due_at}, ${r.task} LIMIT ${limit}`);
}

/**
 * Doesn't increase the version, because the API doesn't return when the `repeatTasks` cron job creates the next task.
 * @param dueAt null for a hidden task.
 */
export function postponeSeries(ws: number, task: number, dueAt: number | null): Statement<void> {
  return write(sql`
    UPDATE ${recurrences} SET ${recurrences.due_at} = ${dueAt}
    WHERE ${recurrences.ws} = ${ws} AND ${recurrences.task} = ${task} AND ${recurrences.due_at} IS NOT NULL`);
}

const EASTERNMOST_OFFSET_MS = 14 * 60 * 60_000;

/**
 * A time zone change moves the start of every day. Each series is scheduled for the earliest possible start, in the
 * easternmost time zone. The `repeatTasks` cron job then checks the actual time.
 */
export function rescheduleSeries({ workspace }: Pick<Caller, 'workspace'>): Statement<void> {
  return write(sql`
    UPDATE ${recurrences} INDEXED BY recurrences_due_by_workspace
    SET ${recurrences.due_at} = unixepoch(${recurrences.slot}) * 1000 - ${sql.raw(String(EASTERNMOST_OFFSET_MS))}
    WHERE ${recurrences.ws} = ${workspace} AND ${recurrences.due_at} IS NOT NULL`);
}

/**
 * Schedules the series of restored tasks again, because `repeatTasks` clears the due time of a deleted task's series.
 */
export function rescheduleTaskSeries({ workspace }: Pick<Caller, 'workspace'>, ids: SQL): Statement<void> {
  return write(sql`
    UPDATE ${recurrences}
    SET ${recurrences.due_at} = unixepoch(${recurrences.slot}) * 1000 - ${sql.raw(String(EASTERNMOST_OFFSET_MS))}
    WHERE ${recurrences.ws} = ${workspace} AND ${recurrences.task} IN (${ids}) AND ${recurrences.rule} IS NOT NULL
      AND ${recurrences.mode} = 'schedule'`);
}

interface SeriesMove {
  task: number;
  /** The next task's index among the tasks that the batch creates. Null if the series ends. */
  place: number | null;
  day: string | null;
  dueAt: number | null;
}

/** Must run after the batch has inserted the next tasks. */
export function moveRecurrenceRules(
  ws: number,
  moved: readonly SeriesMove[],
  created: number,
): Statement<void>[] {
  const list = JSON.stringify(moved);
  const next = sql`((SELECT max(${n.id}) FROM ${n}) - ${created} + 1 + (d.value ->> 'place'))`;
  const columns = nameInsertColumns(
    recurrences,
    'task',
    'ws',
    'rule',
    'mode',
    'days',
    'first_day',
    'slot',
    'occurrence',
    'due_at',
    'previous_task',
    'created_by',
  );
  return [
    write(sql`
      INSERT INTO ${columns}
      SELECT ${next}, ${r.ws}, ${r.rule}, ${r.mode}, ${r.days}, ${r.first_day}, d.value ->> 'day', ${r.occurrence} + 1,
        d.value ->> 'dueAt', ${r.task}, ${r.created_by}
      FROM json_each(${list}) d CROSS JOIN ${r} ON ${r.task} = d.value ->> 'task' AND ${r.ws} = ${ws}
      WHERE d.value ->> 'place' IS NOT NULL`),
    write(sql`
      UPDATE ${recurrences} SET ${recurrences.rule} = NULL, ${recurrences.due_at} = NULL,
        ${recurrences.next_task} = coalesce(${next}, ${recurrences.next_task}),
        ${recurrences.version} = ${recurrences.version} + 1
      FROM json_each(${list}) d
      WHERE ${recurrences.task} = d.value ->> 'task' AND ${recurrences.ws} = ${ws}`),
  ];
}

export function assertActiveMembers(ws: number, numbers: readonly number[]): Statement<void> {
  return assertUnchanged(sql`
    NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(numbers)}) d WHERE NOT EXISTS (
      SELECT 1 FROM ${am} WHERE ${am.no} = d.value AND ${am.ws} = ${ws}))`);
}

/** Aborts the batch if any of these tasks is hidden, for example because its project is being deleted. */
export function assertTasksExist(ws: number, ids: readonly number[]): Statement<void> {
  return assertUnchanged(sql`
    (SELECT count(*) FROM ${t} NOT INDEXED WHERE ${t.id} IN ${buildInList(ids)} AND ${t.ws} = ${ws}) = ${ids.length}`);
}
