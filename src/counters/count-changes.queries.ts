import { type SQL, sql } from 'drizzle-orm';
import { type Statement, write } from '../kernel/database.ts';
import { addExcluded } from '../kernel/expressions.queries.ts';
import { BUCKETS } from '../task-model/buckets.ts';
import type { NewState } from '../task-model/change.queries.ts';
import { type TaskSelection, tasksIn } from '../task-model/selection.queries.ts';
import { taskStatuses } from '../task-model/tasks.schema.ts';
import { NO_DEADLINE } from '../task-model/tasks.sql.ts';
import { addedStates, besideCutoffs, changedStates, type States } from './states.queries.ts';

/*
 * Keeps the counters in the batch of every change: task_counts (see counts.queries), due_days with a row a project and
 * day, member_days with what a person has to do by a day and completed on it.
 *
 * Data describes each counter table: the key under which a state counts, whether it counts, and what it adds to each
 * column. In these texts `@` stands for the old or the new side of the states `s`.
 */
interface Counter {
  table: string;
  key: Record<string, string>;
  counts: string;
  values: Record<string, string>;
  /** The source of the values. */
  weighs: readonly string[];
  /** Rows that each state counts in, as a table `r (row)`; one without. */
  rows?: string;
}

const COMPLETED = taskStatuses.indexOf('completed');
const every = (prefix: string, length: number) => Array.from({ length }, (_, index) => `${prefix}${index}`);
const buckets = (prefix: string, amount = '1') =>
  Object.fromEntries(
    every(prefix, BUCKETS).map((column, bucket) => [column, `(@bucket = ${bucket}) * ${amount}`]),
  );
const statuses = (prefix: string, amount: string) =>
  Object.fromEntries(
    every(prefix, taskStatuses.length).map((column, status) => [column, `(@status = ${status}) * ${amount}`]),
  );

/** Row 0 belongs to the project, 1 to the assignee in it, 2 to the assignee in the workspace. */
const holders: Counter = {
  table: 'task_counts',
  rows: 'VALUES (0), (1), (2)',
  key: {
    ws: 's.ws',
    member: 'iif(r.column1 = 0, 0, @assignee)',
    project: 'iif(r.column1 = 2, 0, s.project)',
  },
  counts: '(r.column1 = 0 OR @assignee > 0)',
  weighs: ['@bucket', '@due', '@hours'],
  values: {
    ...buckets('bucket'),
    ...statuses('past', '(@archived = 0) * (@due < s.past_cutoff)'),
    ...statuses('week', '(@archived = 0) * (@due < s.week_cutoff)'),
    ...statuses('hours', '(@archived = 0) * @hours'),
    past_hours: `(@archived = 0) * (@status <> ${COMPLETED}) * (@due < s.past_cutoff) * @hours`,
  },
};

/** An assignee always follows, so their row counts the follow too, unless the assignee itself changes. */
const followed = buckets('followed', '(r.column1 = 1)');
const followedColumns = Object.keys(followed);

/** Columns of task_counts over what is assigned. */
export const assignedColumns = Object.keys(holders.values);

const dueDays: Counter = {
  table: 'due_days',
  key: { project: 's.project', day: '@due' },
  counts: `(@archived = 0 AND @due <> '${NO_DEADLINE}')`,
  weighs: ['@status'],
  values: statuses('status', '1'),
};

const isDone = `(@status = ${COMPLETED})`;
const memberDays: Counter = {
  table: 'member_days',
  rows: 'VALUES (0), (1)',
  key: {
    ws: 's.ws',
    member: '@assignee',
    project: 'iif(r.column1 = 0, 0, s.project)',
    day: `iif(${isDone}, @completed_on, @due)`,
  },
  counts: `(@archived = 0 AND @assignee > 0 AND iif(${isDone}, @completed_on IS NOT NULL, @due <> '${NO_DEADLINE}'))`,
  weighs: [isDone, '@hours'],
  values: {
    due: `(1 - ${isDone})`,
    due_hours: `(1 - ${isDone}) * @hours`,
    done: isDone,
    done_hours: `${isDone} * @hours`,
  },
};

export const memberDayColumns = Object.keys(memberDays.values);

/** Counts the selected tasks of a workspace, which the same batch inserted, and their followers. */
export function countTasks(ws: number, selection: TaskSelection): Statement<void>[] {
  const states = addedStates(ws, selection);
  return [
    count(besideCutoffs(ws, states), withFollowed(holders)),
    countFollowers(states, true),
    count(states, dueDays),
    count(states, memberDays),
  ];
}

/** Moves the counts of the selected tasks from their present state to the new one. Must run before the UPDATE. */
export function moveCounts(ws: number, selection: TaskSelection, after: NewState): Statement<void>[] {
  const moves = (...columns: (keyof NewState)[]) => columns.some((column) => after[column] !== undefined);
  const states = changedStates(ws, selection, after);
  const movesBucket = moves('status', 'archived', 'priority');
  const movesDay = moves('status', 'archived', 'due');
  const movesAssignee = moves('assignee', 'hours');
  const isAssigneeKept = after.assignee === undefined;
  return [
    ...(movesBucket || movesDay || movesAssignee
      ? [count(besideCutoffs(ws, states), movesBucket && isAssigneeKept ? withFollowed(holders) : holders)]
      : []),
    ...(movesBucket ? [countFollowers(states, isAssigneeKept)] : []),
    ...(movesDay ? [count(states, dueDays)] : []),
    ...(movesDay || movesAssignee ? [count(states, memberDays)] : []),
  ];
}

