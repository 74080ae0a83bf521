import { type SQL, sql } from 'drizzle-orm';
import { rows, type Statement, write } from '../kernel/database.ts';
import type { CountedPlace } from './counts.queries.ts';
import { taskStatuses } from './tasks.schema.ts';
import { NO_DEADLINE } from './tasks.sql.ts';

/*
 * How many unarchived tasks are due when: due_days holds a row a project and day with a column a status; the days
 * before the border of the workspace (`counted_until`) are summed in task_counts.past0 to past4 as well, so that
 * "overdue" adds one row a project and the few days since.
 */

const dayColumns = taskStatuses.map((_, status) => `s${status}`);
const pastColumns = taskStatuses.map((_, status) => `past${status}`);
const list = (columns: readonly string[]) => sql.raw(columns.join(', '));
const addExcluded = (columns: readonly string[]) =>
  sql.raw(columns.map((column) => `${column} = ${column} + excluded.${column}`).join(', '));

/** First day that is not yet summed. */
export function borderOf(ws: number): SQL {
  return sql`(SELECT bw.counted_until FROM workspaces bw WHERE bw.no = ${ws})`;
}

/** Sums for past0 to past4 over tasks `t`. */
export function pastTallies(ws: number, sign: 1 | -1): SQL {
  const tally = (status: number) =>
    sql`sum(t.archived = 0 AND t.status = ${sql.raw(String(status))} AND t.due < ${borderOf(ws)}) * ${sql.raw(String(sign))}`;
  return sql.join(
    taskStatuses.map((_, status) => tally(status)),
    sql`, `,
  );
}

/** Adds the deadlines of the selected tasks (FROM and WHERE) to due_days, or takes them away. */
export function countDueDays(selected: SQL, sign: 1 | -1 = 1): Statement<void> {
  const tallies = sql.raw(taskStatuses.map((_, status) => `sum(t.status = ${status}) * ${sign}`).join(', '));
  return write(sql`
    INSERT INTO due_days (project, day, ${list(dayColumns)})
    SELECT t.project, t.due, ${tallies} FROM ${selected} AND t.archived = 0 AND t.due <> ${NO_DEADLINE}
    GROUP BY t.project, t.due
    ON CONFLICT (project, day) DO UPDATE SET ${addExcluded(dayColumns)}`);
}

/** The same for the sums before the border: of their projects and of their assignees. */
export function countPast(ws: number, selected: SQL, sign: 1 | -1): Statement<void> {
  const tallies = pastTallies(ws, sign);
  return write(sql`
    INSERT INTO task_counts (ws, member, project, ${list(pastColumns)})
    SELECT t.ws, 0, t.project, ${tallies} FROM ${selected} GROUP BY t.ws, t.project
    UNION ALL
    SELECT t.ws, t.member, t.project, ${tallies} FROM ${selected} AND t.member > 0
    GROUP BY t.ws, t.member, t.project
    ON CONFLICT (ws, member, project) DO UPDATE SET ${addExcluded(pastColumns)}`);
}

/** Moves one task between days, statuses, or in and out of the archive. */
export function moveDueDay(from: CountedPlace, to: CountedPlace): Statement<void>[] {
  const change = (place: CountedPlace, amount: 1 | -1) => {
    if (place.archived === 1 || place.due === NO_DEADLINE) return [];
    const column = sql.raw(`s${place.status}`);
    return [
      write(sql`
        INSERT INTO due_days (project, day, ${column}) VALUES (${place.project}, ${place.due}, ${amount})
        ON CONFLICT (project, day) DO UPDATE SET ${column} = ${column} + ${amount}`),
    ];
  };
  const staysThatDay =
    from.due === to.due && from.archived === 0 && to.archived === 0 && from.due !== NO_DEADLINE;
  if (!staysThatDay) return [...change(from, -1), ...change(to, 1)];
  const [left, entered] = [`s${from.status}`, `s${to.status}`];
  return [
    write(sql`
      UPDATE due_days SET ${sql.raw(`${left} = ${left} - 1, ${entered} = ${entered} + 1`)}
      WHERE project = ${from.project} AND day = ${from.due}`),
  ];
}

/** Moves the border of a workspace forward, adding the days in between; a repeated or late run changes nothing more. */
export function moveBorder(ws: number, until: string): Statement<void>[] {
  const crossed = sql`
    projects p CROSS JOIN json_each('[0,1,2,3,4]') each
    CROSS JOIN tasks t INDEXED BY tasks_by_project_due ON t.project = p.id AND t.st = each.value
      AND t.due >= ${borderOf(ws)} AND t.due < ${until}
    WHERE p.ws = ${ws}`;
  const tallies = sql.raw(taskStatuses.map((_, status) => `sum(t.status = ${status})`).join(', '));
  return [
    write(sql`
      INSERT INTO task_counts (ws, member, project, ${list(pastColumns)})
      SELECT t.ws, 0, t.project, ${tallies} FROM ${crossed} GROUP BY t.ws, t.project
      UNION ALL
      SELECT t.ws, t.member, t.project, ${tallies} FROM ${crossed} AND t.member > 0 GROUP BY t.ws, t.member, t.project
      ON CONFLICT (ws, member, project) DO UPDATE SET ${addExcluded(pastColumns)}`),
    write(sql`UPDATE workspaces SET counted_until = ${until} WHERE no = ${ws} AND counted_until < ${until}`),
  ];
}

export function listLateBorders(today: string, limit: number): Statement<{ ws: number }[]> {
  return rows<{ ws: number }>(sql`
    SELECT no AS ws FROM workspaces WHERE counted_until < ${today} ORDER BY counted_until LIMIT ${limit}`);
}
