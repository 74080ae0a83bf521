import * as z from 'zod';
import { addDays, getWeekRange } from '../../kernel/dates/civil-date.ts';
import { civilDate, integerId } from '../../kernel/operation/schema.ts';
import { FIELDS_MAX } from '../custom-fields/custom-fields.schema.ts';
import { toFieldKey } from '../custom-fields/field-values.ts';
import { tagName } from '../fields.ts';
import {
  OPEN_STATUS,
  type TaskStatus,
  taskPriorities,
  taskSorts,
  taskStatuses,
} from '../model/tasks.schema.ts';

/** Deadlines relative to today, so that a saved filter stays up to date. */
const relativeDeadlines = ['overdue', 'today', 'week'] as const;
type RelativeDeadline = (typeof relativeDeadlines)[number];

const VALUES_MAX = 20;

const lists = {
  status: z
    .array(z.enum([...taskStatuses, OPEN_STATUS]))
    .max(VALUES_MAX)
    .optional(),
  priority: z.array(z.enum(taskPriorities)).max(VALUES_MAX).optional(),
  /** Each item is a user id, `me` or `none`. */
  assignee: z.array(z.string().min(1).max(100)).max(VALUES_MAX).optional(),
  /** Tasks with any of these tags, regardless of case. */
  tag: z.array(tagName).max(VALUES_MAX).optional(),
  /** Each item is the id of a custom field and a value, such as `12-3` for option 3 of field 12. */
  fields: z
    .array(
      z
        .string()
        .max(500)
        .regex(/^\d{1,15}-[\w-]+$/, 'must be a field id and a value, such as 12-3'),
    )
    .max(FIELDS_MAX)
    .optional(),
};

export const taskFilter = z.strictObject({
  q: z.string().max(200).optional(),
  project: integerId.optional(),
  ...lists,
  blocked: z.enum(['true', 'false']).optional(),
  /** Subtasks of this task, or tasks without a parent. */
  parent: z
    .string()
    .regex(/^(none|#?\d{1,15})$/, 'must be the number of a task, or none')
    .optional(),
  /** Also includes tasks with earlier deadlines. */
  due: z.enum(relativeDeadlines).optional(),
  from: civilDate.optional(),
  to: civilDate.optional(),
  archived: z.enum(['true']).optional(),
  sort: z.enum(taskSorts).optional(),
});

/** A form field separates values with commas. Filters saved by older versions have single values. */
function splitValues(value: unknown): unknown {
  if (value === undefined) return undefined;
  return [value].flat().flatMap((each) => (typeof each === 'string' ? each.split(',') : [each]));
}

export const taskFilterInput = taskFilter.extend({
  status: z.preprocess(splitValues, lists.status),
  priority: z.preprocess(splitValues, lists.priority),
  assignee: z.preprocess(splitValues, lists.assignee),
  tag: z.preprocess(splitValues, lists.tag),
  fields: z.preprocess(splitValues, lists.fields),
});
export type TaskFilter = z.output<typeof taskFilter>;

export const taskFilterNames = taskFilter.keyof().options;

export function listAssigneeIds({ assignee = [] }: Pick<TaskFilter, 'assignee'>): string[] {
  return assignee.filter((each) => each !== 'me' && each !== 'none');
}

export function toNamePeopleInput(filter: Pick<TaskFilter, 'assignee'>): { ids: string[] } | null {
  const ids = listAssigneeIds(filter);
  return ids.length === 0 ? null : { ids };
}

/** Returns input for reading the name of the parent that the filter selects. */
export function toParentInput({ parent }: Pick<TaskFilter, 'parent'>) {
  if (parent === undefined || parent === 'none') return null;
  return { id: Number(parent.replace('#', '')), fields: ['id' as const, 'name' as const] };
}

export function toTaskListFilter(filter: Omit<TaskFilter, 'sort'>, today: string) {
  const { q, project, status, priority, assignee, tag, blocked, parent, due, from, to, archived, fields } =
    filter;
  const until = pickEarliest(to, due && getLastDueDay(due, today));
  return {
    scope: 'all' as const,
    isArchived: archived === 'true',
    ...(q && { search: q }),
    ...(project !== undefined && { projectId: [project] }),
    ...(status && { status }),
    ...(priority && { priority }),
    ...(assignee && { assigneeId: assignee }),
    ...(tag && { tags: tag }),
    ...(blocked && { isBlocked: blocked === 'true' }),
    ...(parent && { parentId: parent.replace('#', '') }),
    ...(from && { dueFrom: from }),
    ...(until && { dueTo: until }),
    ...(fields && fields.length > 0 && { customFields: toFieldValues(fields) }),
  };
}

export function toFieldValues(fields: readonly string[]): Record<string, string> {
  const pairs = fields.map((pair) => {
    const end = pair.indexOf('-');
    return [toFieldKey(Number(pair.slice(0, end))), pair.slice(end + 1)] as const;
  });
  return Object.fromEntries(pairs);
}

/**
 * Lists filtered by deadline are always sorted by deadline. In any other order, a page would require reading all
 * matches.
 */
export function isSortedByDeadline({
  due,
  from,
  to,
  sort,
}: Pick<TaskFilter, 'due' | 'from' | 'to' | 'sort'>): boolean {
  return sort === 'due' || Boolean(due || from || to);
}

/** Doesn't sort archived tasks by last change, because finding them in that order could mean reading every task. */
export function getSortOrder(filter: TaskFilter) {
  if (isSortedByDeadline(filter)) return 'due';
  return filter.archived && filter.sort === 'updated' ? 'created' : (filter.sort ?? 'created');
}

function getLastDueDay(due: RelativeDeadline, today: string): string {
  if (due === 'overdue') return addDays(today, -1);
  return due === 'today' ? today : getWeekRange(today).to;
}

function pickEarliest(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}

export function listVisibleStatuses(status: TaskFilter['status']): readonly TaskStatus[] {
  if (status === undefined) return taskStatuses;
  return taskStatuses.filter(
    (each) => status.includes(each) || (each !== 'completed' && status.includes(OPEN_STATUS)),
  );
}

export function toFormFields(filter: TaskFilter): Record<string, string> {
  const stated = Object.keys(taskFilter.shape)
    .map((name) => [name, filter[name as keyof TaskFilter]] as const)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => [name, String(value)] as const);
  return Object.fromEntries(stated);
}

export function toQueryString(filter: TaskFilter): string {
  return new URLSearchParams(toFormFields(filter)).toString();
}
