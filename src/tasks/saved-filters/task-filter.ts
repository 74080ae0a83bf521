import * as z from 'zod';
import { addDays, weekOf } from '../../kernel/dates/civil.ts';
import { civilDate, integerId } from '../../kernel/operation/schema.ts';
import { OPEN, taskPriorities, taskSorts, taskStatuses } from '../model/tasks.schema.ts';

/** Deadlines by a word, which means other days tomorrow: what a filter that is kept has to say. */
const dueWords = ['overdue', 'today', 'week'] as const;
type DueWord = (typeof dueWords)[number];

/** The filter of a list or a board as its address says it. What is left out filters nothing. */
export const taskFilter = z.strictObject({
  /** In name or description. */
  q: z.string().max(200).optional(),
  project: integerId.optional(),
  status: z.enum([...taskStatuses, OPEN]).optional(),
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

/** The person whose tasks the filter asks for, where it names one. */
export function personIn({ assignee }: Pick<TaskFilter, 'assignee'>): { id: string } | null {
  return assignee === undefined || assignee === 'me' || assignee === 'none' ? null : { id: assignee };
}

/** What the filter asks of the operations that list tasks, without order and pages. */
export function tasksOf(filter: Omit<TaskFilter, 'sort'>, today: string) {
  const { q, project, status, priority, assignee, due, from, to, archived } = filter;
  const until = earliest(to, due && lastDayOf(due, today));
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
 * What is filtered by deadline comes by deadline, whatever else was chosen: any other order would read all that is due to
 * show a page of it.
 */
export function isByDeadline({
  due,
  from,
  to,
  sort,
}: Pick<TaskFilter, 'due' | 'from' | 'to' | 'sort'>): boolean {
  return sort === 'due' || Boolean(due || from || to);
}

/** The order of a list. The archive has none by last change: what was archived lately may be anywhere in it. */
export function orderOf(filter: TaskFilter) {
  if (isByDeadline(filter)) return 'due';
  return filter.archived && filter.sort === 'updated' ? 'created' : (filter.sort ?? 'created');
}

function lastDayOf(due: DueWord, today: string): string {
  if (due === 'overdue') return addDays(today, -1);
  return due === 'today' ? today : weekOf(today).to;
}

function earliest(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}

/** The filter as the fields of a form, in one order. */
export function toFields(filter: TaskFilter): Record<string, string> {
  const said = Object.keys(taskFilter.shape)
    .map((name) => [name, filter[name as keyof TaskFilter]] as const)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => [name, String(value)] as const);
  return Object.fromEntries(said);
}

/** The same as the query of an address; empty where nothing is filtered. */
export function toQuery(filter: TaskFilter): string {
  return new URLSearchParams(toFields(filter)).toString();
}
