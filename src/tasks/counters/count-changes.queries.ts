// This file is long because every change to tasks has to update all counters together.

import { type Statement, write } from '../../kernel/sql/database.ts';
import { addExcludedValues } from '../../kernel/sql/expressions.queries.ts';
import { aliasTable, joinColumnNames, nameInsertColumns, type SQL, sql } from '../../kernel/sql/sql.ts';
import {
  bucketColumns,
  dueColumns,
  dueDays,
  followedColumns,
  halfMonthColumns,
  memberHalfMonths,
  otherAssigneeCounts,
  statusColumns,
  subtaskCounts,
  taskCounts,
} from '../../schema/cell/counters.ts';
import { followers, NO_DEADLINE, tasks } from '../../schema/cell/tasks.ts';
import type { NewCountedValues } from '../model/change.queries.ts';
import {
  buildSelectionFromClause,
  type TaskExpression,
  type TaskSelection,
} from '../model/selection.queries.ts';
import { completedStatus } from '../statuses.queries.ts';
import {
  applyCounter,
  applySign,
  buildCounter,
  getColumnNames,
  joinCutoffs,
  joinWithCommas,
  newState,
  oldState,
  type Sign,
  type StateExpressions,
  selectAddedStates,
  selectChangedStates,
  type TaskStates,
} from './counter.queries.ts';
import { buildHalfMonthColumn, buildHalfMonthKey } from './day-columns.queries.ts';
import { addLabelCounts, subtractLabelCounts } from './label-counts.queries.ts';

const f = aliasTable(followers, 'f');
const t = aliasTable(tasks, 't');

function buildColumnValues<C extends string>(columns: readonly C[], value: SQL, amount: SQL) {
  return Object.fromEntries(
    columns.map((column, index) => [column, sql`(${value} = ${sql.raw(String(index))}) * ${amount}`]),
  ) as Record<C, SQL>;
}

function buildTaskCountContribution({ bucket, status, assignee, archived, due, hours }: StateExpressions) {
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
      ...buildColumnValues(bucketColumns, bucket, sql`1`),
      ...buildColumnValues(statusColumns.past, status, isPast),
      ...buildColumnValues(statusColumns.week, status, isThisWeek),
      ...buildColumnValues(statusColumns.hours, status, unarchivedHours),
      past_hours: sql`(${archived} = 0) * (${status} <> ${completedStatus}) * (${due} < s.past_cutoff) * ${hours}`,
    },
  };
}

/** Row 0 counts the project's tasks, row 1 the assignee's tasks in the project, and row 2 all the assignee's tasks. */
const taskCountsRows = { from: sql`(VALUES (0), (1), (2)) r`, row: sql`r.column1` };
const taskCountsCounter = buildCounter(taskCounts, buildTaskCountContribution, taskCountsRows);

/** Every assignee also follows the task, so one statement updates the counts of assigned and followed tasks. */
const taskAndFollowerCounter = buildCounter(
  taskCounts,
  (side) => {
    const share = buildTaskCountContribution(side);
    const followed = buildColumnValues(followedColumns, side.bucket, sql`(s.row = 1)`);
    return { ...share, values: { ...share.values, ...followed } };
  },
  taskCountsRows,
);

const subtaskCountsCounter = buildCounter(
  subtaskCounts,
  ({ bucket, assignee, parent }) => ({
    key: { ws: sql`s.ws`, member: sql`iif(s.row = 0, 0, ${assignee})`, project: sql`s.project` },
    counts: sql`(${parent} IS NOT NULL AND (s.row = 0 OR ${assignee} > 0))`,
    sources: [bucket],
    values: buildColumnValues(bucketColumns, bucket, sql`1`),
  }),
  { from: sql`(VALUES (0), (1)) r`, row: sql`r.column1` },
);

