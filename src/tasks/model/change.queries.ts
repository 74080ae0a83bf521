import { toWallClock } from '../../kernel/dates/civil-date.ts';
import type { WriteContext } from '../../kernel/operation/operation.ts';
import { buildInList, type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { comments } from '../../schema/cell/comments.ts';
import { taskCategories, taskTypes } from '../../schema/cell/reference.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { toDescriptionKey, toSearchKey } from '../../search/index/search-key.ts';
import type { FieldColumns } from '../field-values.ts';
import { COMPLETED_STATUS } from '../fields.ts';
import type { TaskAlias } from '../visibility/task-visibility.queries.ts';
import { addToFollowerList, mergeFollowerLists } from './follower-lists.queries.ts';
import { countHistoryEntries, hasChanges } from './history.queries.ts';
import { toLabelKeys } from './label-keys.ts';
import type { StoredValues } from './long-texts.queries.ts';
import { type NewSearchKeys, type NewValues, resolveValue, resolveValues } from './new-values.queries.ts';
import type { TaskExpression, TaskSelection } from './selection.queries.ts';
import { selectLastSubtaskPosition } from './subtasks.queries.ts';
import { taskStatuses } from './tasks.schema.ts';

const c = aliasTable(comments, 'c');
const hc = aliasTable(taskCategories, 'hc');
const ht = aliasTable(taskTypes, 'ht');
const t = aliasTable(tasks, 't');

/** Selects hundredths of an hour: the task's estimate, the default of its type or category, or one hour. */
export function selectHours(estimate: SQL, type: SQL, category: SQL): SQL {
  return sql`CAST(round(100 * coalesce(CAST(${estimate} AS REAL),
    (SELECT ${ht.default_estimated_hours} FROM ${ht} WHERE ${ht.id} = ${type}),
    (SELECT ${hc.default_estimated_hours} FROM ${hc} WHERE ${hc.id} = ${category}), 1)) AS INTEGER)`;
}

export type TaskChanges = Partial<FieldColumns> & {
  /** The ancestor that the task was archived with. Any other change to `archived` clears this. */
  archived_with?: number | null;
};

export type StoredChanges = StoredValues<TaskChanges>;

/** The columns that decide which counters include a task, and by how much. */
export const countedColumns = [
  'assignee',
  'status',
  'priority',
  'archived',
  'due',
  'completed_on',
  'hours',
  'parent',
  'other_assignees',
] as const;

export type NewCountedValues = { readonly [K in (typeof countedColumns)[number]]?: SQL };

export function buildNewState(
  { caller, now }: WriteContext,
  changes: NewValues,
): TaskExpression<NewCountedValues> {
  const today = toWallClock(now, caller.timezone).date;
  const castToInteger = (value: number | SQL) => sql`CAST(${value} AS INTEGER)`;
  const weighsElse = [changes.estimated_hours, changes.type, changes.category].some((to) => to !== undefined);
  return (t) => {
    const values = resolveValues(t, changes);
    const { assignee, other_assignees: others, status, priority, archived, due, parent } = values;
    const { estimated_hours = t.estimated_hours, type = t.type, category = t.category } = values;
    return {
      ...(assignee !== undefined && { assignee: castToInteger(assignee) }),
      ...(others !== undefined && { other_assignees: sql`${others}` }),
      ...(status !== undefined && {
        status: castToInteger(status),
        completed_on:
          typeof status === 'number'
            ? sql`iif(${t.status} = ${status}, ${t.completed_on}, ${getCompletionDay(status, today)})`
            : sql`iif(${t.status} = ${status}, ${t.completed_on}, iif(${status} = ${COMPLETED_STATUS}, ${today}, NULL))`,
      }),
      ...(priority !== undefined && { priority: castToInteger(priority) }),
      ...(archived !== undefined && { archived: castToInteger(archived) }),
      ...(due !== undefined && { due: sql`${due}` }),
      ...(parent !== undefined && { parent: sql`${parent}` }),
      ...(weighsElse && { hours: selectHours(sql`${estimated_hours}`, sql`${type}`, sql`${category}`) }),
    };
  };
}

export const buildEffectiveHours = (t: TaskAlias) => ({
  hours: selectHours(t.estimated_hours, t.type, t.category),
});

/** Doesn't change the version or `updated_at`, because the API doesn't return these hours. */
export function updateHours(ws: number, selection: TaskSelection): Statement<void> {
  const { access, where } = selection(t);
  const { hours } = buildEffectiveHours(t);
  return write(sql`
    UPDATE ${tasks} AS t ${access} SET ${tasks.hours} = ${hours}
    WHERE ${where} AND ${t.ws} = ${ws} AND ${t.hours} <> ${hours}`);
}

export interface UpdateOptions {
  keys?: NewSearchKeys | undefined;
  /** A task's position among the tasks that get the same parent in this batch. */
  rank?: TaskExpression | undefined;
}

/**
 * Skips tasks that already have these values. Adds new assignees to `tasks.followers`, but not to the `followers`
 * table.
 */
export function updateTasks(
  ctx: WriteContext,
  selection: TaskSelection,
  changes: NewValues,
  { keys = toSearchKeys(changes), rank }: UpdateOptions = {},
): Statement<void> {
  const { access, where } = selection(t);
  const { completed_on, hours } = buildNewState(ctx, changes)(t);
  const values = resolveValues(t, changes);
  const set = [
    ...(Object.keys(changes) as (keyof StoredChanges)[]).map(
      (column) => sql`${tasks[column]} = ${values[column] ?? null}`,
    ),
    ...(Object.keys(keys) as (keyof NewSearchKeys)[]).map(
      (column) => sql`${tasks[column]} = ${resolveValue(t, keys[column] ?? null)}`,
    ),
  ];
  if (completed_on) set.push(sql`${tasks.completed_on} = ${completed_on}`);
  const { assignee = 0, other_assignees: others, archived, archived_with, parent } = values;
  if (archived !== undefined && archived_with === undefined) set.push(sql`${tasks.archived_with} = NULL`);
  if (parent !== undefined) {
    const place = sql`${selectLastSubtaskPosition(sql`${parent}`)} + 1 + ${rank?.(t) ?? 0}`;
    set.push(sql`${tasks.parent_place} = iif(${parent} IS NULL, 0, ${place})`);
  }
  const followers = assignee === 0 ? t.followers : addToFollowerList(t, assignee);
  if (others !== undefined && others !== '[]')
    set.push(sql`${tasks.followers} = ${mergeFollowerLists(followers, sql`${others}`)}`);
  else if (assignee !== 0) set.push(sql`${tasks.followers} = ${followers}`);
  if (hours) set.push(sql`${tasks.hours} = ${hours}`);
  return write(sql`
    UPDATE ${tasks} AS t ${access} SET ${sql.join(set, sql`, `)},
      ${tasks.activity_count} = ${tasks.activity_count} + ${countHistoryEntries(t, changes)},
      ${tasks.updated_at} = max(${tasks.updated_at}, ${ctx.now}), ${tasks.version} = ${tasks.version} + 1
    WHERE ${where} AND ${t.ws} = ${ctx.caller.workspace} AND ${hasChanges(t, changes)}`);
}

export function toSearchKeys({ name, description, tags }: NewValues): NewSearchKeys {
  return {
    ...(typeof name === 'string' && { name_key: toSearchKey(name) }),
    ...((typeof description === 'string' || description === null) && {
      description_key: toDescriptionKey(description),
    }),
    ...(typeof tags === 'string' && { label_keys: toLabelKeys(tags) }),
  };
}

/** Changes neither the version nor the history, because a reminder is visible only to its owner. */
export function markHasReminders(ws: number, id: number): Statement<void> {
  return write(sql`
    UPDATE ${tasks} SET ${tasks.has_reminders} = 1
    WHERE ${tasks.id} = ${id} AND ${tasks.ws} = ${ws} AND ${tasks.has_reminders} = 0`);
}

interface ActivityChange {
  /** The change to the number of comments. The author of a new comment also becomes a follower. */
  comments?: -1 | 0 | 1;
  /** The new recurrence mode, as in `tasks.repeats`. Also increases the version. */
  repeats?: number;
}

/** Adds 1 to the task's number of history entries, for example when one of its comments changes. */
export function updateTaskActivity(
  { caller, now }: WriteContext,
  task: number | readonly number[],
  { comments = 0, repeats }: ActivityChange = {},
): Statement<void> {
  const ids = typeof task === 'number' ? sql`= ${task}` : sql`IN ${buildInList(task)}`;
  const follows = comments > 0 ? sql`, ${tasks.followers} = ${addToFollowerList(t, caller.member)}` : sql``;
  const recurrence =
    repeats === undefined
      ? sql``
      : sql`, ${tasks.repeats} = ${repeats}, ${tasks.version} = ${tasks.version} + 1`;
  return write(sql`
    UPDATE ${tasks} AS t NOT INDEXED SET ${tasks.comment_count} = ${tasks.comment_count} + ${comments},
      ${tasks.activity_count} = ${tasks.activity_count} + 1,
      ${tasks.updated_at} = max(${tasks.updated_at}, ${now}) ${follows} ${recurrence}
    WHERE ${t.ws} = ${caller.workspace} AND ${t.id} ${ids}`);
}

/** @param ids a list of the ids of new comments by the caller. */
export function selectCommentedTasks(ids: SQL): SQL {
  return sql`SELECT ${c.task} FROM ${c} WHERE ${c.id} IN ${ids}`;
}

/** Like `updateTaskActivity`, for tasks that can get several comments. */
export function updateCommentedTasks({ caller, now }: WriteContext, ids: SQL): Statement<void> {
  return write(sql`
    UPDATE ${tasks} AS t NOT INDEXED SET ${tasks.comment_count} = ${tasks.comment_count} + d.count,
      ${tasks.activity_count} = ${tasks.activity_count} + d.count,
      ${tasks.updated_at} = max(${tasks.updated_at}, ${now}),
      ${tasks.followers} = ${addToFollowerList(t, caller.member)}
    FROM (SELECT task, count(*) AS count FROM (${selectCommentedTasks(ids)}) GROUP BY task) d
    WHERE ${t.ws} = ${caller.workspace} AND ${t.id} = d.task`);
}

export function subtractDeletedComments(
  { caller, now }: WriteContext,
  commented: readonly number[],
): Statement<void> {
  const counts = JSON.stringify(
    [...Map.groupBy(commented, (task) => task)].map(([id, all]) => [id, all.length]),
  );
  return write(sql`
    UPDATE ${tasks} AS t NOT INDEXED SET ${tasks.comment_count} = ${tasks.comment_count} - (d.value ->> 1),
      ${tasks.activity_count} = ${tasks.activity_count} + (d.value ->> 1),
      ${tasks.updated_at} = max(${tasks.updated_at}, ${now})
    FROM json_each(${counts}) d WHERE ${t.ws} = ${caller.workspace} AND ${t.id} = d.value ->> 0`);
}

export interface ChecklistProgress {
  task: number;
  total: number;
  done: number;
}

/** Also adds 1 to the task's number of history entries, but doesn't change its version. */
export function updateChecklistProgress(
  { caller, now }: WriteContext,
  changes: readonly ChecklistProgress[],
): Statement<void> {
  const rows = JSON.stringify(changes.map(({ task, total, done }) => [task, total, done]));
  return write(sql`
    UPDATE ${tasks} NOT INDEXED SET ${tasks.checklist_total} = d.value ->> 1, ${tasks.checklist_done} = d.value ->> 2,
      ${tasks.activity_count} = ${tasks.activity_count} + 1, ${tasks.updated_at} = max(${tasks.updated_at}, ${now})
    FROM json_each(${rows}) d WHERE ${tasks}.id = d.value ->> 0 AND ${tasks}.ws = ${caller.workspace}`);
}

export function getCompletionDay(status: number, today: string): string | null {
  return taskStatuses[status] === 'completed' ? today : null;
}
