import * as z from 'zod';
import { addDays, weekOf } from '../../kernel/dates/civil.ts';
import { civilDate, integerId } from '../../kernel/operation/schema.ts';
import { OPEN_STATUS, taskPriorities, taskSorts, taskStatuses } from '../model/tasks.schema.ts';

/** Relative deadlines, which a saved filter needs because they mean other days tomorrow. */
const dueWords = ['overdue', 'today', 'week'] as const;
type DueWord = (typeof dueWords)[number];

/** The filter of a list or a board in its URL. Missing values filter nothing. */
export const taskFilter = z.strictObject({
  /** In name or description. */
  q: z.string().max(200).optional(),
  project: integerId.optional(),
  status: z.enum([...taskStatuses, OPEN_STATUS]).optional(),
  priority: z.enum(taskPriorities).optional(),
  /** The id of a person, `me` or `none`. */
  assignee: z.string().max(100).optional(),
  /** Every deadline up to then. */
  due: z.enum(dueWords).optional(),
  /** First and last deadline. */
  from: civilDate.optional(),
  to: civilDate.optional(),
  archived: z.enum(['true']).optional(),
  sort: z.enum(taskSorts).optional(),
});
export type TaskFilter = z.output<typeof taskFilter>;

export const taskFilterNames = taskFilter.keyof().options;

/** The person of the assignee filter, if it names one. */
export function toPersonReference({ assignee }: Pick<TaskFilter, 'assignee'>): { id: string } | null {
  return assignee === undefined || assignee === 'me' || assignee === 'none' ? null : { id: assignee };
}

/** The filter as input of the operations that list tasks, without order and pages. */
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

/**
 * A list filtered by deadline is always sorted by deadline: any other order would read everything that is due to show one
 * page.
 */
export function isSortedByDeadline({
  due,
  from,
  to,
  sort,
}: Pick<TaskFilter, 'due' | 'from' | 'to' | 'sort'>): boolean {
  return sort === 'due' || Boolean(due || from || to);
}

/**
 * The order of a list. The archive can't be sorted by last change, because recently archived tasks may be anywhere in it.
 */
export function getSortOrder(filter: TaskFilter) {
  if (isSortedByDeadline(filter)) return 'due';
  return filter.archived && filter.sort === 'updated' ? 'created' : (filter.sort ?? 'created');
}

function getLastDay(due: DueWord, today: string): string {
  if (due === 'overdue') return addDays(today, -1);
  return due === 'today' ? today : weekOf(today).to;
}

function pickEarliest(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}

/** The filter as form fields, in a fixed order. */
export function toFormFields(filter: TaskFilter): Record<string, string> {
  const said = Object.keys(taskFilter.shape)
    .map((name) => [name, filter[name as keyof TaskFilter]] as const)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => [name, String(value)] as const);
  return Object.fromEntries(said);
}

/** The same as a query string; empty if nothing is filtered. */
export function toQueryString(filter: TaskFilter): string {
  return new URLSearchParams(toFormFields(filter)).toString();
}
