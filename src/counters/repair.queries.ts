import { sql } from 'drizzle-orm';
import { rows, type Statement, write } from '../kernel/database.ts';
import { idsOf, tasksOfProject } from '../task-model/selection.queries.ts';
import {
  countColumns as commentColumns,
  dropCommentCounts,
  placeComments,
  recountProjectComments,
  sumAssigneeComments,
} from './comment-counts.queries.ts';
import { assignedColumns, countTasks, memberDayColumns } from './count-changes.queries.ts';

export interface ProjectKey {
  id: number;
  ws: number;
}

/** The next projects of the cell, by id. */
export function listProjects(after: number, limit: number): Statement<ProjectKey[]> {
  return rows<ProjectKey>(sql`SELECT id, ws FROM projects WHERE id > ${after} ORDER BY id LIMIT ${limit}`);
}

type CounterRow = Record<string, number>;

export function taskCounters(project: ProjectKey): Statement<CounterRow[]> {
  return rows<CounterRow>(sql`
    SELECT * FROM task_counts WHERE ws = ${project.ws} AND project = ${project.id} ORDER BY member`);
}

export function dueDays(project: ProjectKey): Statement<CounterRow[]> {
  return rows<CounterRow>(sql`SELECT * FROM due_days WHERE project = ${project.id} ORDER BY day`);
}

export function memberDays(project: ProjectKey): Statement<CounterRow[]> {
  return rows<CounterRow>(sql`
    SELECT d.* FROM members m CROSS JOIN member_days d ON d.ws = m.ws AND d.member = m.no AND d.project = ${project.id}
    WHERE m.ws = ${project.ws} ORDER BY d.member, d.day`);
}

export function commentCounters(project: ProjectKey): Statement<CounterRow[]> {
  return rows<CounterRow>(sql`
    SELECT * FROM comment_counts WHERE ws = ${project.ws} AND project = ${project.id}
    AND member IN (SELECT 0 UNION ALL SELECT no FROM members WHERE ws = ${project.ws}) ORDER BY member, month`);
}

/** Recounts the project in one transaction with the reads before and after, so that no write comes in between. */
export function recount(project: ProjectKey): Statement<void>[] {
  return [
    ...dropTaskCounts(project),
    ...countTasks(project.ws, tasksOfProject(project.id)),
    ...recountProjectComments(project),
  ];
}

/** Deletes the counters of a project, and subtracts them from the sums of people over all projects. */
function dropTaskCounts(project: ProjectKey): Statement<void>[] {
  const { ws, id } = project;
  const members = sql`(SELECT no FROM members WHERE ws = ${ws})`;
  return [
    takeFromTotals('task_counts', [], assignedColumns, project),
    takeFromTotals('member_days', ['day'], memberDayColumns, project),
    write(sql`DELETE FROM task_counts WHERE ws = ${ws} AND project = ${id}`),
    write(sql`DELETE FROM member_days WHERE ws = ${ws} AND member IN ${members} AND project = ${id}`),
    write(sql`DELETE FROM due_days WHERE project = ${id}`),
  ];
}

/** The same with the comments, for a project that is deleted. */
export function dropProjectCounts(project: ProjectKey): Statement<void>[] {
  return [
    ...dropTaskCounts(project),
    takeFromTotals('comment_counts', ['month'], commentColumns, project),
    dropCommentCounts(project),
  ];
}

function takeFromTotals(
  table: string,
  keys: readonly string[],
  columns: readonly string[],
  { ws, id }: ProjectKey,
): Statement<void> {
  const list = (each: (column: string) => string, of = columns) => of.map(each).join(', ');
  const key = ['ws', 'member', 'project', ...keys];
  return write(sql`
    INSERT INTO ${sql.raw(table)} (${sql.raw([...key, ...columns].join(', '))})
    SELECT ${sql.raw(['c.ws', 'c.member', '0', ...keys.map((each) => `c.${each}`)].join(', '))},
      ${sql.raw(list((column) => `-c.${column}`))}
    FROM members m CROSS JOIN ${sql.raw(table)} c ON c.ws = m.ws AND c.member = m.no AND c.project = ${id}
    WHERE m.ws = ${ws}
    ON CONFLICT (${sql.raw(key.join(', '))}) DO UPDATE SET
      ${sql.raw(list((column) => `${column} = ${column} + excluded.${column}`))}`);
}

export interface MemberKey {
  no: number;
  ws: number;
}

/** The next members of the cell, by number. */
export function listMembers(after: number, limit: number): Statement<MemberKey[]> {
  return rows<MemberKey>(sql`SELECT no, ws FROM members WHERE no > ${after} ORDER BY no LIMIT ${limit}`);
}

export function memberTotals({ ws, no }: MemberKey): [Statement<CounterRow[]>, Statement<CounterRow[]>] {
  const own = sql`WHERE ws = ${ws} AND member = ${no} AND project = 0`;
  return [
    rows<CounterRow>(sql`SELECT * FROM task_counts ${own}`),
    rows<CounterRow>(sql`SELECT * FROM member_days ${own} ORDER BY day`),
  ];
}

/** Recomputes the sums of a person over their projects. */
export function recountMember({ ws, no }: MemberKey): Statement<void>[] {
  const sums = (columns: readonly string[]) => sql.raw(columns.map((column) => `sum(${column})`).join(', '));
  const names = (columns: readonly string[]) => sql.raw(columns.join(', '));
  const own = sql`WHERE ws = ${ws} AND member = ${no}`;
  return [
    write(sql`DELETE FROM task_counts ${own} AND project = 0`),
    write(sql`
      INSERT INTO task_counts (ws, member, project, ${names(assignedColumns)})
      SELECT ws, member, 0, ${sums(assignedColumns)} FROM task_counts ${own} AND project > 0 GROUP BY ws, member`),
    write(sql`DELETE FROM member_days ${own} AND project = 0`),
    write(sql`
      INSERT INTO member_days (ws, member, project, day, ${names(memberDayColumns)})
      SELECT ws, member, 0, day, ${sums(memberDayColumns)} FROM member_days ${own} AND project > 0
      GROUP BY ws, member, day`),
  ];
}

/** Of the task `t`. */
const entriesOf = sql`(
  SELECT coalesce(sum(e.entries), 0) FROM events e INDEXED BY events_by_task WHERE e.task = t.id AND e.entries > 0)`;

/** Repairs the two counts that every task stores; answers the tasks that were wrong. */
export function mendTaskTotals(project: ProjectKey): Statement<{ id: number }[]> {
  return rows<{ id: number }>(sql`
    UPDATE tasks AS t INDEXED BY tasks_by_project SET
      comment_count = (SELECT count(*) FROM comments c WHERE c.task = t.id),
      activity_count = ${entriesOf}
    WHERE t.project = ${project.id} AND (
      t.comment_count <> (SELECT count(*) FROM comments c WHERE c.task = t.id)
      OR t.activity_count <> ${entriesOf})
    RETURNING id`);
}

/** Gives the comments of a project the values of their tasks before counting; answers those that had others. */
export function mendCommentPlaces(project: ProjectKey): Statement<{ id: number }[]> {
  return placeComments(idsOf(tasksOfProject(project.id)));
}

export function assigneeCounters(ws: number): Statement<CounterRow[]> {
  return rows<CounterRow>(sql`
    SELECT * FROM comment_counts WHERE ws = ${ws} AND member > 0 AND project = 0 ORDER BY member, month`);
}

export function recountAssignees(ws: number): Statement<void>[] {
  return sumAssigneeComments(ws);
}
