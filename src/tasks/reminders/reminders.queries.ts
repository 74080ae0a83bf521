import type { Caller } from '../../kernel/access/access.ts';
import { readFirstRow, readRows, type Statement, write } from '../../kernel/sql/database.ts';
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
import { reminders } from '../../schema/cell/reminders.ts';
import { NO_DEADLINE, tasks } from '../../schema/cell/tasks.ts';
import { activeMembers, workspaces } from '../../schema/cell/workspaces.ts';
import { completedStatus } from '../statuses.queries.ts';
import { isTaskVisible, isTaskVisibleTo } from '../visibility/task-visibility.queries.ts';
import { DEFAULT_DUE_TIME } from './reminder-times.ts';

const m = aliasLeftJoinedTable(activeMembers, 'm');
const n = aliasTable(tasks, 'n');
const r = aliasTable(reminders, 'r');
const t = aliasTable(tasks, 't');
const tl = aliasLeftJoinedTable(tasks, 't');
const w = aliasTable(workspaces, 'w');

export interface Reminder {
  minutes_before: number | null;
  at: number | null;
  remind_at: number | null;
}

const remindedColumns = selectColumns({
  id: t.id,
  archived: t.archived,
  due: t.due,
  due_time: t.due_time,
  status: t.status,
  version: t.version,
  items: withType<string>(sql`(
    SELECT json_group_array(json_object('minutes_before', ${r.minutes_before}, 'at', ${r.at}, 'remind_at', ${r.remind_at}) ORDER BY ${r.place})
    FROM ${r} WHERE ${r.task} = t.id AND ${r.member} = own.no)`),
});
export type TaskRemindersRow = Row<typeof remindedColumns>;

export function findReminders(caller: Caller, task: number): Statement<TaskRemindersRow | null> {
  return readFirstRow(sql`
    SELECT ${remindedColumns} FROM (SELECT CAST(${caller.member} AS INTEGER) AS no) own CROSS JOIN ${t}
    WHERE ${t.id} = ${task} AND ${isTaskVisible(t, caller)}`);
}

const reminderInsertTarget = nameInsertColumns(
  reminders,
  'task',
  'member',
  'place',
  'ws',
  'minutes_before',
  'at',
  'remind_at',
);

export function saveReminders(
  { workspace, member }: Pick<Caller, 'workspace' | 'member'>,
  task: number,
  items: readonly Reminder[],
): Statement<void>[] {
  const selectValue = (name: keyof Reminder) => sql.raw(`d.value ->> '${name}'`);
  return [
    write(sql`DELETE FROM ${reminders} WHERE ${reminders.ws} = ${workspace} AND ${reminders.task} = ${task}
      AND ${reminders.member} = ${member}`),
    write(sql`
      INSERT INTO ${reminderInsertTarget}
      SELECT ${task}, ${member}, d.key, ${workspace}, ${selectValue('minutes_before')}, ${selectValue('at')}, ${selectValue('remind_at')}
      FROM json_each(${JSON.stringify(items)}) d`),
  ];
}

export interface ReminderMove {
  task: number;
  /** Null if the task no longer has a deadline. */
  dueMoment: number | null;
  isSilent: boolean;
}

/** A reminder whose new time has already passed isn't delivered. */
export function moveReminders(ws: number, moved: readonly ReminderMove[], now: number): Statement<void> {
  const time = sql`iif(${reminders.minutes_before} IS NULL, ${reminders.at},
    (d.value ->> 'dueMoment') - 60000 * ${reminders.minutes_before})`;
  return write(sql`
    UPDATE ${reminders} SET ${reminders.remind_at} = iif(d.value ->> 'isSilent' OR ${time} <= ${now}, NULL, ${time})
    FROM json_each(${JSON.stringify(moved)}) d
    WHERE ${reminders.task} = d.value ->> 'task' AND ${reminders.ws} = ${ws}`);
}

/** Copies only reminders that count back from the deadline. Must run after the next tasks are inserted. */
export function copyReminders(
  ws: number,
  copied: readonly { task: number; place: number; dueMoment: number }[],
  { created, now }: { created: number; now: number },
): Statement<void> {
  const next = sql`((SELECT max(${n.id}) FROM ${n}) - ${created} + 1 + (d.value ->> 'place'))`;
  const time = sql`(d.value ->> 'dueMoment') - 60000 * ${r.minutes_before}`;
  return write(sql`
    INSERT INTO ${reminderInsertTarget}
    SELECT ${next}, ${r.member}, ${r.place}, ${r.ws}, ${r.minutes_before}, NULL, iif(${time} <= ${now}, NULL, ${time})
    FROM json_each(${JSON.stringify(copied)}) d CROSS JOIN ${r} ON ${r.task} = d.value ->> 'task' AND ${r.ws} = ${ws}
    WHERE ${r.minutes_before} IS NOT NULL`);
}

/**
 * The time set for a reminder that becomes due while its task is deleted. It is the latest time that a `Date` can
 * represent.
 */
export const DELETED_TASK_REMINDER_TIME = 8_640_000_000_000_000;

/**
 * Must run when these tasks are restored. `deliverReminders` then delivers the reminders that became due in the
 * meantime.
 */
export function rescheduleTaskReminders(
  { workspace }: Pick<Caller, 'workspace'>,
  ids: SQL,
  now: number,
): Statement<void> {
  return write(sql`
    UPDATE ${reminders} SET ${reminders.remind_at} = ${now}
    WHERE ${reminders.ws} = ${workspace} AND ${reminders.task} IN (${ids}) AND ${reminders.remind_at} = ${DELETED_TASK_REMINDER_TIME}`);
}

