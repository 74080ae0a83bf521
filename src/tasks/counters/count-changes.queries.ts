import { type Statement, write } from '../../kernel/sql/database.ts';
import { addExcluded } from '../../kernel/sql/expressions.queries.ts';
import { into, list, names, type SQL, sql } from '../../kernel/sql/sql.ts';
import {
  bucketColumns,
  dueColumns,
  dueDays,
  followedColumns,
  halfColumns,
  memberHalves,
  statusColumns,
  taskCounts,
} from '../../schema/cell/counters.ts';
import { followers, NO_DEADLINE, tasks } from '../../schema/cell/tasks.ts';
import type { NewState } from '../model/change.queries.ts';
import { type OfTask, type TaskSelection, tasksIn } from '../model/selection.queries.ts';
import { taskStatuses } from '../model/tasks.schema.ts';
import {
  addedStates,
  changedStates,
  columnsOf,
  count,
  counterOf,
  listed,
  newSide,
  oldSide,
  type Side,
  type Sign,
  type States,
  signed,
  withCutoffs,
} from './counter.queries.ts';
import { columnInHalf, halfOf } from './day-columns.queries.ts';

const f = names(followers, 'f');
const t = names(tasks, 't');

/*
 * Updates the counters in the batch of every change: task_counts (see counts.queries), due_days with a row per project and
 * day, and member_halves with a row per person, project and half month.
 */

const COMPLETED = sql.raw(String(taskStatuses.indexOf('completed')));

/** For each column: the amount if the value is the number of the column, otherwise 0. */
function oneHot<C extends string>(columns: readonly C[], value: SQL, amount: SQL) {
  return Object.fromEntries(
    columns.map((column, index) => [column, sql`(${value} = ${sql.raw(String(index))}) * ${amount}`]),
  ) as Record<C, SQL>;
}

function shareOfHolder({ bucket, status, assignee, archived, due, hours }: Side) {
  const isPast = sql`(${archived} = 0) * (${due} < s.past_cutoff)`;
  const isThisWeek = sql`(${archived} = 0) * (${due} < s.week_cutoff)`;
  const unarchivedHours = sql`(${archived} = 0) * ${hours}`;
  return {
    key: {
      ws: sql`s.ws`,
      member: sql`iif(s.row = 0, 0, ${assignee})`,
      project: sql`iif(s.row = 2, 0, s.project)`,
    },
    counts: sql`(s.row = 0 OR ${assignee} > 0)`,
    sources: [bucket, due, hours],
    values: {
      ...oneHot(bucketColumns, bucket, sql`1`),
      ...oneHot(statusColumns.past, status, isPast),
      ...oneHot(statusColumns.week, status, isThisWeek),
      ...oneHot(statusColumns.hours, status, unarchivedHours),
      past_hours: sql`(${archived} = 0) * (${status} <> ${COMPLETED}) * (${due} < s.past_cutoff) * ${hours}`,
    },
  };
}

/** Row 0 belongs to the project, 1 to the assignee in it, 2 to the assignee in the workspace. */
const holderRows = sql`(0), (1), (2)`;
const holders = counterOf(taskCounts, shareOfHolder, holderRows);

/** An assignee always follows, so their row counts the follow too, unless the assignee itself changes. */
const holdersWithFollowed = counterOf(
  taskCounts,
  (side) => {
    const share = shareOfHolder(side);
    const followed = oneHot(followedColumns, side.bucket, sql`(s.row = 1)`);
    return { ...share, values: { ...share.values, ...followed } };
  },
  holderRows,
);

/** Columns of task_counts for assigned tasks. */
export const assignedColumns = columnsOf(holders.after.values);

const ofDays = counterOf(dueDays, ({ status, archived, due }) => ({
  key: { project: sql`s.project`, day: due },
  counts: sql`(${archived} = 0 AND ${due} <> ${sql.raw(`'${NO_DEADLINE}'`)})`,
  sources: [status],
  values: oneHot(dueColumns, status, sql`1`),
}));

/** Counts the selected tasks, which the same batch inserted, and their followers. */
export function countTasks(ws: number, selection: TaskSelection): Statement<void>[] {
  return addTasks(ws, selection, 1);
}

/** The opposite, before the same batch removes the tasks. */
export function uncountTasks(ws: number, selection: TaskSelection): Statement<void>[] {
  return addTasks(ws, selection, -1);
}

