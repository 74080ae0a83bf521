import { type SQL, sql } from 'drizzle-orm';
import type { Caller } from '../kernel/access.ts';
import { rows, type Statement } from '../kernel/database.ts';
import { FIRST_ARCHIVED } from '../tasks/buckets.ts';
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

/** Default hours of the workspace: one row of two texts (JSON), since a probe of a table counts as a row a task. */
function defaultHours(caller: Caller): SQL {
  const hoursOf = (table: SQL) => sql`
    (SELECT json_group_object(id, default_estimated_hours) FROM ${table} WHERE ws = ${caller.workspace})`;
  return sql`SELECT ${hoursOf(sql`task_types`)} AS types, ${hoursOf(sql`task_categories`)} AS categories`;
}

const hoursOfTask = sql`coalesce(
  CAST(t.estimated_hours AS REAL),
  (SELECT types FROM default_hours) ->> CAST(t.type AS TEXT),
  (SELECT categories FROM default_hours) ->> CAST(t.category AS TEXT),
  1)`;

/**
 * People of the role's scope who have an active task, and those who are named in `assigneeId`. The counters say in which
 * projects a person has tasks; person by person and project by project each task is read once. Grouped by the key of
 * `members`, the people come in order and nothing is sorted, which would read every task again.
 */
export function listWorkloads(
  caller: Caller,
  filter: ScopeFilter,
  window: WorkloadWindow,
): Statement<WorkloadRow[]> {
  const everyone = seesEveryProject(caller) ? sql`true` : sql`m.no IN (SELECT no FROM seen_people)`;
  const pickedOnly = picksPeople(filter) ? sql`AND m.no IN (SELECT no FROM picked)` : sql``;
  const isNamed = filter.assigneeId ? sql`true` : sql`false`;
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
  const count = (condition: SQL) => sql`count(*) FILTER (WHERE ${condition})`;
  const hours = (condition: SQL) => sql`coalesce(sum(${hoursOfTask}) FILTER (WHERE ${condition}), 0)`;
  const sums = rowsOf.map(
    ([name, condition]) => sql`
      ${count(condition)} AS ${sql.raw(name)}, ${hours(condition)} AS ${sql.raw(`${name}_hours`)}`,
  );
  return rows<WorkloadRow>(sql`
    WITH RECURSIVE ${scopeTables(caller, filter)},
    people (no) AS MATERIALIZED (
      SELECT m.no FROM members m WHERE m.ws = ${caller.workspace} AND ${everyone} ${pickedOnly}),
    default_hours AS MATERIALIZED (${defaultHours(caller)})
    SELECT m.user_id AS user_id, m.name AS name, m.email AS email, m.image AS image,
      ${count(isOpen)} AS active, ${hours(isDue)} AS planned_hours, ${sql.join(sums, sql`, `)}
    FROM members m
    LEFT JOIN task_counts tc
      ON tc.ws = ${caller.workspace} AND tc.member = m.no AND ${inProjectFilter(filter, sql`tc.project`)}
    LEFT JOIN tasks t INDEXED BY tasks_by_project_member
      ON t.project = tc.project AND t.member = tc.member AND t.k < ${sql.raw(String(FIRST_ARCHIVED))}
    WHERE m.no IN (SELECT no FROM people)
    GROUP BY m.no HAVING active > 0 OR ${isNamed}
    ORDER BY m.name COLLATE NOCASE, m.user_id`);
}
