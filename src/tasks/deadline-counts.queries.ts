import { type SQL, sql } from 'drizzle-orm';
import { addDays, nextMonday } from '../kernel/civil.ts';
import { rows, type Statement, write } from '../kernel/database.ts';
import type { CountedPlace } from './counts.queries.ts';
import { taskStatuses } from './tasks.schema.ts';
import { NO_DEADLINE } from './tasks.sql.ts';

/*
 * How many unarchived tasks are due when: due_days holds a row a project and day with a column a status. What is due
 * before either border of the workspace is summed in task_counts as well, so that "overdue" and "due this week" add a
 * row a project and the few days between a border and the day that is asked about.
 */

/** The sums of task_counts, a column a status each, and the border in workspaces: their first day that is not summed. */
const borders = { past: 'counted_until', week: 'week_until' } as const;
type Sum = keyof typeof borders;

/** Where the borders belong: today, and the end of the week of whoever is a day ahead. */
function bordersOn(today: string): Record<Sum, string> {
  return { past: today, week: nextMonday(addDays(today, 1)) };
}

const columnsOf = (sum: string) => taskStatuses.map((_, status) => `${sum}${status}`);
const dayColumns = columnsOf('s');
const list = (columns: readonly string[]) => sql.raw(columns.join(', '));
const addExcluded = (columns: readonly string[]) =>
  sql.raw(columns.map((column) => `${column} = ${column} + excluded.${column}`).join(', '));

export const deadlineSums = (Object.keys(borders) as Sum[]).flatMap(columnsOf);

/** The borders of a workspace: one row, a column `…_until` a sum. */
export function bordersOfWorkspace(ws: number): SQL {
  const columns = Object.entries(borders).map(([sum, border]) => `bw.${border} AS ${sum}_until`);
  return sql`SELECT ${list(columns)} FROM workspaces bw WHERE bw.no = ${ws}`;
}

/** The deadline sums over tasks `t`, which `withBorders` selected. */
export function deadlineTallies(sign: 1 | -1): SQL {
  const tallies = Object.values(borders).flatMap((border) =>
    taskStatuses.map(
      (_, status) => `sum(t.archived = 0 AND t.status = ${status} AND t.due < bw.${border}) * ${sign}`,
    ),
  );
  return list(tallies);
}

/** The selected tasks (FROM and WHERE), each beside the borders `bw` of their workspace. */
export function withBorders(ws: number, selected: SQL): SQL {
  return sql`workspaces bw CROSS JOIN ${selected} AND bw.no = ${ws}`;
}

/** What a task that is due then adds to the sums, as columns and amounts; needs the borders `bw` in its row. */
export function deadlineSteps({ status, archived, due }: CountedPlace): [column: string, amount: SQL][] {
  if (archived === 1 || due === NO_DEADLINE) return [];
  return Object.entries(borders).map(([sum, border]) => [
    `${sum}${status}`,
    sql`(${due} < bw.${sql.raw(border)})`,
  ]);
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

/** The same for the sums before the borders: of their projects and of their assignees. */
export function countDeadlines(ws: number, selected: SQL, sign: 1 | -1): Statement<void> {
  const tallies = deadlineTallies(sign);
  const tasks = withBorders(ws, selected);
  return write(sql`
    INSERT INTO task_counts (ws, member, project, ${list(deadlineSums)})
    SELECT t.ws, 0, t.project, ${tallies} FROM ${tasks} GROUP BY t.ws, t.project
    UNION ALL
    SELECT t.ws, t.member, t.project, ${tallies} FROM ${tasks} AND t.member > 0
    GROUP BY t.ws, t.member, t.project
    ON CONFLICT (ws, member, project) DO UPDATE SET ${addExcluded(deadlineSums)}`);
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

/** Moves the borders of a workspace forward; a repeated or late run changes nothing more. */
export function moveBordersOf(ws: number, today: string): Statement<void>[] {
  const until = bordersOn(today);
  return [...moveBorder(ws, 'past', until.past), ...moveBorder(ws, 'week', until.week)];
}

/** Adds the days in between to the sum of the border. */
function moveBorder(ws: number, sum: Sum, until: string): Statement<void>[] {
  const border = sql.raw(borders[sum]);
  const crossed = sql`
    workspaces bw CROSS JOIN projects p ON p.ws = bw.no CROSS JOIN json_each('[0,1,2,3,4]') each
    CROSS JOIN tasks t INDEXED BY tasks_by_project_due ON t.project = p.id AND t.st = each.value
      AND t.due >= bw.${border} AND t.due < ${until}
    WHERE bw.no = ${ws}`;
  const columns = columnsOf(sum);
  const tallies = list(taskStatuses.map((_, status) => `sum(t.status = ${status})`));
  return [
    write(sql`
      INSERT INTO task_counts (ws, member, project, ${list(columns)})
      SELECT t.ws, 0, t.project, ${tallies} FROM ${crossed} GROUP BY t.ws, t.project
      UNION ALL
      SELECT t.ws, t.member, t.project, ${tallies} FROM ${crossed} AND t.member > 0 GROUP BY t.ws, t.member, t.project
      ON CONFLICT (ws, member, project) DO UPDATE SET ${addExcluded(columns)}`),
    write(sql`UPDATE workspaces SET ${border} = ${until} WHERE no = ${ws} AND ${border} < ${until}`),
  ];
}

export function listLateBorders(today: string, limit: number): Statement<{ ws: number }[]> {
  return rows<{ ws: number }>(sql`
    SELECT no AS ws FROM workspaces WHERE counted_until < ${today} ORDER BY counted_until LIMIT ${limit}`);
}
