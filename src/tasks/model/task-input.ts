import { sanitizeRichText } from '../../kernel/rich-text/rich-text.ts';
import { NO_DEADLINE } from '../../schema/cell/tasks.ts';
import type { TaskChanges } from './change.queries.ts';
import type { TaskDraft } from './insert.queries.ts';
import { type TaskCreateInput, type TaskUpdateInput, taskPriorities, taskStatuses } from './tasks.schema.ts';

/** A task of which nothing is said but its project, its name and who does it. */
export const emptyDraft = {
  status: taskStatuses.indexOf('todo'),
  priority: taskPriorities.indexOf('medium'),
  description: null,
  tags: '[]',
  start_date: null,
  due: NO_DEADLINE,
  scheduled_time: null,
  duration_minutes: null,
  category: null,
  type: null,
  estimated_hours: null,
} satisfies Partial<TaskDraft>;

/** The columns of a task that somebody asks for, in the place that was found for it. */
export function draftOf(
  input: TaskCreateInput,
  references: Pick<TaskDraft, 'project' | 'assignee' | 'category'>,
): TaskDraft {
  return {
    ...emptyDraft,
    ...references,
    name: input.name,
    status: taskStatuses.indexOf(input.status),
    priority: taskPriorities.indexOf(input.priority),
    description: input.description ? sanitizeRichText(input.description) : null,
    start_date: input.startDate ?? null,
    due: input.deadline ?? NO_DEADLINE,
    type: input.typeId ?? null,
    estimated_hours: input.customEstimatedHours ?? null,
  };
}

/** The columns that an update sets. @param assignee the number of the member it names, 0 for nobody. */
export function changesOf(input: TaskUpdateInput, assignee: number): TaskChanges {
  return {
    ...(input.name !== undefined && { name: input.name }),
    ...(input.description !== undefined && {
      description: input.description === null ? null : sanitizeRichText(input.description),
    }),
    ...(input.status !== undefined && { status: taskStatuses.indexOf(input.status) }),
    ...(input.priority !== undefined && { priority: taskPriorities.indexOf(input.priority) }),
    ...(input.assigneeId !== undefined && { assignee }),
    ...(input.startDate !== undefined && { start_date: input.startDate }),
    ...(input.deadline !== undefined && { due: input.deadline ?? NO_DEADLINE }),
    ...(input.customEstimatedHours !== undefined && { estimated_hours: input.customEstimatedHours }),
  };
}