const EASTERNMOST_OFFSET_MS = 14 * 60 * 60_000;

/**
 * A time zone change moves every due time. Each pending reminder that counts back from a deadline is scheduled for the
 * earliest possible moment, in the easternmost time zone. `deliverReminders` then checks the actual time.
 */
export function rescheduleReminders({ workspace }: Pick<Caller, 'workspace'>): Statement<void> {
  const earliest = sql`unixepoch(${t.due} || ' ' || coalesce(${t.due_time}, ${DEFAULT_DUE_TIME})) * 1000
    - 60000 * ${reminders.minutes_before} - ${sql.raw(String(EASTERNMOST_OFFSET_MS))}`;
  return write(sql`
    UPDATE ${reminders} SET ${reminders.remind_at} = (
      SELECT ${earliest} FROM ${t} WHERE ${t.id} = ${reminders}.task AND abs(${t.ws}) = ${workspace} AND ${t.due} <> ${NO_DEADLINE})
    WHERE ${reminders.ws} = ${workspace} AND ${reminders.remind_at} IS NOT NULL AND ${reminders.minutes_before} IS NOT NULL`);
}

const dueColumns = selectColumns({
  task: r.task,
  member: r.member,
  place: r.place,
  ws: r.ws,
  minutes_before: r.minutes_before,
  at: r.at,
  /** Not null, because the statement selects only reminders with a time. */
  remind_at: withType<number>(r.remind_at),
  due: tl.due,
  due_time: tl.due_time,
  timezone: w.timezone,
  project: tl.project,
  user_id: m.user_id,
  is_silent: withType<number>(sql`coalesce(${tl.archived} = 1 OR ${tl.status} = ${completedStatus}, 1)`),
  /** True if the task was deleted or its project is being deleted. */
  is_hidden: withType<number>(sql`${tl.id} IS NULL`),
  /** False if the person has left the workspace or can no longer see the task. */
  is_wanted: withType<number>(sql`${m.no} IS NOT NULL AND (${tl.id} IS NULL OR ${isTaskVisibleTo(tl, m)})`),
});
export type DueReminderRow = Row<typeof dueColumns>;

export function hasDueReminders({ now }: { now: number }): SQL {
  return sql`EXISTS (SELECT 1 FROM ${r} INDEXED BY reminders_due WHERE ${r.remind_at} <= ${now})`;
}

export function listDueReminders(now: number, limit: number): Statement<DueReminderRow[]> {
  return readRows(sql`
    SELECT ${dueColumns}
    FROM ${r} INDEXED BY reminders_due CROSS JOIN ${w} ON ${w.no} = ${r.ws}
    LEFT JOIN ${tl} ON ${tl.id} = ${r.task} AND ${tl.ws} = ${r.ws}
    LEFT JOIN ${m} ON ${m.no} = ${r.member} AND ${m.ws} = ${r.ws}
    WHERE ${r.remind_at} <= ${now} ORDER BY ${r.remind_at}, ${r.task}, ${r.member} LIMIT ${limit}`);
}

type ReminderKey = Pick<DueReminderRow, 'task' | 'member' | 'place' | 'ws' | 'remind_at'>;

function selectUnchangedReminders(read: readonly ReminderKey[]): SQL {
  const keys = JSON.stringify(
    read.map(({ task, member, place, ws, remind_at }) => [task, member, place, ws, remind_at]),
  );
  return sql`json_each(${keys}) d CROSS JOIN ${r} ON ${r.task} = d.value ->> 0 AND ${r.member} = d.value ->> 1
    AND ${r.place} = d.value ->> 2 AND ${r.ws} = d.value ->> 3 AND ${r.remind_at} = d.value ->> 4`;
}

/** Builds the input for `notifyAboutReminders`. Leaves out reminders that have changed since they were read. */
export function selectReminderRecipients(read: readonly ReminderKey[]): SQL {
  return sql`SELECT ${r.member} AS member, ${r.task} AS task, ${r.ws} AS ws FROM ${selectUnchangedReminders(read)}`;
}

/** @param times the new time of each reminder, or null if it has been delivered or is no longer needed. */
export function setReminderTimes(
  read: readonly ReminderKey[],
  times: readonly (number | null)[],
): Statement<void> {
  const keys = JSON.stringify(
    read.map(({ task, member, place, ws, remind_at }, index) => [
      task,
      member,
      place,
      ws,
      remind_at,
      times[index] ?? null,
    ]),
  );
  return write(sql`
    UPDATE ${reminders} SET ${reminders.remind_at} = d.value ->> 5 FROM json_each(${keys}) d
    WHERE ${reminders.task} = d.value ->> 0 AND ${reminders.member} = d.value ->> 1 AND ${reminders.place} = d.value ->> 2
      AND ${reminders.ws} = d.value ->> 3 AND ${reminders.remind_at} = d.value ->> 4`);
}

export function deleteReminders(read: readonly ReminderKey[]): Statement<void> {
  return write(sql`
    DELETE FROM ${reminders} WHERE (${reminders.task}, ${reminders.member}, ${reminders.place}) IN (
      SELECT ${r.task}, ${r.member}, ${r.place} FROM ${selectUnchangedReminders(read)})`);
}
