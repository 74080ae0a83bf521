import type { TaskChanges } from './change.queries.ts';
import { deadlineOf } from './tasks.policy.ts';
import type { TaskState } from './tasks.queries.ts';
import { taskPriorities, taskStatuses } from './tasks.schema.ts';

interface ToldValue {
  /** As clients know it. */
  field: string;
  /** What the row holds, as clients know it; null for a text that is too long to be told. */
  of: (task: Omit<TaskState, 'description'>) => unknown;
}

/** How a change is told before it is made; null where nobody asks for that. */
export const toldValues: Readonly<Record<keyof TaskChanges, ToldValue | null>> = {
  name: { field: 'name', of: ({ name }) => name },
  description: { field: 'description', of: () => null },
  status: { field: 'status', of: ({ status }) => taskStatuses[status] },
  priority: { field: 'priority', of: ({ priority }) => taskPriorities[priority] },
  assignee: { field: 'assigneeId', of: (task) => task.assignee_id },
  start_date: { field: 'startDate', of: (task) => task.start_date },
  due: { field: 'deadline', of: ({ due }) => deadlineOf(due) },
  estimated_hours: { field: 'customEstimatedHours', of: (task) => task.estimated_hours },
  archived: { field: 'isArchived', of: ({ archived }) => archived === 1 },
  category: null,
  type: null,
  scheduled_time: null,
  tags: null,
};