function addTasks(ws: number, selection: TaskSelection, sign: Sign): Statement<void>[] {
  const states = addedStates(ws, selection);
  return [
    count(withCutoffs(ws, states), holdersWithFollowed, sign),
    countFollowers(states, true, sign),
    count(states, ofDays, sign),
    countDays(states, sign),
  ];
}

/** Moves the counts of the selected tasks from their current state to the new one. Must run before the UPDATE. */
export function moveCounts(ws: number, selection: TaskSelection, after: OfTask<NewState>): Statement<void>[] {
  const state = after(t);
  const moves = (...columns: (keyof NewState)[]) => columns.some((column) => state[column] !== undefined);
  const states = changedStates(ws, selection, after);
  const movesBucket = moves('status', 'archived', 'priority');
  const movesDay = moves('status', 'archived', 'due');
  const movesAssignee = moves('assignee', 'hours');
  const isAssigneeKept = state.assignee === undefined;
  return [
    ...(movesBucket || movesDay || movesAssignee
      ? [count(withCutoffs(ws, states), movesBucket && isAssigneeKept ? holdersWithFollowed : holders)]
      : []),
    ...(movesBucket ? [countFollowers(states, isAssigneeKept)] : []),
    ...(movesDay ? [count(states, ofDays)] : []),
    ...(movesDay || movesAssignee ? [countDays(states)] : []),
  ];
}

const holder = list(taskCounts, 'ws', 'member', 'project');
const intoFollowed = into(taskCounts, 'ws', 'member', 'project', ...followedColumns);

/** @param butAssignee leaves out the assignee, whose row already counts the follow. */
function countFollowers(states: States, butAssignee: boolean, sign: Sign = 1): Statement<void> {
  const deltas = followedColumns.map((_, index) => {
    const bucket = sql.raw(String(index));
    return signed(sign, sql`(${newSide.bucket} = ${bucket}) - s.was * (${oldSide.bucket} = ${bucket})`);
  });
  const isCounted = butAssignee ? sql`AND f.value <> ${newSide.assignee}` : sql``;
  return write(sql`
    INSERT INTO ${intoFollowed}
    SELECT s.ws, f.value, s.project, ${listed(deltas)}
    FROM (${states}) s CROSS JOIN json_each(s.followers) f
    WHERE (s.was = 0 OR ${oldSide.bucket} <> ${newSide.bucket}) ${isCounted}
    ON CONFLICT (${holder}) DO UPDATE SET ${addExcluded(followedColumns)}`);
}

/**
 * Makes a member follow the selected tasks. Counts only tasks that they didn't follow yet. The statement that changes the
 * tasks adds the member to their lists.
 * @param member one for all, or an expression over each task.
 */
export function follow(ws: number, member: number | OfTask, selection: TaskSelection): Statement<void>[] {
  const no = typeof member === 'number' ? member : member(t);
  const tallies = followedColumns.map((_, bucket) => sql`${t.bucket} = ${sql.raw(String(bucket))}`);
  return [
    write(sql`
      INSERT INTO ${intoFollowed}
      SELECT ${t.ws}, ${no}, ${t.project}, ${listed(tallies)} FROM ${tasksIn(t, selection)} AND ${t.ws} = ${ws}
      AND NOT EXISTS (
        SELECT 1 FROM ${f} WHERE ${f.member} = ${no} AND ${f.project} = ${t.project} AND ${f.task} = ${t.id})
      ON CONFLICT (${holder}) DO UPDATE SET ${addExcluded(followedColumns)}`),
    write(sql`
      INSERT OR IGNORE INTO ${into(followers, 'member', 'project', 'task')}
      SELECT ${no}, ${t.project}, ${t.id} FROM ${tasksIn(t, selection)} AND ${t.ws} = ${ws}`),
  ];
}

