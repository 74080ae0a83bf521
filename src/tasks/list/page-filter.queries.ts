import type { Caller } from '../../kernel/access/access.ts';
import { buildInList } from '../../kernel/sql/database.ts';
import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { type AssigneeFilter, isAssignedTo } from '../counters/assignees.queries.ts';
import type { TaskExpression } from '../model/selection.queries.ts';
import type { TaskSort } from '../model/task-orders.queries.ts';
import { isMyTask, seesEveryTask, type TaskAlias } from '../visibility/task-visibility.queries.ts';
import { type FieldFilter, hasFieldValues } from './field-conditions.queries.ts';
import { selectLastId } from './last-id.queries.ts';
import { hasTags, type TagFilter } from './tag-conditions.queries.ts';

const h = aliasTable(tasks, 'h');

/** Tasks requested by id or parent. There are so few that a query can read each of them, even to search their text. */
export interface RequestedTasks {
  readonly ids?: readonly number[] | undefined;
  readonly parent?: number | undefined;
  readonly search: string | undefined;
}

export type ListSort = Extract<TaskSort, 'created' | 'due' | 'updated'>;

export interface PageFilter {
  buckets: readonly number[];
  projectIds?: readonly number[] | undefined;
  assignees?: AssigneeFilter | undefined;
  /** If true, includes only tasks that the caller follows and tasks in the caller's projects. */
  onlyMine: boolean;
  /** `until` is exclusive. */
  due?: { from: string; until: string } | undefined;
  updatedSince?: number | undefined;
  /** `before` is exclusive. */
  created?: { since: number | undefined; before: number | undefined } | undefined;
  tags?: TagFilter | undefined;
  /** The task must have all of these custom field values. */
  fields?: readonly FieldFilter[] | undefined;
  named?: RequestedTasks | undefined;
  /** If set, includes only tasks that have no parent visible to the caller. */
  hasNoParent?: TaskExpression | undefined;
  blocked?: BlockedFilter | undefined;
  idsAbove?: SQL | undefined;
}

interface BlockedFilter {
  readonly is: boolean;
  readonly condition: TaskExpression;
}

/** Always true for the client role. For other roles, `scope=mine` doesn't limit a request that names projects. */
export function isLimitedToMine(
  caller: Caller,
  filter: Pick<PageFilter, 'projectIds' | 'onlyMine'>,
): boolean {
  if (!seesEveryTask(caller)) return true;
  return filter.onlyMine && filter.projectIds === undefined;
}

export function buildProjectCondition(project: SQL, { projectIds }: Pick<PageFilter, 'projectIds'>): SQL {
  return projectIds === undefined ? sql`` : sql`AND ${isInProjects(project, projectIds)}`;
}

function isInProjects(project: SQL, ids: readonly number[]): SQL {
  const [only, ...others] = ids;
  return only !== undefined && others.length === 0
    ? sql`${project} = ${only}`
    : sql`${project} IN ${buildInList(ids)}`;
}

export function hasUncountedFilter({ due, updatedSince, created, tags, fields }: PageFilter): boolean {
  return [due, updatedSince, created, tags, fields].some((each) => each !== undefined);
}

/** Compares ids, because tasks get their ids in creation order. */
export function buildCreationCondition(t: TaskAlias, { created }: PageFilter): SQL {
  const selectLastIdBefore = (time: number) => selectLastId(sql`${h.created_at} < ${time}`);
  const isSince =
    created?.since === undefined ? sql`` : sql` AND ${t.id} > ${selectLastIdBefore(created.since)}`;
  const isBefore =
    created?.before === undefined ? sql`` : sql` AND ${t.id} <= ${selectLastIdBefore(created.before)}`;
  return sql`${isSince}${isBefore}`;
}

/** Builds the conditions that a query checks for each row that it reads from the index. */
export function buildRowConditions(t: TaskAlias, filter: PageFilter): SQL {
  const { due, updatedSince, tags, fields, idsAbove, hasNoParent, blocked } = filter;
  const isDue = due === undefined ? sql`` : sql` AND ${t.due} >= ${due.from} AND ${t.due} < ${due.until}`;
  const isChanged = updatedSince === undefined ? sql`` : sql` AND ${t.updated_at} >= ${updatedSince}`;
  const isAbove = idsAbove === undefined ? sql`` : sql` AND ${t.id} > ${idsAbove}`;
  const isTagged = tags === undefined ? sql`` : sql` AND ${hasTags(t, tags)}`;
  const isTopLevel = hasNoParent === undefined ? sql`` : sql` AND ${hasNoParent(t)}`;
  const isBlocked =
    blocked === undefined ? sql`` : sql` AND ${blocked.is ? sql`` : sql`NOT `}(${blocked.condition(t)})`;
  const hasFields = fields === undefined ? sql`` : sql` AND ${hasFieldValues(t, fields)}`;
  return sql`${isDue}${isChanged}${isAbove}${buildCreationCondition(t, filter)}${isTagged}${isTopLevel}${isBlocked}${hasFields}`;
}

export function buildAssigneeCondition(t: TaskAlias, caller: Caller, { assignees }: PageFilter): SQL {
  return assignees === undefined ? sql`` : sql`AND ${isAssignedTo(caller, assignees, t)}`;
}

/** Uses a bit mask, because SQLite counts a row read each time it searches a list. */
export function isInBuckets(t: TaskAlias, buckets: readonly number[]): SQL {
  const mask = buckets.reduce((sum, bucket) => sum + 2 ** bucket, 0);
  return sql.raw(`(${mask} >> ${t.bucket} & 1) = 1`);
}

export function matchesPageFilter(t: TaskAlias, caller: Caller, filter: PageFilter): SQL {
  const conditions = [isInBuckets(t, filter.buckets)];
  if (filter.projectIds !== undefined) conditions.push(isInProjects(t.project, filter.projectIds));
  if (filter.assignees !== undefined) conditions.push(isAssignedTo(caller, filter.assignees, t));
  if (isLimitedToMine(caller, filter)) conditions.push(isMyTask(t, caller));
  return sql`${sql.join(conditions, sql` AND `)}${buildRowConditions(t, filter)}`;
}
