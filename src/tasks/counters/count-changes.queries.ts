import { type Statement, write } from '../../kernel/sql/database.ts';
import { addExcluded } from '../../kernel/sql/expressions.queries.ts';
import { into, list, type NameOf, names, type SQL, sql, type Table } from '../../kernel/sql/sql.ts';
import {
  bucketColumns,
  dueColumns,
  dueDays,
  followedColumns,
  statusColumns,
  taskCounts,
} from '../../schema/cell/counters.ts';
import { followers, NO_DEADLINE, tasks } from '../../schema/cell/tasks.ts';
import type { NewState } from '../model/change.queries.ts';
import { type TaskSelection, tasksIn } from '../model/selection.queries.ts';
import { taskStatuses } from '../model/tasks.schema.ts';
import { countDays } from './member-halves.queries.ts';
import { addedStates, besideCutoffs, changedStates, type Sign, type States } from './states.queries.ts';

const f = names(followers, 'f');
const t = names(tasks, 't');

/*
 * Keeps the counters in the batch of every change: task_counts (see counts.queries), due_days with a row a project and
 * day, and member_halves (see member-halves.queries).
 *
 * Data describes the first two: the key under which a state counts, whether it counts, and what it adds to each
 * column. In these texts `@` stands for the old or the new side of the states `s`.
 */
type Texts<Column extends string> = Partial<Record<Column, string>>;

interface Counter<T extends Table> {
  table: T;
  key: Texts<NameOf<T>>;
  counts: string;
  values: Texts<NameOf<T>>;
  /** The source of the values. */
  weighs: readonly string[];
  /** Numbers of the rows that each state counts in, for `s.row`; without, it is one. */
  rows?: string;
}

const COMPLETED = taskStatuses.indexOf('completed');
const buckets = <C extends string>(columns: readonly C[], amount = '1') =>
  textsOf(columns, (bucket) => `(@bucket = ${bucket}) * ${amount}`);
const statuses = <C extends string>(columns: readonly C[], amount: string) =>
  textsOf(columns, (status) => `(@status = ${status}) * ${amount}`);

function textsOf<C extends string>(columns: readonly C[], textOf: (index: number) => string) {
  return Object.fromEntries(columns.map((column, index) => [column, textOf(index)])) as Record<C, string>;
}

/** Row 0 belongs to the project, 1 to the assignee in it, 2 to the assignee in the workspace. */
const holders: Counter<typeof taskCounts> = {
  table: taskCounts,
  rows: '(0), (1), (2)',
  key: {
    ws: 's.ws',
    member: 'iif(s.row = 0, 0, @assignee)',
    project: 'iif(s.row = 2, 0, s.project)',
  },
  counts: '(s.row = 0 OR @assignee > 0)',
  weighs: ['@bucket', '@due', '@hours'],
  values: {
    ...buckets(bucketColumns),
    ...statuses(statusColumns.past, '(@archived = 0) * (@due < s.past_cutoff)'),
    ...statuses(statusColumns.week, '(@archived = 0) * (@due < s.week_cutoff)'),
    ...statuses(statusColumns.hours, '(@archived = 0) * @hours'),
    past_hours: `(@archived = 0) * (@status <> ${COMPLETED}) * (@due < s.past_cutoff) * @hours`,
  },
};

/** An assignee always follows, so their row counts the follow too, unless the assignee itself changes. */
const followed = buckets(followedColumns, '(s.row = 1)');

/** Columns of task_counts over what is assigned. */
export const assignedColumns = entriesOf(holders.values).map(([column]) => column);

const ofDays: Counter<typeof dueDays> = {
  table: dueDays,
  key: { project: 's.project', day: '@due' },
  counts: `(@archived = 0 AND @due <> '${NO_DEADLINE}')`,
  weighs: ['@status'],
  values: statuses(dueColumns, '1'),
};

/** Counts the selected tasks of a workspace, which the same batch inserted, and their followers. */
export function countTasks(ws: number, selection: TaskSelection): Statement<void>[] {
  return addTasks(ws, selection, 1);
}

/** The opposite, before the same batch takes the tasks away. */
export function uncountTasks(ws: number, selection: TaskSelection): Statement<void>[] {
  return addTasks(ws, selection, -1);
}

function addTasks(ws: number, selection: TaskSelection, sign: Sign): Statement<void>[] {
  const states = addedStates(ws, selection);
  return [
    count(besideCutoffs(ws, states), withFollowed(holders), sign),
    countFollowers(states, true, sign),
    count(states, ofDays, sign),
    countDays(states, sign),
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
    ...(movesDay ? [count(states, ofDays)] : []),
    ...(movesDay || movesAssignee ? [countDays(states)] : []),
  ];
}

function withFollowed(counter: Counter<typeof taskCounts>): Counter<typeof taskCounts> {
  return { ...counter, values: { ...counter.values, ...followed } };
}

/**
 * Subtracts each state where it counted (side 0) and adds it where it will count (side 1). Makes one row if both are the
 * same, and none if nothing changes.
 */
