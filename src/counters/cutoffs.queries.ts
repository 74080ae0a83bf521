import { type SQL, sql } from 'drizzle-orm';
import { addDays, nextMonday } from '../kernel/civil.ts';
import { inList, rows, type Statement, write } from '../kernel/database.ts';
import { taskStatuses } from '../task-model/tasks.schema.ts';

/*
 * A workspace has two borders, today and the end of the week. task_counts sums the tasks that are due before each, so that
 * "overdue" and "due this week" read a row a project and the few days between a border and the requested day.
 */

/** The sums of task_counts, a column for each status, and the border in workspaces: the first day that is not summed. */
const borders = { past: 'counted_until', week: 'week_until' } as const;
type Sum = keyof typeof borders;

/** Where the borders belong: today, and the end of the week in a time zone that is a day ahead. */
function bordersOn(today: string): Record<Sum, string> {
  return { past: today, week: nextMonday(addDays(today, 1)) };
}

/** The borders of a workspace: one row with a column `…_until` for each sum. */
export function bordersOfWorkspace(ws: number): SQL {
  const columns = Object.entries(borders).map(([sum, border]) => `bw.${border} AS ${sum}_until`);
  return sql`SELECT ${sql.raw(columns.join(', '))} FROM workspaces bw WHERE bw.no = ${ws}`;
}

/** Moves the borders of some workspaces forward; a repeated or late run changes nothing more. */
export function moveCutoffsOf(workspaces: readonly number[], today: string): Statement<void>[] {
  const until = bordersOn(today);
  return [...moveBorder(workspaces, 'past', until.past), ...moveBorder(workspaces, 'week', until.week)];
}

/** Adds the days that the border passes to its sums: of projects, of people in a project, and of people in all projects. */
function moveBorder(workspaces: readonly number[], sum: Sum, until: string): Statement<void>[] {
  const border = sql.raw(borders[sum]);
  const columns = taskStatuses.map((_, status) => `${sum}${status}`);
  const tallies = taskStatuses.map((_, status) => `sum(status = ${status})`);
  if (sum === 'past') {
    columns.push('past_hours');
    tallies.push(`sum(hours * (status <> ${taskStatuses.indexOf('completed')}))`);
  }
  const added = columns.map((column) => `${column} = ${column} + excluded.${column}`);
  return [
    write(sql`
      INSERT INTO task_counts (ws, member, project, ${sql.raw(columns.join(', '))})
      WITH crossed AS MATERIALIZED (
        SELECT t.ws AS ws, t.project AS project, t.member AS member, t.status AS status, t.hours AS hours
        FROM workspaces bw CROSS JOIN projects p ON p.ws = bw.no CROSS JOIN json_each('[0,1,2,3,4]') each
        CROSS JOIN tasks t INDEXED BY tasks_by_project_due ON t.project = p.id AND t.st = each.value
          AND t.due >= bw.${border} AND t.due < ${until}
        WHERE bw.no IN ${inList(workspaces)})
      SELECT ws, holder, place, ${sql.raw(tallies.join(', '))} FROM (
        SELECT ws, 0 AS holder, project AS place, status, hours FROM crossed
        UNION ALL SELECT ws, member, project, status, hours FROM crossed WHERE member > 0
        UNION ALL SELECT ws, member, 0, status, hours FROM crossed WHERE member > 0)
      WHERE true GROUP BY ws, holder, place
      ON CONFLICT (ws, member, project) DO UPDATE SET ${sql.raw(added.join(', '))}`),
    write(
      sql`UPDATE workspaces SET ${border} = ${until} WHERE no IN ${inList(workspaces)} AND ${border} < ${until}`,
    ),
  ];
}

export function listLateCutoffs(today: string, limit: number): Statement<{ ws: number }[]> {
  return rows<{ ws: number }>(sql`
    SELECT no AS ws FROM workspaces WHERE counted_until < ${today} ORDER BY counted_until LIMIT ${limit}`);
}
