import type { Comment, Task, TaskDetail } from '../../../.wrangler/assets/client.js';
import { formatFields, style, toPlainLine, toPlainLines } from '../terminal/output.ts';

export type TaskStatus = Task['status'];
export type TaskPriority = Task['priority'];

export const statusLabels: Readonly<Record<TaskStatus, string>> = {
  todo: 'To do',
  in_progress: 'In progress',
  internal_review: 'Internal review',
  client_review: 'Client review',
  completed: 'Completed',
};
export const priorities: readonly TaskPriority[] = ['low', 'medium', 'high'];

export function formatTaskTitle({ id, name }: { id: number; name: string }): string {
  return toPlainLine(`#${id} ${name}`);
}

/** The task's description must be Markdown rather than HTML. */
export function formatTask(task: TaskDetail): string[] {
  const { assignees = [], subtasks, checklist } = task;
  return [
    style('bold', formatTaskTitle(task)),
    ...formatFields({
      Status: `${statusLabels[task.status]}${task.isArchived ? ' (archived)' : ''}`,
      Project: task.project.name,
      Assignee: assignees.map(({ name }) => name).join(', ') || 'Unassigned',
      Due: [task.deadline, task.dueTime].filter(Boolean).join(' '),
      Start: task.startDate,
      Priority: task.priority,
      Tags: task.tags.join(', '),
      Parent: task.parent && formatTaskTitle(task.parent),
      Subtasks:
        subtasks && subtasks.total > 0 ? `${subtasks.completed} of ${subtasks.total} completed` : null,
      Checklist: checklist && checklist.total > 0 ? `${checklist.done} of ${checklist.total} done` : null,
      Blocked: task.isBlocked ? 'by another task' : null,
      Estimate: task.customEstimatedHours && `${task.customEstimatedHours} h`,
    }),
    ...(task.description ? ['', ...toPlainLines(task.description.trim())] : []),
    ...task.comments.flatMap(formatComment),
  ];
}

function formatComment({ author, createdAt, content }: Comment): string[] {
  const time = new Date(createdAt).toLocaleString('sv').slice(0, 16);
  return ['', `${style('bold', toPlainLine(author.name))} ${style('dim', time)}`, ...toPlainLines(content)];
}
