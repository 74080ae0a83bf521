import { sql } from 'drizzle-orm';
import { number, rows, type Statement, write } from '../kernel/database.ts';
import { countFollows, countTasks } from './counts.queries.ts';
import { countDueDays } from './deadline-counts.queries.ts';
import { tasksOfProject } from './selection.queries.ts';

export interface ProjectKey {
  id: number;
  ws: number;
}

export function countProjects(): Statement<number> {
  return number(sql`SELECT count(*) AS total FROM projects`);
}

export function listProjects(limit: number, offset: number): Statement<ProjectKey[]> {
  return rows<ProjectKey>(sql`SELECT id, ws FROM projects ORDER BY id LIMIT ${limit} OFFSET ${offset}`);
}

type CounterRow = Record<string, number>;

const membersOf = (project: ProjectKey) => sql`(SELECT no FROM members WHERE ws = ${project.ws})`;

export function taskCounters(project: ProjectKey): Statement<CounterRow[]> {
  return rows<CounterRow>(sql`
    SELECT * FROM task_counts WHERE ws = ${project.ws} AND project = ${project.id} ORDER BY member`);
}

export function followCounters(project: ProjectKey): Statement<CounterRow[]> {
  return rows<CounterRow>(sql`
    SELECT * FROM follow_counts WHERE member IN ${membersOf(project)} AND project = ${project.id} ORDER BY member`);
}

export function dueDays(project: ProjectKey): Statement<CounterRow[]> {
  return rows<CounterRow>(sql`SELECT * FROM due_days WHERE project = ${project.id} ORDER BY day`);
}

/** Counts the project anew; in one transaction with the reads before and after, so that no write slips between. */
export function recount(project: ProjectKey): Statement<void>[] {
  return [
    write(sql`DELETE FROM task_counts WHERE ws = ${project.ws} AND project = ${project.id}`),
    countTasks(project.ws, tasksOfProject(project.id)),
    write(sql`DELETE FROM follow_counts WHERE member IN ${membersOf(project)} AND project = ${project.id}`),
    countFollows(tasksOfProject(project.id)),
    write(sql`DELETE FROM due_days WHERE project = ${project.id}`),
    countDueDays(tasksOfProject(project.id)),
  ];
}

/** Mends the two counts that every task keeps; answers the tasks that were wrong. */
export function mendTaskTotals(project: ProjectKey): Statement<{ id: number }[]> {
  return rows<{ id: number }>(sql`
    UPDATE tasks AS t INDEXED BY tasks_by_project SET
      comment_count = (SELECT count(*) FROM comments c WHERE c.task = t.id),
      activity_count = (SELECT count(*) FROM activities a WHERE a.task = t.id)
    WHERE t.project = ${project.id} AND (
      t.comment_count <> (SELECT count(*) FROM comments c WHERE c.task = t.id)
      OR t.activity_count <> (SELECT count(*) FROM activities a WHERE a.task = t.id))
    RETURNING id`);
}
