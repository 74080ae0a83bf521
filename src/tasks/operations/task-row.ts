import * as z from 'zod';
import { buildToolLine } from '../../kernel/text/tool-text.ts';
import { pickFields } from '../../kernel/tools/tool.ts';
import type { TaskDetail } from '../model/tasks.schema.ts';

/** Contains people and projects in a form that every tool accepts as input. Fields without a value are omitted. */
export const taskRow = z.strictObject({
  id: z.int(),
  name: z.string(),
  status: z.string(),
  priority: z.string(),
  assignee: z.string().optional(),
  project: z.string(),
  deadline: z.string().optional(),
  isArchived: z.literal(true).optional(),
});
export type TaskRow = z.output<typeof taskRow>;

type RowField = 'id' | 'name' | 'status' | 'priority' | 'assignee' | 'project' | 'deadline' | 'isArchived';

export function toTaskRow(task: Pick<TaskDetail, RowField>): TaskRow {
  return {
    ...pickFields(task, 'id', 'name', 'status', 'priority'),
    ...(task.assignee && { assignee: task.assignee.name }),
    project: task.project.name,
    ...(task.deadline && { deadline: task.deadline }),
    ...(task.isArchived && { isArchived: true }),
  };
}

export function toTaskLine(row: TaskRow): string {
  return buildToolLine(
    `#${row.id} ${row.name}`,
    row.priority === 'medium' ? row.status : `${row.status}, ${row.priority}`,
    row.assignee ?? 'unassigned',
    row.project,
    row.deadline && `due ${row.deadline}`,
    row.isArchived && 'archived',
  );
}
