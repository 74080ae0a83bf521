import { aliasTable, joinColumnNames, type SQL, sql } from '../../kernel/sql/sql.ts';
import { halfMonthColumns, memberHalfMonths } from '../../schema/cell/counters.ts';
import { NO_DEADLINE, tasks } from '../../schema/cell/tasks.ts';
import { halfMonthColumnNames } from '../../tasks/counters/count-changes.queries.ts';
import { buildHalfMonthColumn, buildHalfMonthKey } from '../../tasks/counters/day-columns.queries.ts';
import { completedStatus } from '../../tasks/statuses.queries.ts';
import { createOffenderQuery, type Invariant, selectCounterErrors } from './invariant.queries.ts';

const t = aliasTable(tasks, 't');

const isCompleted = sql`${t.status} = ${completedStatus}`;
const noDeadline = sql.raw(`'${NO_DEADLINE}'`);

function buildNegatedSums(columns: readonly string[], done: 0 | 1, amount: '1' | 'hours'): string[] {
  return columns.map((_, index) => `-sum((done = ${done} AND at = ${index + 1}) * ${amount})`);
}

/** Sorted like `halfMonthColumnNames`. */
const negatedSums = sql.raw(
  [
    ...buildNegatedSums(halfMonthColumns.due, 0, '1'),
    ...buildNegatedSums(halfMonthColumns.due_hours, 0, 'hours'),
    ...buildNegatedSums(halfMonthColumns.done, 1, '1'),
    ...buildNegatedSums(halfMonthColumns.done_hours, 1, 'hours'),
  ].join(', '),
);

function selectCountedDays(condition: SQL): SQL {
  // The LIMIT makes SQLite compute each day once per task, instead of once per sum.
  return sql`
    SELECT assignee, project, done, hours, ${buildHalfMonthKey(sql`day`)} AS half, ${buildHalfMonthColumn(sql`day`)} AS at FROM (
      SELECT ${t.assignee} AS assignee, ${t.project} AS project, ${t.hours} AS hours, ${isCompleted} AS done,
        iif(${isCompleted}, ${t.completed_on}, nullif(${t.due}, ${noDeadline})) AS day
      FROM ${t} WHERE ${condition} AND ${t.ws} > 0 AND ${t.assignee} > 0 AND ${t.archived} = 0)
    WHERE day IS NOT NULL LIMIT -1`;
}

export const memberHalvesInvariant: Invariant = {
  name: 'member_halves match the tasks',
  over: 'projects',
  repairedBy: 'counters',
  offenders: createOffenderQuery((within) =>
    selectCounterErrors(
      'member_halves',
      ['member', 'project', 'half'],
      halfMonthColumnNames,
      sql`SELECT ${memberHalfMonths.member}, ${memberHalfMonths.project}, ${memberHalfMonths.half},
        ${joinColumnNames(memberHalfMonths, ...halfMonthColumnNames)}
        FROM ${memberHalfMonths}
        WHERE ${within(sql`${memberHalfMonths.project}`)} AND ${memberHalfMonths.project} > 0
      UNION ALL
      SELECT assignee, project, half, ${negatedSums} FROM (${selectCountedDays(within(t.project))})
        GROUP BY assignee, project, half`,
    ),
  ),
};
