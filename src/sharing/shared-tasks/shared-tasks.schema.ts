import * as z from 'zod';
import { integerId } from '../../kernel/operation/schema.ts';
import { taskFields } from '../../tasks/fields.ts';
import {
  checklistProgress,
  subtaskProgress,
  taskPage,
  taskStatuses,
} from '../../tasks/model/tasks.schema.ts';

const secret = z.string().max(100);

/** `status` shows a single column. `after` is the cursor of the previous page. */
export const sharedTasksInput = z.strictObject({
  secret,
  status: z.enum(taskStatuses).optional(),
  after: z.string().max(1_000).optional(),
});
export const sharedTaskInput = z.strictObject({ secret, id: integerId });

const task = taskPage.shape.data.element
  .pick({ id: true, name: true, status: true, priority: true, deadline: true, tags: true })
  .extend({
    dueTime: z.string().nullable(),
    /** Names only, and only if the link shows them. Otherwise, `Someone` for an assigned task. */
    assignees: z.array(z.string()),
    subtasks: subtaskProgress,
    checklist: checklistProgress,
  });
export type SharedTask = z.output<typeof task>;

const sharedLink = {
  name: z.string(),
  workspaceName: z.string(),
  today: z.string(),
};

export const sharedTasks = z.object({
  ...sharedLink,
  columns: z.array(
    z.object({
      status: z.enum(taskStatuses),
      label: z.string(),
      /** Null if the tasks aren't counted. */
      total: z.int().nullable(),
      tasks: z.array(task),
      /** The cursor of the column's next page. */
      next: z.string().nullable(),
    }),
  ),
  /** The cursor of the next page of a filter that searches text, whose columns are read together. */
  next: z.string().nullable(),
});
export type SharedTasks = z.output<typeof sharedTasks>;

export const sharedTask = z.object({
  ...sharedLink,
  task: task.extend({
    statusLabel: z.string(),
    startDate: taskFields.startDate.output,
    description: z.string().nullable(),
  }),
});
