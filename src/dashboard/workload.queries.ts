import { type SQL, sql } from 'drizzle-orm';
import type { Caller } from '../kernel/access.ts';
import { rows, type Statement } from '../kernel/database.ts';
import { taskStatuses } from '../tasks/tasks.schema.ts';
import {
  inProjectFilter,
  picksPeople,
  type ScopeFilter,
  scopeTables,
  seesEveryProject,
} from './scope.queries.ts';

export interface WorkloadWindow {
  from: string;
  to: string;
  today: string;
}

/** A person and, in each of the six rows, how many tasks and hours; `hours` is a column name and its sum. */
export interface WorkloadRow {
  user_id: string;
  name: string;
  email: string;
  image: string | null;
  active: number;
  planned_hours: number;
  overdue: number;
  overdue_hours: number;
  due: number;
  due_hours: number;
  in_progress: number;
  in_progress_hours: number;
  internal_review: number;
  internal_review_hours: number;
  client_review: number;
  client_review_hours: number;
  completed: number;
  completed_hours: number;
}

const status = (name: (typeof taskStatuses)[number]) => sql.raw(String(taskStatuses.indexOf(name)));

/** People of the role's scope who have an active task, and those who are named in `assigneeId`. */
export function listWorkloads(
  caller: Caller,
  filter: ScopeFilter,
  window: WorkloadWindow,
): Statement<WorkloadRow[]> {
  const everyone = seesEveryProject(caller) ? sql`true` : sql`m.no IN (SELECT no FROM seen_people)`;
  const pickedOnly = picksPeople(filter) ? sql`AND m.no IN (SELECT no FROM picked)` : sql``;
  const isOpen = sql`t.status <> ${status('completed')}`;
  const isDue = sql`${isOpen} AND t.due >= ${window.from} AND t.due <= ${window.to}`;
  const rowsOf: [string, SQL][] = [
    ['overdue', sql`${isOpen} AND t.due < ${window.today}`],
    ['due', isDue],
    ['in_progress', sql`t.status = ${status('in_progress')}`],
    ['internal_review', sql`t.status = ${status('internal_review')}`],
    ['client_review', sql`t.status = ${status('client_review')}`],
    [
      'completed',
      sql`t.status = ${status('completed')} AND t.completed_on >= ${window.from} AND t.completed_on <= ${window.to}`,
    ],
  ];
  const sums = rowsOf.map(
    ([name, condition]) => sql`
      count(t.id) FILTER (WHERE ${condition}) AS ${sql.raw(name)},
      coalesce(sum(t.hours) FILTER (WHERE ${condition}), 0) AS ${sql.raw(`${name}_hours`)}`,
  );
  return rows<WorkloadRow>(sql`
    WITH RECURSIVE ${scopeTables(caller, filter)},
    people (no, is_named) AS MATERIALIZED (
      SELECT m.no, ${filter.assigneeId ? sql`true` : sql`false`} FROM members m
      WHERE m.ws = ${caller.workspace} AND ${everyone} ${pickedOnly})
    SELECT m.user_id AS user_id, m.name AS name, m.email AS email, m.image AS image,
      count(t.id) FILTER (WHERE ${isOpen}) AS active,
      coalesce(sum(t.hours) FILTER (WHERE ${isDue}), 0) AS planned_hours,
      ${sql.join(sums, sql`, `)}
    FROM people CROSS JOIN members m ON m.no = people.no
    LEFT JOIN (
      SELECT t.id AS id, t.member AS member, t.status AS status, t.due AS due, t.completed_on AS completed_on,
        coalesce(CAST(t.estimated_hours AS REAL), y.default_estimated_hours, c.default_estimated_hours, 1) AS hours
      FROM people tp CROSS JOIN tasks t INDEXED BY tasks_by_member ON t.member = tp.no
      LEFT JOIN task_types y ON y.id = t.type
      LEFT JOIN task_categories c ON c.id = t.category
      WHERE t.ws = ${caller.workspace} AND t.archived = 0
        AND (${isOpen} OR (t.completed_on >= ${window.from} AND t.completed_on <= ${window.to}))
        AND ${inProjectFilter(filter, sql`t.project`)}
    ) t ON t.member = m.no
    GROUP BY m.no HAVING active > 0 OR people.is_named
    ORDER BY m.name COLLATE NOCASE, m.user_id`);
}