const otherAssigneeCounter = buildCounter(
  otherAssigneeCounts,
  ({ bucket, other_assignees: others, parent }) => ({
    key: {
      ws: sql`s.ws`,
      member: sql`s.row`,
      project: sql`s.project`,
      is_subtask: sql`(${parent} IS NOT NULL)`,
    },
    counts: sql`EXISTS (SELECT 1 FROM json_each(${others}) n WHERE n.value = s.row)`,
    sources: [bucket],
    values: buildColumnValues(bucketColumns, bucket, sql`1`),
  }),
  {
    from: sql`json_each((SELECT json_group_array(n.value) FROM (SELECT value FROM json_each(st.old_other_assignees)
      UNION SELECT value FROM json_each(st.new_other_assignees)) n)) r`,
    row: sql`r.value`,
  },
);

export const assignedColumns = getColumnNames(taskCountsCounter.after.values);

const dueDayCounter = buildCounter(dueDays, ({ status, archived, due }) => ({
  key: { project: sql`s.project`, day: due },
  counts: sql`(${archived} = 0 AND ${due} <> ${sql.raw(`'${NO_DEADLINE}'`)})`,
  sources: [status],
  values: buildColumnValues(dueColumns, status, sql`1`),
}));

export interface CountOptions {
  created?: CountedSelection | undefined;
  /**
   * These flags are false if no selected task has a parent, tags or several assignees, before or after the change. They
   * default to true.
   */
  mayHaveParents?: boolean;
  mayHaveTags?: boolean;
  mayHaveOtherAssignees?: boolean;
}

type CountHints = Pick<CountOptions, 'mayHaveParents' | 'mayHaveTags' | 'mayHaveOtherAssignees'>;

export interface CountedSelection extends Required<CountHints> {
  selection: TaskSelection;
}

export function addTaskCounts(
  ws: number,
  selection: TaskSelection,
  options: CountHints = {},
): Statement<void>[] {
  return changeTaskCounts(ws, selection, 1, options);
}

/** Must run before the batch deletes the tasks. */
export function subtractTaskCounts(ws: number, selection: TaskSelection): Statement<void>[] {
  return changeTaskCounts(ws, selection, -1);
}

function changeTaskCounts(
  ws: number,
  selection: TaskSelection,
  sign: Sign,
  { mayHaveParents = true, mayHaveTags = true, mayHaveOtherAssignees = true }: CountHints = {},
): Statement<void>[] {
  const states = selectAddedStates(ws, selection);
  const changeLabels = sign === 1 ? addLabelCounts : subtractLabelCounts;
  return [
    ...(mayHaveTags ? [changeLabels(ws, selection)] : []),
    ...(mayHaveParents ? [applyCounter(states, subtaskCountsCounter, sign)] : []),
    ...(mayHaveOtherAssignees ? [applyCounter(states, otherAssigneeCounter, sign)] : []),
    applyCounter(joinCutoffs(ws, states), taskAndFollowerCounter, sign),
    updateFollowerCounts(states, true, sign),
    applyCounter(states, dueDayCounter, sign),
    updateMemberDayCounts(states, sign),
  ];
}

/** Must run before the tasks change, because the statements read the old values from their rows. */
export function updateCounts(
  ws: number,
  selection: TaskSelection,
  after: TaskExpression<NewCountedValues>,
  { created, mayHaveParents = true, mayHaveOtherAssignees = true }: CountOptions = {},
): Statement<void>[] {
  const state = after(t);
  const moves = (...columns: (keyof NewCountedValues)[]) =>
    created !== undefined || columns.some((column) => state[column] !== undefined);
  const states = selectChangedStates(ws, selection, after, created?.selection);
  const movesBucket = moves('status', 'archived', 'priority');
  const movesDay = moves('status', 'archived', 'due');
  const movesAssignee = moves('assignee', 'hours');
  const isAssigneeKept = state.assignee === undefined;
  return [
    ...((mayHaveParents || created?.mayHaveParents) && (movesBucket || moves('assignee', 'parent'))
      ? [applyCounter(states, subtaskCountsCounter)]
      : []),
    ...((mayHaveOtherAssignees || created?.mayHaveOtherAssignees) &&
    (movesBucket || moves('other_assignees', 'parent'))
      ? [applyCounter(states, otherAssigneeCounter)]
      : []),
    ...(movesBucket || movesDay || movesAssignee
      ? [
          applyCounter(
            joinCutoffs(ws, states),
            movesBucket && isAssigneeKept ? taskAndFollowerCounter : taskCountsCounter,
          ),
        ]
      : []),
    ...(movesBucket ? [updateFollowerCounts(states, isAssigneeKept)] : []),
    ...(movesDay ? [applyCounter(states, dueDayCounter)] : []),
    ...(movesDay || movesAssignee ? [updateMemberDayCounts(states)] : []),
  ];
}

