import { type SQL, sql } from 'drizzle-orm';
import type { Actor, Caller } from '../kernel/access.ts';
import { wallClock } from '../kernel/civil.ts';
import { assertUnchanged, firstRow, rows, type Statement, write } from '../kernel/database.ts';
import { projectVisible } from '../projects/visibility.queries.ts';
import { memberNumber } from './counts.queries.ts';
import { fold } from './fold.ts';
import { taskStatuses } from './tasks.schema.ts';
import { taskVisible } from './visibility.queries.ts';

/** A task of the list, as its columns come. */
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

/** The tasks of a page that `pages` or `search` selected. */
export function listTasks(pageIds: SQL): Statement<TaskRow[]> {
  return rows<TaskRow>(sql`
    SELECT ${listColumns} FROM (${pageIds}) page
    CROSS JOIN tasks t ON t.id = page.id
    CROSS JOIN projects p ON p.id = t.project
    LEFT JOIN members a ON a.no = t.member
    ORDER BY page.id DESC`);
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
    LEFT JOIN members a ON a.no = t.member
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
    FROM followers f INDEXED BY followers_by_task CROSS JOIN members m ON m.no = f.member
    WHERE m.ws = ${caller.workspace} AND f.task = ${id} ORDER BY f.member`);
}

/** What a write needs to know of a task before it changes it. */
export interface TaskState {
  id: number;
  ws: number;
  project: number;
  member: number;
  assignee_id: string | null;
  status: number;
  priority: number;
  archived: number;
  name: string;
  description: string | null;
  tags: string;
  start_date: string | null;
  due: string;
  duration_minutes: number | null;
  category: number | null;
  type: number | null;
  estimated_hours: string | null;
  version: number;
}

export function findTaskState(caller: Caller, id: number): Statement<TaskState | null> {
  return firstRow<TaskState>(sql`
    SELECT t.id AS id, t.ws AS ws, t.project AS project, t.member AS member, a.user_id AS assignee_id,
      t.status AS status, t.priority AS priority, t.archived AS archived, t.name AS name,
      t.description AS description, t.tags AS tags, t.start_date AS start_date, t.due AS due,
      t.duration_minutes AS duration_minutes, t.category AS category, t.type AS type,
      t.estimated_hours AS estimated_hours, t.version AS version
    FROM tasks t LEFT JOIN members a ON a.no = t.member
    WHERE t.id = ${id} AND ${taskVisible(caller)}`);
}

const version = sql`t.version || ':' || t.activity_count`;

/** Changes with every change of a task and every comment; null where the caller does not see it. */
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

/** The project of a task, null where the caller sees the task alone or neither. */
export function findProjectOfTask(caller: Caller, id: number): Statement<{ id: number } | null> {
  return firstRow<{ id: number }>(sql`
    SELECT t.project AS id FROM tasks t
    WHERE t.id = ${id} AND t.ws = ${caller.workspace} AND ${projectVisible(caller, sql`t.project`)}`);
}

/** The number of a member of the workspace, null for anyone else. */
export function findMember(caller: Caller, userId: string): Statement<{ no: number } | null> {
  return firstRow<{ no: number }>(sql`
    SELECT mn.no AS no FROM members mn WHERE mn.ws = ${caller.workspace} AND mn.user_id = ${userId}`);
}

export interface TaskPlace {
  project: number | null;
  member: number | null;
  category: number | null;
  type_category: number | null;
}

/** Resolves what a new task refers to; null for whatever does not exist in the workspace or is not visible. */
export function findTaskPlace(
  caller: Caller,
  ids: {
    projectId: number;
    assigneeId?: string | null | undefined;
    categoryId?: number | null | undefined;
    typeId?: number | null | undefined;
  },
): Statement<TaskPlace | null> {
  const ws = caller.workspace;
  return firstRow<TaskPlace>(sql`
    SELECT (SELECT p.id FROM projects p WHERE p.ws = ${ws} AND p.id = ${ids.projectId} AND ${projectVisible(caller, sql`p.id`)}) AS project,
      ${memberNumber(caller, ids.assigneeId ?? '')} AS member,
      (SELECT c.id FROM task_categories c WHERE c.ws = ${ws} AND c.id = ${ids.categoryId ?? null}) AS category,
      (SELECT y.category FROM task_types y WHERE y.ws = ${ws} AND y.id = ${ids.typeId ?? null}) AS type_category`);
}

/** Undoes the batch unless the caller still sees the project and the assignee is still a member. */
export function assertPlace(caller: Caller, project: number, member: number): Statement<void> {
  const assignee =
    member > 0
      ? sql`AND EXISTS (SELECT 1 FROM members am WHERE am.no = ${member} AND am.ws = ${caller.workspace})`
      : sql``;
  return assertUnchanged(sql`
    EXISTS (SELECT 1 FROM projects p WHERE p.ws = ${caller.workspace} AND p.id = ${project}
      AND ${projectVisible(caller, sql`p.id`)}) ${assignee}`);
}

/** Undoes the batch unless the caller still sees the task and it is still writable. */
export function assertWritable(caller: Caller, id: number): Statement<void> {
  return assertUnchanged(sql`
    EXISTS (SELECT 1 FROM tasks t WHERE t.id = ${id} AND t.archived = 0 AND ${taskVisible(caller)})`);
}

/** A task to be, as the columns that a writer chooses. */
export interface TaskDraft {
  project: number;
  member: number;
  status: number;
  priority: number;
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
}

/** The task that the same batch inserted last. (`last_insert_rowid()` would answer any later insert's.) */
export const newestTask = sql`(SELECT max(id) FROM tasks)`;

/*
 * Which tasks `t` a statement is about, as its FROM and WHERE. The access path stands with the condition, since
 * grouping would tempt the planner into walking a whole index.
 */

/** The last `count` tasks, which the same batch inserted. */
export function newTasks(count: number): SQL {
  return sql`tasks t NOT INDEXED WHERE t.id > (SELECT max(id) FROM tasks) - ${count}`;
}

export function idOf(task: number): SQL {
  return sql`${task}`;
}

export function oneTask(id: number): SQL {
  return sql`tasks t NOT INDEXED WHERE t.id = ${id}`;
}

export function tasksOfProject(project: number): SQL {
  return sql`tasks t INDEXED BY tasks_by_project WHERE t.project = ${project}`;
}

export function insertTasks(actor: Actor, drafts: readonly TaskDraft[], now: number): Statement<void> {
  const today = wallClock(now, actor.timezone).date;
  const tasks = drafts.map((draft) => ({
    ...draft,
    name_key: fold(draft.name),
    completed_on: completedOn(draft.status, today),
  }));
  const value = (name: keyof (typeof tasks)[number]) => sql.raw(`json_extract(d.value, '$.${name}')`);
  return write(sql`
    INSERT INTO tasks (ws, project, member, status, priority, name, description, tags, start_date, due,
      scheduled_time, duration_minutes, category, type, estimated_hours, name_key, completed_on,
      activity_count, created_by, created_at, updated_at)
    SELECT ${actor.workspace}, ${value('project')}, ${value('member')}, ${value('status')}, ${value('priority')},
      ${value('name')}, ${value('description')}, ${value('tags')}, ${value('start_date')}, ${value('due')},
      ${value('scheduled_time')}, ${value('duration_minutes')}, ${value('category')}, ${value('type')},
      ${value('estimated_hours')}, ${value('name_key')}, ${value('completed_on')}, 1, ${actor.member}, ${now}, ${now}
    FROM json_each(${JSON.stringify(tasks)}) d ORDER BY d.key`);
}

/** Creator and assignee follow a new task; a copy also keeps the followers of its original. */
export function followNewTasks(count: number, copiedFrom?: number): Statement<void> {
  const carried =
    copiedFrom === undefined
      ? sql``
      : sql`UNION SELECT f.member, t.project, t.id FROM (SELECT t.id, t.project FROM ${newTasks(count)}) t
          CROSS JOIN followers f INDEXED BY followers_by_task ON f.task = ${copiedFrom}`;
  return write(sql`
    INSERT INTO followers (member, project, task)
    SELECT t.created_by, t.project, t.id FROM ${newTasks(count)}
    UNION SELECT t.member, t.project, t.id FROM ${newTasks(count)} AND t.member > 0
    ${carried}`);
}

/** Columns that a change may set. */
export type TaskChanges = Partial<
  Pick<
    TaskState,
    | 'member'
    | 'status'
    | 'priority'
    | 'archived'
    | 'name'
    | 'description'
    | 'start_date'
    | 'due'
    | 'estimated_hours'
  >
>;

/**
 * Changes one task; undoes the batch where it is no longer what the change was computed from, or out of sight.
 * @param dependsOn columns that the rest of the batch (counters, search, history) took from `task`.
 */
export function updateTask(
  caller: Caller,
  task: TaskState,
  changes: TaskChanges,
  dependsOn: readonly (keyof TaskChanges)[],
  activities: number,
  now: number,
): Statement<void>[] {
  const derived = {
    ...(changes.name !== undefined && { name_key: fold(changes.name) }),
    ...(changes.status !== undefined && {
      completed_on: completedOn(changes.status, wallClock(now, caller.timezone).date),
    }),
  };
  const set = Object.entries({ ...changes, ...derived }).map(
    ([column, value]) => sql`${sql.identifier(column)} = ${value}`,
  );
  const unchanged = dependsOn.map((column) => sql`t.${sql.identifier(column)} IS ${task[column]}`);
  return [
    write(sql`
      UPDATE tasks AS t SET ${sql.join(set, sql`, `)}, activity_count = activity_count + ${activities},
        updated_at = ${now}, version = version + 1
      WHERE t.id = ${task.id} AND ${taskVisible(caller)} AND ${sql.join(unchanged, sql` AND `)}`),
    assertUnchanged(sql`changes() = 1`),
  ];
}

function completedOn(status: number, today: string): string | null {
  return taskStatuses[status] === 'completed' ? today : null;
}

/** Hours that the assignee's timed tasks of a day take: start and length. */
export function listScheduled(caller: Caller, id: number): Statement<{ time: string; minutes: number }[]> {
  return rows(sql`
    SELECT b.scheduled_time AS time, coalesce(b.duration_minutes, 60) AS minutes
    FROM tasks t CROSS JOIN tasks b INDEXED BY tasks_scheduled
      ON b.member = t.member AND b.due = t.due AND b.scheduled_time IS NOT NULL
    WHERE t.id = ${id} AND t.member > 0 AND b.archived = 0 AND ${taskVisible(caller)}`);
}

/** Undoes the batch if someone else took the hour between reading and writing. */
export function assertHourFree(member: number, due: string, time: string): Statement<void> {
  return assertUnchanged(sql`
    NOT EXISTS (SELECT 1 FROM tasks b INDEXED BY tasks_scheduled
      WHERE b.member = ${member} AND b.due = ${due} AND b.scheduled_time = ${time} AND b.archived = 0)`);
}
