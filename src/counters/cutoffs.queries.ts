import { type SQL, sql } from 'drizzle-orm';
import { addDays, nextMonday } from '../kernel/civil.ts';
import { inList, rows, type Statement, write } from '../kernel/database.ts';
import { taskStatuses } from '../task-model/tasks.schema.ts';

/*
 * A workspace has two cutoffs, today and the end of the week. task_counts sums the tasks that are due before each, so that
 * "overdue" and "due this week" read a row a project and the few days between a cutoff and the requested day.
 */

/** The sums of task_counts, a column for each status, and the cutoff in workspaces: the first day that is not summed. */
const cutoffs = { past: 'past_cutoff', week: 'week_cutoff' } as const;
type Sum = keyof typeof cutoffs;

/** Where the cutoffs belong: today, and the end of the week in a time zone that is a day ahead. */
function cutoffsOn(today: string): Record<Sum, string> {
  return { past: today, week: nextMonday(addDays(today, 1)) };
}

/** The cutoffs of a workspace, in one row. */
export function cutoffsOfWorkspace(ws: number): SQL {
  const columns = Object.values(cutoffs).map((cutoff) => `bw.${cutoff} AS ${cutoff}`);
  return sql`SELECT ${sql.raw(columns.join(', '))} FROM workspaces bw WHERE bw.no = ${ws}`;
}

/** Moves the cutoffs of some workspaces forward; a repeated or late run changes nothing more. */
export function moveCutoffsOf(workspaces: readonly number[], today: string): Statement<void>[] {
  const until = cutoffsOn(today);
  return [...moveCutoff(workspaces, 'past', until.past), ...moveCutoff(workspaces, 'week', until.week)];
}

/** Adds the days that the cutoff passes to its sums: of projects, of people in a project, and of people in all projects. */
function moveCutoff(workspaces: readonly number[], sum: Sum, until: string): Statement<void>[] {
  const cutoff = sql.raw(cutoffs[sum]);
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
        SELECT t.ws AS ws, t.project AS project, t.assignee AS assignee, t.status AS status, t.hours AS hours
        FROM workspaces bw CROSS JOIN projects p ON p.ws = bw.no CROSS JOIN json_each('[0,1,2,3,4]') each
        CROSS JOIN tasks t INDEXED BY tasks_by_project_due ON t.project = p.id AND t.archived_status = each.value
          AND t.due >= bw.${cutoff} AND t.due < ${until}
        WHERE bw.no IN ${inList(workspaces)})
      SELECT ws, holder, place, ${sql.raw(tallies.join(', '))} FROM (
        SELECT ws, 0 AS holder, project AS place, status, hours FROM crossed
        UNION ALL SELECT ws, assignee, project, status, hours FROM crossed WHERE assignee > 0
        UNION ALL SELECT ws, assignee, 0, status, hours FROM crossed WHERE assignee > 0)
      WHERE true GROUP BY ws, holder, place
      ON CONFLICT (ws, member, project) DO UPDATE SET ${sql.raw(added.join(', '))}`),
    write(
      sql`UPDATE workspaces SET ${cutoff} = ${until} WHERE no IN ${inList(workspaces)} AND ${cutoff} < ${until}`,
    ),
  ];
}

export function listLateCutoffs(today: string, limit: number): Statement<{ ws: number }[]> {
  return rows<{ ws: number }>(sql`
    SELECT no AS ws FROM workspaces WHERE past_cutoff < ${today} ORDER BY past_cutoff LIMIT ${limit}`);
}
