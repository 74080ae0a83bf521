import { type Statement, write } from '../../kernel/sql/database.ts';
import { addExcluded } from '../../kernel/sql/expressions.queries.ts';
import { into, list, sql } from '../../kernel/sql/sql.ts';
import { halfColumns, memberHalves } from '../../schema/cell/counters.ts';
import { NO_DEADLINE } from '../../schema/cell/tasks.ts';
import { taskStatuses } from '../model/tasks.schema.ts';
import { columnInHalf, halfOf } from './day-columns.queries.ts';
import { type Side, type Sign, type States, sideOf } from './states.queries.ts';

/*
 * member_halves holds what a person has to do by a day, and completed on it: a row a person, project and half of a month,
 * and one for all projects (project 0), with a column a day.
 */

const { due, due_hours: dueHours, done, done_hours: doneHours } = halfColumns;
export const memberColumns = [...due, ...dueHours, ...done, ...doneHours] as const;

const COMPLETED = sql.raw(String(taskStatuses.indexOf('completed')));
const key = list(memberHalves, 'ws', 'member', 'project', 'half');

/** Sums `tasks` and `hours` by `slot`: the number of a column of what is due or, negative, of what was done. */
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

/** Whether a side of a state is completed, and the day on which it counts; empty where it does not. */
function dayOf({ status, archived, assignee, due, completed_on: completedOn }: Side) {
  const isDone = sql`${status} = ${COMPLETED}`;
  const day = sql`iif(${isDone}, ${completedOn}, nullif(${due}, ${sql.raw(`'${NO_DEADLINE}'`)}))`;
  return { isDone, day: sql`iif(${archived} = 0 AND ${assignee} > 0, coalesce(${day}, ''), '')` };
}

/**
 * Subtracts each state where it counted and adds it where it will count. Writes a row a person, project and half, however
 * many tasks move there, and none where nothing changes.
 */
export function countDays(states: States, sign: Sign = 1): Statement<void> {
  const [before, after] = [dayOf(sideOf('s', 'old')), dayOf(sideOf('s', 'new'))];
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
  // With the LIMITs a day is looked at once a side; without, in each of the 64 sums.
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
