import { sql } from 'drizzle-orm';
import type { Actor, Caller } from '../kernel/access.ts';
import { wallClock } from '../kernel/civil.ts';
import { assertUnchanged, type Statement, write } from '../kernel/database.ts';
import { fold } from './fold.ts';
import { newTasks } from './selection.queries.ts';
import type { TaskState } from './tasks.queries.ts';
import { taskStatuses } from './tasks.schema.ts';
import { taskVisible } from './visibility.queries.ts';

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
