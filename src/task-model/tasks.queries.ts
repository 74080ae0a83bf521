import { type SQL, sql } from 'drizzle-orm';
import type { Caller } from '../kernel/access.ts';
import { assertUnchanged, firstRow, rows, type Statement } from '../kernel/database.ts';
import { taskVisible } from '../visibility/task-visibility.queries.ts';
import { orderOf } from './task-orders.queries.ts';

/** A task of the list, as the columns of its row. */
export interface TaskRow {
  id: number;
  name: string;
  status: number;
  priority: number;
  archived: number;
  tags: string;
  due: string;
  project_id: number;
  project_name: string;
  assignee_id: string | null;
  assignee_name: string | null;
  assignee_email: string | null;
}

const listColumns = sql`
  t.id AS id, t.name AS name, t.status AS status, t.priority AS priority, t.archived AS archived, t.tags AS tags,
  t.due AS due, p.id AS project_id, p.name AS project_name,
  a.user_id AS assignee_id, a.name AS assignee_name, a.email AS assignee_email`;

/** A task of the list beside what lists are sorted by. */
export type ListedRow = TaskRow & { updated_at: number };

/** The tasks of a page that `pages` or `search` selected. */
export function listTasks(
  pageIds: SQL,
  sort: 'created' | 'due' | 'updated' = 'created',
): Statement<ListedRow[]> {
  const more = sort === 'updated' ? sql`, t.updated_at AS updated_at` : sql``;
  return rows<ListedRow>(sql`
    SELECT ${listColumns}${more} FROM (${pageIds}) page
    CROSS JOIN tasks t ON t.id = page.id
    CROSS JOIN projects p ON p.id = t.project
    LEFT JOIN members a ON a.no = t.assignee
    ORDER BY ${sort === 'created' ? sql`page.id DESC` : orderOf(sort, 't.')}`);
}

export interface TaskDetailRow extends TaskRow {
  description: string | null;
  start_date: string | null;
  scheduled_time: string | null;
  estimated_hours: string | null;
  category_id: number | null;
  category_key: string | null;
  category_value: string | null;
  type_id: number | null;
  type_key: string | null;
  type_value: string | null;
  creator_id: string;
  creator_name: string;
  creator_email: string;
  created_at: number;
  updated_at: number;
}

/** @param id a bound id, or `newestTask` for the one that the same batch inserted. */
export function findTaskDetail(caller: Caller, id: SQL): Statement<TaskDetailRow | null> {
  return firstRow<TaskDetailRow>(sql`
    SELECT ${listColumns}, t.description AS description, t.start_date AS start_date,
      t.scheduled_time AS scheduled_time, t.estimated_hours AS estimated_hours,
      c.id AS category_id, c.key AS category_key, c.value AS category_value,
      y.id AS type_id, y.key AS type_key, y.value AS type_value,
      o.user_id AS creator_id, o.name AS creator_name, o.email AS creator_email,
      t.created_at AS created_at, t.updated_at AS updated_at
    FROM tasks t
    CROSS JOIN projects p ON p.id = t.project
    CROSS JOIN members o ON o.no = t.created_by
    LEFT JOIN members a ON a.no = t.assignee
    LEFT JOIN task_categories c ON c.id = t.category
    LEFT JOIN task_types y ON y.id = t.type
    WHERE t.id = ${id} AND ${taskVisible(caller)}`);
}

export interface PersonRow {
  user_id: string;
  name: string;
  email: string;
}

export function listFollowers(caller: Caller, id: SQL): Statement<PersonRow[]> {
  return rows<PersonRow>(sql`
    SELECT m.user_id AS user_id, m.name AS name, m.email AS email
    FROM followers f INDEXED BY followers_by_task CROSS JOIN active_members m ON m.no = f.member
    WHERE m.ws = ${caller.workspace} AND f.task = ${id} ORDER BY f.member`);
}

/** What a write reads of a task before it changes it. */
export interface TaskState {
  id: number;
  ws: number;
  project: number;
  assignee: number;
  assignee_id: string | null;
  status: number;
  priority: number;
  archived: number;
  name: string;
  description: string | null;
  tags: string;
  start_date: string | null;
  due: string;
  scheduled_time: string | null;
  duration_minutes: number | null;
  category: number | null;
  type: number | null;
  estimated_hours: string | null;
  version: number;
}

export function findTaskState(caller: Caller, id: number): Statement<TaskState | null> {
  return firstRow<TaskState>(sql`
    SELECT t.id AS id, t.ws AS ws, t.project AS project, t.assignee AS assignee, a.user_id AS assignee_id,
      t.status AS status, t.priority AS priority, t.archived AS archived, t.name AS name,
      t.description AS description, t.tags AS tags, t.start_date AS start_date, t.due AS due,
      t.scheduled_time AS scheduled_time, t.duration_minutes AS duration_minutes, t.category AS category, t.type AS type,
      t.estimated_hours AS estimated_hours, t.version AS version
    FROM tasks t LEFT JOIN members a ON a.no = t.assignee
    WHERE t.id = ${id} AND ${taskVisible(caller)}`);
}

const version = sql`t.version || ':' || t.activity_count`;

/** A version that changes with every change and comment of a task; null if the caller does not see the task. */
export function findVersion(caller: Caller, id: number): Statement<{ version: string } | null> {
  return firstRow<{ version: string }>(sql`
    SELECT ${version} AS version FROM tasks t WHERE t.id = ${id} AND ${taskVisible(caller)}`);
}

export function assertVersion(
  caller: Caller,
  id: number,
  found: { version: string } | null,
): Statement<void> {
  return assertUnchanged(sql`
    EXISTS (SELECT 1 FROM tasks t WHERE t.id = ${id} AND ${version} = ${found?.version ?? ''} AND ${taskVisible(caller)})`);
}

/** Undoes the batch unless the caller still sees the task. */
export function assertSeen(caller: Caller, id: number): Statement<void> {
  return assertUnchanged(sql`EXISTS (SELECT 1 FROM tasks t WHERE t.id = ${id} AND ${taskVisible(caller)})`);
}

/** Undoes the batch if the texts have changed since they were read, because the search index is filled from that read. */
export function assertTextsUnchanged(task: TaskState): Statement<void> {
  return assertUnchanged(sql`
    EXISTS (SELECT 1 FROM tasks t WHERE t.id = ${task.id} AND t.ws = ${task.ws} AND t.archived = ${task.archived}
      AND t.name IS ${task.name} AND t.description IS ${task.description})`);
}

/** Undoes the batch unless the caller still sees the task and it is still writable. */
export function assertWritable(caller: Caller, id: number): Statement<void> {
  return assertUnchanged(sql`
    EXISTS (SELECT 1 FROM tasks t WHERE t.id = ${id} AND t.archived = 0 AND ${taskVisible(caller)})`);
}