const taskCountsKey = joinColumnNames(taskCounts, 'ws', 'member', 'project');
const followedCountInsertTarget = nameInsertColumns(
  taskCounts,
  'ws',
  'member',
  'project',
  ...followedColumns,
);

function updateFollowerCounts(
  states: TaskStates,
  excludesAssignee: boolean,
  sign: Sign = 1,
): Statement<void> {
  const deltas = followedColumns.map((_, index) => {
    const bucket = sql.raw(String(index));
    return applySign(sign, sql`(${newState.bucket} = ${bucket}) - s.was * (${oldState.bucket} = ${bucket})`);
  });
  const isCounted = excludesAssignee ? sql`AND f.value <> ${newState.assignee}` : sql``;
  return write(sql`
    INSERT INTO ${followedCountInsertTarget}
    SELECT s.ws, f.value, s.project, ${joinWithCommas(deltas)}
    FROM (${states}) s CROSS JOIN json_each(s.followers) f
    WHERE (s.was = 0 OR ${oldState.bucket} <> ${newState.bucket}) ${isCounted}
    ON CONFLICT (${taskCountsKey}) DO UPDATE SET ${addExcludedValues(followedColumns)}`);
}

/** The statement that changes the task must also update `tasks.followers`. */
export function addFollower(
  ws: number,
  member: number | TaskExpression,
  selection: TaskSelection,
): Statement<void>[] {
  const no = typeof member === 'number' ? member : member(t);
  const tallies = followedColumns.map((_, bucket) => sql`${t.bucket} = ${sql.raw(String(bucket))}`);
  return [
    write(sql`
      INSERT INTO ${followedCountInsertTarget}
      SELECT ${t.ws}, ${no}, ${t.project}, ${joinWithCommas(tallies)} FROM ${buildSelectionFromClause(t, selection)} AND ${t.ws} = ${ws}
      AND NOT EXISTS (
        SELECT 1 FROM ${f} WHERE ${f.member} = ${no} AND ${f.project} = ${t.project} AND ${f.task} = ${t.id})
      ON CONFLICT (${taskCountsKey}) DO UPDATE SET ${addExcludedValues(followedColumns)}`),
    write(sql`
      INSERT OR IGNORE INTO ${nameInsertColumns(followers, 'member', 'project', 'task')}
      SELECT ${no}, ${t.project}, ${t.id} FROM ${buildSelectionFromClause(t, selection)} AND ${t.ws} = ${ws}`),
  ];
}

/**
 * Adds the members in the JSON list that `members` selects. The statement that changes the tasks must also update
 * `tasks.followers`.
 */
