import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

const buildCounterColumn = () => integer().notNull().default(0);

type NumberBelow<N extends number, Found extends number[] = []> = Found['length'] extends N
  ? Found[number]
  : NumberBelow<N, [...Found, Found['length']]>;

function listNumbersBelow<N extends number>(end: N) {
  return Array.from({ length: end }, (_, index) => index) as NumberBelow<N>[];
}

function buildColumnNames<P extends string, N extends number>(prefix: P, numbers: readonly N[]) {
  return numbers.map((number) => `${prefix}${number}` as const);
}

function buildCounterColumns<C extends string>(columns: readonly C[]) {
  return Object.fromEntries(columns.map((column) => [column, buildCounterColumn()])) as Record<
    C,
    ReturnType<typeof buildCounterColumn>
  >;
}

export function getColumnAt<C extends string>(columns: readonly C[], index: number): C {
  const column = columns[index];
  if (column === undefined) throw new RangeError(`there is no counter ${index}`);
  return column;
}

/**
 * Number of tasks per combination of archived state, status and priority. A person's row counts only the tasks of which
 * they are the first assignee.
 */
export const bucketColumns = buildColumnNames('bucket', listNumbersBelow(30));
export const followedColumns = buildColumnNames('followed', listNumbersBelow(30));
/** Totals of the unarchived tasks in each status. */
export const statusColumns = {
  /** `past` and `week` count the tasks due before the workspace's `past_cutoff` and `week_cutoff`. */
  past: buildColumnNames('past', listNumbersBelow(5)),
  week: buildColumnNames('week', listNumbersBelow(5)),
  /** In hundredths of an hour. */
  hours: buildColumnNames('hours', listNumbersBelow(5)),
};
/** Number of tasks per status: either those due on a day, or all tasks at the start of a day. */
export const dueColumns = buildColumnNames('status', listNumbersBelow(5));
export const dayColumns = buildColumnNames(
  'day',
  listNumbersBelow(32).filter((day) => day !== 0),
);

const halfMonthDays = listNumbersBelow(17).filter((day) => day !== 0);
/** One column per day of half a month. Column 1 is the first day. */
export const halfMonthColumns = {
  due: buildColumnNames('due', halfMonthDays),
  due_hours: buildColumnNames('due_hours', halfMonthDays),
  done: buildColumnNames('done', halfMonthDays),
  done_hours: buildColumnNames('done_hours', halfMonthDays),
};

/** One row per project (member 0), per person and project, and per person in the workspace (project 0). */
export const taskCounts = sqliteTable(
  'task_counts',
  {
    ws: integer().notNull(),
    member: integer().notNull(),
    project: integer().notNull(),
    ...buildCounterColumns(bucketColumns),
    ...buildCounterColumns(statusColumns.past),
    ...buildCounterColumns(statusColumns.week),
    ...buildCounterColumns(statusColumns.hours),
    past_hours: buildCounterColumn(),
    ...buildCounterColumns(followedColumns),
  },
  (table) => [primaryKey({ columns: [table.ws, table.member, table.project] })],
);

/** Counts tasks with a parent, in one row per project (member 0) and one per person and project. */
export const subtaskCounts = sqliteTable(
  'subtask_counts',
  {
    ws: integer().notNull(),
    member: integer().notNull(),
    project: integer().notNull(),
    ...buildCounterColumns(bucketColumns),
  },
  (table) => [primaryKey({ columns: [table.ws, table.member, table.project] })],
);

/**
 * Counts tasks for the people in `other_assignees`. Each person and project has one row for subtasks (`is_subtask`) and
 * one for other tasks.
 */
export const otherAssigneeCounts = sqliteTable(
  'other_assignee_counts',
  {
    ws: integer().notNull(),
    member: integer().notNull(),
    project: integer().notNull(),
    is_subtask: integer().notNull(),
    ...buildCounterColumns(bucketColumns),
  },
  (table) => [primaryKey({ columns: [table.ws, table.member, table.project, table.is_subtask] })],
);

export const dueDays = sqliteTable(
  'due_days',
  { project: integer().notNull(), day: text().notNull(), ...buildCounterColumns(dueColumns) },
  (table) => [primaryKey({ columns: [table.project, table.day] })],
);

/**
 * Counts unarchived tasks per status at the start of each day, in one row per project and one for the workspace
 * (project 0).
 */
export const flowDays = sqliteTable(
  'flow_days',
  {
    ws: integer().notNull(),
    project: integer().notNull(),
    day: text().notNull(),
    ...buildCounterColumns(dueColumns),
  },
  (table) => [primaryKey({ columns: [table.ws, table.project, table.day] })],
);

export const memberHalfMonths = sqliteTable(
  'member_halves',
  {
    ws: integer().notNull(),
    member: integer().notNull(),
    project: integer().notNull(),
    /** The first day of the half month, which is the 1st or the 16th. */
    half: text().notNull(),
    ...buildCounterColumns(halfMonthColumns.due),
    ...buildCounterColumns(halfMonthColumns.due_hours),
    ...buildCounterColumns(halfMonthColumns.done),
    ...buildCounterColumns(halfMonthColumns.done_hours),
  },
  (table) => [primaryKey({ columns: [table.ws, table.member, table.project, table.half] })],
);

/**
 * Counts comments on unarchived tasks, in one row per month with a column per day, and one row for all time (month '').
 */
export const commentCounts = sqliteTable(
  'comment_counts',
  {
    ws: integer().notNull(),
    member: integer().notNull(),
    project: integer().notNull(),
    month: text().notNull(),
    total: buildCounterColumn(),
    ...buildCounterColumns(dayColumns),
  },
  (table) => [primaryKey({ columns: [table.ws, table.member, table.project, table.month] })],
);
