import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

const counter = () => integer().notNull().default(0);

type Below<N extends number, Found extends number[] = []> = Found['length'] extends N
  ? Found[number]
  : Below<N, [...Found, Found['length']]>;

function below<N extends number>(end: N) {
  return Array.from({ length: end }, (_, index) => index) as Below<N>[];
}

function named<P extends string, N extends number>(prefix: P, numbers: readonly N[]) {
  return numbers.map((number) => `${prefix}${number}` as const);
}

function counters<C extends string>(columns: readonly C[]) {
  return Object.fromEntries(columns.map((column) => [column, counter()])) as Record<
    C,
    ReturnType<typeof counter>
  >;
}

/** The column for a bucket, a status, or another number that begins at 0. */
export function columnAt<C extends string>(columns: readonly C[], index: number): C {
  const column = columns[index];
  if (column === undefined) throw new RangeError(`there is no counter ${index}`);
  return column;
}

/** Tasks of each bucket; of a person, those assigned to them. */
export const bucketColumns = named('bucket', below(30));
/** Tasks of each bucket that the person follows. */
export const followedColumns = named('followed', below(30));
/** Sums over unarchived tasks of each status. */
export const statusColumns = {
  /** Due before the two cutoffs of the workspace. */
  past: named('past', below(5)),
  week: named('week', below(5)),
  /** Hundredths of an hour that they take. */
  hours: named('hours', below(5)),
};
/** Tasks of each status: due on a day, or there as it began. */
export const dueColumns = named('status', below(5));
/** Comments of each day of a month. */
export const dayColumns = named(
  'day',
  below(32).filter((day) => day !== 0),
);

const daysOfHalf = below(17).filter((day) => day !== 0);
/** Of the days of half a month, the first in column 1. */
export const halfColumns = {
  due: named('due', daysOfHalf),
  due_hours: named('due_hours', daysOfHalf),
  done: named('done', daysOfHalf),
  done_hours: named('done_hours', daysOfHalf),
};

/** A row of a project (member 0), of a person in a project, and of a person in the workspace (project 0). */
export const taskCounts = sqliteTable(
  'task_counts',
  {
    ws: integer().notNull(),
    member: integer().notNull(),
    project: integer().notNull(),
    ...counters(bucketColumns),
    ...counters(statusColumns.past),
    ...counters(statusColumns.week),
    ...counters(statusColumns.hours),
    /** Of open tasks that are due before `past_cutoff`. */
    past_hours: counter(),
    ...counters(followedColumns),
  },
  (table) => [primaryKey({ columns: [table.ws, table.member, table.project] })],
);

/** Unarchived tasks that are due on a day, by status. */
export const dueDays = sqliteTable(
  'due_days',
  { project: integer().notNull(), day: text().notNull(), ...counters(dueColumns) },
  (table) => [primaryKey({ columns: [table.project, table.day] })],
);

/** Unarchived tasks of each status as a day began: of a project, and (project 0) of all. */
export const flowDays = sqliteTable(
  'flow_days',
  { ws: integer().notNull(), project: integer().notNull(), day: text().notNull(), ...counters(dueColumns) },
  (table) => [primaryKey({ columns: [table.ws, table.project, table.day] })],
);

/** What a person has to do by a day, and completed on it: tasks and hundredths of an hour. */
export const memberHalves = sqliteTable(
  'member_halves',
  {
    ws: integer().notNull(),
    member: integer().notNull(),
    project: integer().notNull(),
    /** The first day of a half of a month: the 1st or the 16th. */
    half: text().notNull(),
    ...counters(halfColumns.due),
    ...counters(halfColumns.due_hours),
    ...counters(halfColumns.done),
    ...counters(halfColumns.done_hours),
  },
  (table) => [primaryKey({ columns: [table.ws, table.member, table.project, table.half] })],
);

/** Comments of unarchived tasks, ever (month '') or in a month, and on each day of it. */
export const commentCounts = sqliteTable(
  'comment_counts',
  {
    ws: integer().notNull(),
    member: integer().notNull(),
    project: integer().notNull(),
    month: text().notNull(),
    total: counter(),
    ...counters(dayColumns),
  },
  (table) => [primaryKey({ columns: [table.ws, table.member, table.project, table.month] })],
);