export function addFollowersFromList(
  ws: number,
  members: TaskExpression,
  selection: TaskSelection,
): Statement<void>[] {
  const tallies = followedColumns.map((_, bucket) => sql`sum(l.bucket = ${sql.raw(String(bucket))})`);
  const listed = sql`
    SELECT ${t.id} AS task, ${t.project} AS project, ${t.bucket} AS bucket, n.value AS no
    FROM ${t} ${selection(t).access} CROSS JOIN json_each(${members(t)}) n
    WHERE ${selection(t).where} AND ${t.ws} = ${ws} AND n.value > 0`;
  return [
    write(sql`
      INSERT INTO ${followedCountInsertTarget}
      SELECT ${ws}, l.no, l.project, ${joinWithCommas(tallies)} FROM (${listed}) l
      WHERE NOT EXISTS (
        SELECT 1 FROM ${f} WHERE ${f.member} = l.no AND ${f.project} = l.project AND ${f.task} = l.task)
      GROUP BY l.no, l.project
      ON CONFLICT (${taskCountsKey}) DO UPDATE SET ${addExcludedValues(followedColumns)}`),
    write(sql`
      INSERT OR IGNORE INTO ${nameInsertColumns(followers, 'member', 'project', 'task')}
      SELECT l.no, l.project, l.task FROM (${listed}) l`),
  ];
}

/** The member must follow the task and must not be one of its assignees. */
export function removeFollower(ws: number, member: number, task: number): Statement<void>[] {
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

// `member_halves` has one row per person, project and half month, with a column per day. Project 0 covers all
// projects.
const { due, due_hours: dueHours, done, done_hours: doneHours } = halfMonthColumns;
export const halfMonthColumnNames = [...due, ...dueHours, ...done, ...doneHours] as const;

const halfMonthKey = joinColumnNames(memberHalfMonths, 'ws', 'member', 'project', 'half');

/** `slot` is the number of a deadline column, or the negated number of a completion column. */
const halfMonthSums = sql.raw(
  [
    ...due.map((column, index) => `sum((slot = ${index + 1}) * tasks) AS ${column}`),
    ...dueHours.map((column, index) => `sum((slot = ${index + 1}) * hours) AS ${column}`),
    ...done.map((column, index) => `sum((slot = ${-index - 1}) * tasks) AS ${column}`),
    ...doneHours.map((column, index) => `sum((slot = ${-index - 1}) * hours) AS ${column}`),
  ].join(', '),
);
const buildHalfMonthValues = (sign: Sign) =>
  sql.raw(halfMonthColumnNames.map((column) => `${sign === 1 ? '' : '-'}h.${column}`).join(', '));

function toCounterDay({ status, archived, assignee, due, completed_on: completedOn }: StateExpressions) {
  const isDone = sql`${status} = ${completedStatus}`;
  const day = sql`iif(${isDone}, ${completedOn}, nullif(${due}, ${sql.raw(`'${NO_DEADLINE}'`)}))`;
  return { isDone, day: sql`iif(${archived} = 0 AND ${assignee} > 0, coalesce(${day}, ''), '')` };
}

function updateMemberDayCounts(states: TaskStates, sign: Sign = 1): Statement<void> {
  const [before, after] = [toCounterDay(oldState), toCounterDay(newState)];
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
  // The LIMIT makes SQLite compute `slot` once per row. Otherwise, each of the 64 sums would compute it again.
  const placed = sql`
    SELECT ws, project, member, ${buildHalfMonthKey(sql`day`)} AS half, iif(done, -1, 1) * (${buildHalfMonthColumn(sql`day`)}) AS slot,
      sign AS tasks, sign * hours AS hours
    FROM (${sides}) WHERE day <> '' LIMIT -1`;
  return write(sql`
    INSERT INTO ${nameInsertColumns(memberHalfMonths, 'ws', 'member', 'project', 'half', ...halfMonthColumnNames)}
    SELECT h.ws, h.member, iif(r.column1 = 0, 0, h.project), h.half, ${buildHalfMonthValues(sign)}
    FROM (SELECT ws, member, project, half, ${halfMonthSums} FROM (${placed}) GROUP BY ws, member, project, half) h
    CROSS JOIN (VALUES (0), (1)) r
    WHERE true ON CONFLICT (${halfMonthKey}) DO UPDATE SET ${addExcludedValues(halfMonthColumnNames)}`);
}