function count<T extends Table>(states: States, counter: Counter<T>, sign: Sign = 1): Statement<void> {
  const { table, counts, weighs, rows } = counter;
  const [keys, values] = [entriesOf(counter.key), entriesOf(counter.values)];
  const old = (text: string) => text.replaceAll('@', 's.old_');
  const now = (text: string) => text.replaceAll('@', 's.new_');
  const columns = values.map(([column]) => column);
  const key = keys.map(([column]) => column);
  const keyTexts = keys.map(([, text]) => text);
  const equal = (texts: readonly string[]) =>
    texts
      .filter((text) => text.includes('@'))
      .map((text) => `${old(text)} IS ${now(text)}`)
      .concat('1')
      .join(' AND ');
  const stays = `(${now(counts)} AND ${equal(keyTexts)})`;
  const deltas = values.map(([, value]) =>
    signed(sign, `s.added * (${now(value)}) - iif(s.taken, ${old(value)}, 0)`),
  );
  // With the LIMIT it is decided once a state what is added and taken; without, in each column.
  const sides = sql`
    SELECT s.*, side.column1 = 0 AS taken, ${sql.raw(`iif(side.column1 = 0, ${stays}, 1)`)} AS added
    FROM (${rows ? sql`SELECT st.*, r.column1 AS row FROM (${states}) st CROSS JOIN (VALUES ${sql.raw(rows)}) r` : states}) s
    CROSS JOIN (VALUES (0), (1)) side
    WHERE iif(side.column1 = 0,
      ${sql.raw(`s.was AND ${old(counts)} AND NOT (${stays} AND ${equal(weighs)})`)},
      ${sql.raw(`${now(counts)} AND NOT (s.was AND ${old(counts)} AND ${equal(keyTexts)})`)}) LIMIT -1`;
  const keysOf = keyTexts.map((text) =>
    text.includes('@') ? `iif(s.taken, ${old(text)}, ${now(text)})` : text,
  );
  return write(sql`
    INSERT INTO ${into(table, ...key, ...columns)}
    SELECT ${texts([...keysOf, ...deltas])} FROM (${sides}) s
    WHERE true ON CONFLICT (${list(table, ...key)}) DO UPDATE SET ${addExcluded(columns)}`);
}

const holder = list(taskCounts, 'ws', 'member', 'project');
const intoFollowed = into(taskCounts, 'ws', 'member', 'project', ...followedColumns);

/** Counts the followers of the tasks. @param butAssignee leaves out the assignee, whose row counts it already. */
function countFollowers(states: States, butAssignee: boolean, sign: Sign = 1): Statement<void> {
  const deltas = followedColumns.map((_, bucket) =>
    signed(sign, `(s.new_bucket = ${bucket}) - s.was * (s.old_bucket = ${bucket})`),
  );
  return write(sql`
    INSERT INTO ${intoFollowed}
    SELECT s.ws, f.value, s.project, ${texts(deltas)}
    FROM (${states}) s CROSS JOIN json_each(s.followers) f
    WHERE (s.was = 0 OR s.old_bucket <> s.new_bucket) ${sql.raw(butAssignee ? 'AND f.value <> s.new_assignee' : '')}
    ON CONFLICT (${holder}) DO UPDATE SET ${addExcluded(followedColumns)}`);
}

function signed(sign: Sign, sum: string): string {
  return sign === 1 ? sum : `-(${sum})`;
}

function texts(expressions: readonly string[]): SQL {
  return sql.raw(expressions.join(', '));
}

function entriesOf<C extends string>(texts: Texts<C>) {
  return Object.entries(texts) as [C, string][];
}

/**
 * Makes a member follow the selected tasks of a workspace; counts only tasks that they did not follow yet. The statement
 * that changes the rows of the tasks puts the member into their lists.
 * @param member one for all, or SQL over the task `t`.
 */
export function follow(ws: number, member: number | SQL, selection: TaskSelection): Statement<void>[] {
  const tallies = followedColumns.map((_, bucket) => `${t.bucket} = ${bucket}`);
  return [
    write(sql`
      INSERT INTO ${intoFollowed}
      SELECT ${t.ws}, ${member}, ${t.project}, ${texts(tallies)} FROM ${tasksIn(selection)} AND ${t.ws} = ${ws}
      AND NOT EXISTS (
        SELECT 1 FROM ${f} WHERE ${f.member} = ${member} AND ${f.project} = ${t.project} AND ${f.task} = ${t.id})
      ON CONFLICT (${holder}) DO UPDATE SET ${addExcluded(followedColumns)}`),
    write(sql`
      INSERT OR IGNORE INTO ${into(followers, 'member', 'project', 'task')}
      SELECT ${member}, ${t.project}, ${t.id} FROM ${tasksIn(selection)} AND ${t.ws} = ${ws}`),
  ];
}

/** Ends that a member follows a task, which they do and which is not assigned to them. */
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
