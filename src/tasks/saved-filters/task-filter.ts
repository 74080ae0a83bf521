import * as z from 'zod';
import { addDays, getWeekRange } from '../../kernel/dates/civil.ts';
import { civilDate, integerId } from '../../kernel/operation/schema.ts';
import { OPEN_STATUS, taskPriorities, taskSorts, taskStatuses } from '../model/tasks.schema.ts';

/** Saved filters need relative deadlines, because "today" is another day tomorrow. */
const dueWords = ['overdue', 'today', 'week'] as const;
type DueWord = (typeof dueWords)[number];

/** The filter in the URL of a list or board. */
export const taskFilter = z.strictObject({
  /** Searches names and descriptions. */
  q: z.string().max(200).optional(),
  project: integerId.optional(),
  status: z.enum([...taskStatuses, OPEN_STATUS]).optional(),
  priority: z.enum(taskPriorities).optional(),
  /** The id of a person, `me` or `none`. */
  assignee: z.string().max(100).optional(),
  /** Matches every deadline up to then. */
  due: z.enum(dueWords).optional(),
  from: civilDate.optional(),
  to: civilDate.optional(),
  archived: z.enum(['true']).optional(),
  sort: z.enum(taskSorts).optional(),
});
export type TaskFilter = z.output<typeof taskFilter>;

export const taskFilterNames = taskFilter.keyof().options;

export function toPersonReference({ assignee }: Pick<TaskFilter, 'assignee'>): { id: string } | null {
  return assignee === undefined || assignee === 'me' || assignee === 'none' ? null : { id: assignee };
}

/** Leaves out sort order and pages. */
export function toTaskListFilter(filter: Omit<TaskFilter, 'sort'>, today: string) {
  const { q, project, status, priority, assignee, due, from, to, archived } = filter;
  const until = pickEarliest(to, due && getLastDay(due, today));
  return {
    scope: 'all' as const,
    isArchived: archived === 'true',
    ...(q && { search: q }),
    ...(project !== undefined && { projectId: project }),
    ...(status && { status: [status] }),
    ...(priority && { priority: [priority] }),
    ...(assignee && { assigneeId: [assignee] }),
    ...(from && { dueFrom: from }),
    ...(until && { dueTo: until }),
  };
}

/** Filters by deadline force this order: any other would read everything that is due to show one page. */
export function isSortedByDeadline({
  due,
  from,
  to,
  sort,
}: Pick<TaskFilter, 'due' | 'from' | 'to' | 'sort'>): boolean {
  return sort === 'due' || Boolean(due || from || to);
}

/** The archive can't be sorted by last change, because recently archived tasks may be anywhere in it. */
export function getSortOrder(filter: TaskFilter) {
  if (isSortedByDeadline(filter)) return 'due';
  return filter.archived && filter.sort === 'updated' ? 'created' : (filter.sort ?? 'created');
}

function getLastDay(due: DueWord, today: string): string {
  if (due === 'overdue') return addDays(today, -1);
  return due === 'today' ? today : getWeekRange(today).to;
}

function pickEarliest(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}

/** Keeps the fields in a fixed order. */
export function toFormFields(filter: TaskFilter): Record<string, string> {
  const said = Object.keys(taskFilter.shape)
    .map((name) => [name, filter[name as keyof TaskFilter]] as const)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => [name, String(value)] as const);
  return Object.fromEntries(said);
}

export function toQueryString(filter: TaskFilter): string {
  return new URLSearchParams(toFormFields(filter)).toString();
}