/** Unfollows a task that the member follows and isn't assigned to. */
export function unfollow(ws: number, member: number, task: number): Statement<void>[] {
  const less = followedColumns.map((column, bucket) => `${column} = ${column} - (o.was = ${bucket})`);
  const followed = sql`SELECT ${t.project} AS of, ${t.bucket} AS was FROM ${t} WHERE ${t.id} = ${task} AND ${t.ws} = ${ws}`;
  return [
    write(sql`
      UPDATE ${taskCounts} SET ${sql.raw(less.join(', '))} FROM (${followed}) o
      WHERE ${taskCounts.ws} = ${ws} AND ${taskCounts.member} = ${member} AND ${taskCounts.project} = o.of`),
    write(sql`
      DELETE FROM ${followers} WHERE ${followers.member} = ${member} AND ${followers.task} = ${task}
        AND ${followers.project} = (SELECT o.of FROM (${followed}) o)`),
  ];
}

/*
 * member_halves holds what is due and completed per day, with a column per day: a row per person, project and half month,
 * and one for all projects (project 0).
 */

const { due, due_hours: dueHours, done, done_hours: doneHours } = halfColumns;
export const memberColumns = [...due, ...dueHours, ...done, ...doneHours] as const;

const key = list(memberHalves, 'ws', 'member', 'project', 'half');

/** Sums `tasks` and `hours` by `slot`: the column number of a due day, or the negative number of a day of completion. */
const sums = sql.raw(
  [
    ...due.map((column, index) => `sum((slot = ${index + 1}) * tasks) AS ${column}`),
    ...dueHours.map((column, index) => `sum((slot = ${index + 1}) * hours) AS ${column}`),
    ...done.map((column, index) => `sum((slot = ${-index - 1}) * tasks) AS ${column}`),
    ...doneHours.map((column, index) => `sum((slot = ${-index - 1}) * hours) AS ${column}`),
  ].join(', '),
);
const summed = (sign: Sign) =>
  sql.raw(memberColumns.map((column) => `${sign === 1 ? '' : '-'}h.${column}`).join(', '));

/** Whether a side of a state is completed, and the day on which it counts; empty if it doesn't count. */
function dayOf({ status, archived, assignee, due, completed_on: completedOn }: Side) {
  const isDone = sql`${status} = ${COMPLETED}`;
  const day = sql`iif(${isDone}, ${completedOn}, nullif(${due}, ${sql.raw(`'${NO_DEADLINE}'`)}))`;
  return { isDone, day: sql`iif(${archived} = 0 AND ${assignee} > 0, coalesce(${day}, ''), '')` };
}

/**
 * Subtracts each state where it counted and adds it where it will count. Writes one row per person, project and half month,
 * however many tasks move there, and none if nothing changes.
 */
function countDays(states: States, sign: Sign = 1): Statement<void> {
  const [before, after] = [dayOf(oldSide), dayOf(newSide)];
  const bySide = (name: string) => sql.raw(`iif(side.column1 < 0, d.old_${name}, d.new_${name})`);
  const sides = sql`
    SELECT d.ws AS ws, d.project AS project, side.column1 AS sign, ${bySide('assignee')} AS member,
      ${bySide('day')} AS day, ${bySide('done')} AS done, ${bySide('hours')} AS hours
    FROM (
      SELECT s.*, ${before.isDone} AS old_done, ${before.day} AS old_day,
        ${after.isDone} AS new_done, ${after.day} AS new_day
      FROM (${states}) s LIMIT -1) d
    CROSS JOIN (VALUES (-1), (1)) side
    WHERE (d.was OR side.column1 > 0) AND NOT (d.was AND d.old_assignee = d.new_assignee
      AND d.old_day = d.new_day AND d.old_done = d.new_done AND d.old_hours = d.new_hours)`;
  // The LIMIT makes SQLite compute a day once per side. Without it, the day is computed in each of the 64 sums.
  const placed = sql`
    SELECT ws, project, member, ${halfOf(sql`day`)} AS half, iif(done, -1, 1) * (${columnInHalf(sql`day`)}) AS slot,
      sign AS tasks, sign * hours AS hours
    FROM (${sides}) WHERE day <> '' LIMIT -1`;
  return write(sql`
    INSERT INTO ${into(memberHalves, 'ws', 'member', 'project', 'half', ...memberColumns)}
    SELECT h.ws, h.member, iif(r.column1 = 0, 0, h.project), h.half, ${summed(sign)}
    FROM (SELECT ws, member, project, half, ${sums} FROM (${placed}) GROUP BY ws, member, project, half) h
    CROSS JOIN (VALUES (0), (1)) r
    WHERE true ON CONFLICT (${key}) DO UPDATE SET ${addExcluded(memberColumns)}`);
}