function withFollowed(counter: Counter): Counter {
  return { ...counter, values: { ...counter.values, ...followed } };
}

/**
 * Subtracts each state where it counted (side 0) and adds it where it will count (side 1). Makes one row if both are the
 * same, and none if nothing changes.
 */
function count(states: States, { table, key, counts, values, weighs, rows }: Counter): Statement<void> {
  const old = (text: string) => text.replaceAll('@', 's.old_');
  const now = (text: string) => text.replaceAll('@', 's.new_');
  const keys = Object.entries(key);
  const columns = Object.keys(values);
  const equal = (texts: readonly string[]) =>
    texts
      .filter((text) => text.includes('@'))
      .map((text) => `${old(text)} IS ${now(text)}`)
      .concat('1')
      .join(' AND ');
  const stays = `(${now(counts)} AND ${equal(Object.values(key))})`;
  const deltas = Object.values(values).map(
    (value) => `iif(side.column1 = 0, ${stays} * (${now(value)}) - (${old(value)}), ${now(value)})`,
  );
  return write(sql`
    INSERT INTO ${sql.raw(table)} (${names([...Object.keys(key), ...columns])})
    SELECT ${names(keys.map(([, text]) => (text.includes('@') ? `iif(side.column1 = 0, ${old(text)}, ${now(text)})` : text)))},
      ${names(deltas)}
    FROM (${states}) s ${sql.raw(rows ? `CROSS JOIN (${rows}) r` : '')} CROSS JOIN (VALUES (0), (1)) side
    WHERE iif(side.column1 = 0,
      ${sql.raw(`s.was AND ${old(counts)} AND NOT (${stays} AND ${equal(weighs)})`)},
      ${sql.raw(`${now(counts)} AND NOT (s.was AND ${old(counts)} AND ${equal(Object.values(key))})`)})
    ON CONFLICT (${names(Object.keys(key))}) DO UPDATE SET ${addExcluded(columns)}`);
}

/** Counts the followers of the tasks. @param butAssignee leaves out the assignee, whose row counts it already. */
function countFollowers(states: States, butAssignee: boolean): Statement<void> {
  const deltas = followedColumns.map(
    (_, bucket) => `(s.new_bucket = ${bucket}) - s.was * (s.old_bucket = ${bucket})`,
  );
  return write(sql`
    INSERT INTO task_counts (ws, member, project, ${names(followedColumns)})
    SELECT s.ws, f.member, s.project, ${names(deltas)}
    FROM (${states}) s CROSS JOIN followers f INDEXED BY followers_by_task ON f.task = s.id
    WHERE (s.was = 0 OR s.old_bucket <> s.new_bucket) ${sql.raw(butAssignee ? 'AND f.member <> s.new_assignee' : '')}
    ON CONFLICT (ws, member, project) DO UPDATE SET ${addExcluded(followedColumns)}`);
}

function names(columns: readonly string[]): SQL {
  return sql.raw(columns.join(', '));
}

/** Makes a member follow the selected tasks of a workspace; counts only tasks that they did not follow yet. */
export function follow(ws: number, member: number, selection: TaskSelection): Statement<void>[] {
  const tallies = followedColumns.map((_, bucket) => `t.bucket = ${bucket}`);
  return [
    write(sql`
      INSERT INTO task_counts (ws, member, project, ${names(followedColumns)})
      SELECT t.ws, ${member}, t.project, ${names(tallies)} FROM ${tasksIn(selection)} AND t.ws = ${ws}
      AND NOT EXISTS (
        SELECT 1 FROM followers f WHERE f.member = ${member} AND f.project = t.project AND f.task = t.id)
      ON CONFLICT (ws, member, project) DO UPDATE SET ${addExcluded(followedColumns)}`),
    write(sql`
      INSERT OR IGNORE INTO followers (member, project, task)
      SELECT ${member}, t.project, t.id FROM ${tasksIn(selection)} AND t.ws = ${ws}`),
  ];
}

/** Ends what a member follows in a project, but for what they are assigned, which its assignee always follows. */
export function unfollowAll(ws: number, member: number, project: number): Statement<void>[] {
  const assigned = followedColumns.map((column, bucket) => `${column} = bucket${bucket}`).join(', ');
  return [
    write(sql`
      UPDATE task_counts SET ${sql.raw(assigned)}
      WHERE ws = ${ws} AND member = ${member} AND project = ${project}`),
    write(sql`
      DELETE FROM followers WHERE member = ${member} AND project = ${project}
      AND task NOT IN (SELECT t.id FROM tasks t INDEXED BY tasks_by_project_assignee
        WHERE t.project = ${project} AND t.assignee = ${member} AND t.ws = ${ws})`),
  ];
}
