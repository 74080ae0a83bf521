import { type SQL, sql } from 'drizzle-orm';
import type { Caller, Via } from '../kernel/access.ts';
import { number, rows, type Statement, write } from '../kernel/database.ts';
import type { WriteContext } from '../kernel/operation.ts';
import { isAfter, limitOf, type Range } from '../kernel/pagination.ts';
import type { ActivityType } from '../task-model/activity-types.ts';
import { type TaskSelection, tasksIn } from '../task-model/selection.queries.ts';
import { taskVisible } from '../visibility/task-visibility.queries.ts';

/** A new entry; who, when and how come from the request. */
export interface ActivityDraft {
  type: ActivityType;
  field?: string;
  from?: string | null;
  to?: string | null;
}

/** The time of an entry: never earlier than that of an older entry, however slow its request was. */
function newestFirst(now: number): SQL {
  return sql`max(${now}, coalesce((SELECT na.created_at FROM activities na ORDER BY na.id DESC LIMIT 1), 0))`;
}

/** Logs the changes of one task. The caller keeps `tasks.activity_count` in the same batch. */
export function insertActivities(
  author: WriteContext,
  task: number,
  drafts: readonly ActivityDraft[],
): Statement<void> {
  return insertSelectedActivities(
    author,
    sql`
    SELECT ${author.caller.workspace} AS ws, ${task} AS task, d.value ->> 'type' AS type, d.value ->> 'field' AS field,
      d.value ->> 'from' AS from_value, d.value ->> 'to' AS to_value
    FROM json_each(${JSON.stringify(drafts)}) d ORDER BY d.key`,
  );
}

/** Logs what `entries` selects: `ws`, `task`, `type`, `field`, `from_value` and `to_value`. */
export function insertSelectedActivities({ caller, via, now }: WriteContext, entries: SQL): Statement<void> {
  return write(sql`
    INSERT INTO activities (ws, task, type, field, from_value, to_value, actor, via, created_at)
    SELECT e.ws, e.task, e.type, e.field, e.from_value, e.to_value, ${caller.member}, ${via}, ${newestFirst(now)}
    FROM (${entries}) e`);
}

/** Logs the beginning of each selected task. */
export function insertFirstActivities(
  { caller, via, now }: WriteContext,
  selection: TaskSelection,
  type: 'created' | 'duplicated',
): Statement<void> {
  return write(sql`
    INSERT INTO activities (ws, task, type, actor, via, created_at)
    SELECT t.ws, t.id, ${type}, ${caller.member}, ${via}, ${newestFirst(now)} FROM ${tasksIn(selection)}`);
}

/** Logs what happened to a comment. */
export function insertCommentActivity(
  { caller, via, now }: WriteContext,
  task: number,
  type: Extract<ActivityType, `comment_${string}`>,
  comment: SQL,
): Statement<void> {
  return write(sql`
    INSERT INTO activities (ws, task, type, actor, via, comment, created_at)
    VALUES (${caller.workspace}, ${task}, ${type}, ${caller.member}, ${via}, ${comment}, ${newestFirst(now)})`);
}

export interface ActivityRow {
  id: number;
  type: ActivityType;
  field: string | null;
  from_value: string | null;
  to_value: string | null;
  actor_id: string;
  actor_name: string;
  actor_email: string;
  via: Via;
  comment_id: number | null;
  created_at: number;
}

export function listActivities(caller: Caller, task: number, range: Range): Statement<ActivityRow[]> {
  return rows<ActivityRow>(sql`
    SELECT ac.id AS id, ac.type AS type, ac.field AS field, ac.from_value AS from_value, ac.to_value AS to_value,
      m.user_id AS actor_id, m.name AS actor_name, m.email AS actor_email,
      ac.via AS via, ac.comment AS comment_id, ac.created_at AS created_at
    FROM activities ac INDEXED BY activities_by_task CROSS JOIN members m ON m.no = ac.actor
    WHERE ac.ws = ${caller.workspace} AND ac.task = ${task}
    AND ${isAfter(range, [{ column: sql`ac.id`, isDescending: true }])} ORDER BY ac.id DESC ${limitOf(range)}`);
}

/** How many entries a task has; -1 if the caller may not see the task. */
export function countActivities(caller: Caller, task: number): Statement<number> {
  return number(sql`
    SELECT coalesce((SELECT t.activity_count FROM tasks t WHERE t.id = ${task} AND ${taskVisible(caller)}), -1) AS total`);
}
