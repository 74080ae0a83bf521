import type { Caller } from '../../kernel/access/access.ts';
import { type SQL, sql } from '../../kernel/sql/sql.ts';
import { type AssigneeFilter, isAssignedTo } from '../counters/assignees.queries.ts';
import type { TaskSort } from '../model/task-orders.queries.ts';
import { isMyTask, seesEveryTask, type TaskAlias } from '../visibility/task-visibility.queries.ts';

/** Tasks that are requested by id. There are so few that each of them can be read. */
export interface RequestedTasks {
  readonly ids: readonly number[];
  readonly search: string | undefined;
}

export type ListSort = Extract<TaskSort, 'created' | 'due' | 'updated'>;

export interface PageFilter {
  buckets: readonly number[];
  projectId?: number | undefined;
  assignees?: AssigneeFilter | undefined;
  /** Only tasks in the caller's projects and tasks that the caller follows. */
  onlyMine: boolean;
  /** The day `until` is not included. */
  due?: { from: string; until: string } | undefined;
  updatedSince?: number | undefined;
  named?: RequestedTasks | undefined;
  idsAbove?: SQL | undefined;
}

/** Clients always see only their own tasks. For others, scope=mine combined with a project covers the whole project. */
export function isLimitedToMine(caller: Caller, filter: Pick<PageFilter, 'projectId' | 'onlyMine'>): boolean {
  if (!seesEveryTask(caller)) return true;
  return filter.onlyMine && filter.projectId === undefined;
}

export function hasDateFilter({ due, updatedSince }: PageFilter): boolean {
  return due !== undefined || updatedSince !== undefined;
}

/** The SQL is empty or starts with ` AND `. */
export function buildDateConditions(t: TaskAlias, { due, updatedSince, idsAbove }: PageFilter): SQL {
  const isDue = due === undefined ? sql`` : sql` AND ${t.due} >= ${due.from} AND ${t.due} < ${due.until}`;
  const isChanged = updatedSince === undefined ? sql`` : sql` AND ${t.updated_at} >= ${updatedSince}`;
  const isAbove = idsAbove === undefined ? sql`` : sql` AND ${t.id} > ${idsAbove}`;
  return sql`${isDue}${isChanged}${isAbove}`;
}

/** The SQL is empty or starts with `AND`. */
export function buildAssigneeCondition(t: TaskAlias, caller: Caller, { assignees }: PageFilter): SQL {
  return assignees === undefined ? sql`` : sql`AND ${isAssignedTo(caller, assignees, t.assignee)}`;
}

/** Compares with a bit mask, because SQLite counts a row read each time it searches a list. */
export function isInBuckets(t: TaskAlias, buckets: readonly number[]): SQL {
  const mask = buckets.reduce((sum, bucket) => sum + 2 ** bucket, 0);
  return sql.raw(`(${mask} >> ${t.bucket} & 1) = 1`);
}

export function matchesPageFilter(t: TaskAlias, caller: Caller, filter: PageFilter): SQL {
  const conditions = [isInBuckets(t, filter.buckets)];
  if (filter.projectId !== undefined) conditions.push(sql`${t.project} = ${filter.projectId}`);
  if (filter.assignees !== undefined) conditions.push(isAssignedTo(caller, filter.assignees, t.assignee));
  if (isLimitedToMine(caller, filter)) conditions.push(isMyTask(t, caller));
  return sql`${sql.join(conditions, sql` AND `)}${buildDateConditions(t, filter)}`;
}
