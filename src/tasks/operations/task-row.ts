import * as z from 'zod';
import { buildToolLine } from '../../kernel/text/tool-text.ts';
import { pickFields } from '../../kernel/tools/tool.ts';
import type { TaskDetail } from '../model/tasks.schema.ts';

/** Names people and projects in a form that every tool accepts as input. Leaves out fields without a value. */
export const taskRow = z.strictObject({
  id: z.int(),
  name: z.string(),
  status: z.string(),
  priority: z.string(),
  assignee: z.union([z.string(), z.array(z.string())]).optional(),
  project: z.string(),
  deadline: z.string().optional(),
  isArchived: z.literal(true).optional(),
});
export type TaskRow = z.output<typeof taskRow>;

type TaskRowField =
  | 'id'
  | 'name'
  | 'status'
  | 'priority'
  | 'assignee'
  | 'assignees'
  | 'project'
  | 'deadline'
  | 'isArchived';

export function toTaskRow(task: Pick<TaskDetail, TaskRowField>): TaskRow {
  const { assignee, assignees = [] } = task;
  return {
    ...pickFields(task, 'id', 'name', 'status', 'priority'),
    ...(assignee && { assignee: assignees.length > 1 ? assignees.map(({ name }) => name) : assignee.name }),
    project: task.project.name,
    ...(task.deadline && { deadline: task.deadline }),
    ...(task.isArchived && { isArchived: true }),
  };
}

export function toTaskLine(row: TaskRow): string {
  return buildToolLine(
    `#${row.id} ${row.name}`,
    row.priority === 'medium' ? row.status : `${row.status}, ${row.priority}`,
    row.assignee === undefined ? 'unassigned' : [row.assignee].flat().join(', '),
    row.project,
    row.deadline && `due ${row.deadline}`,
    row.isArchived && 'archived',
  );
}
