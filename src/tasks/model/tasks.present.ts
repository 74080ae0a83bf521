import { toTimestamp } from '../../kernel/operation/schema.ts';
import type { Comment } from '../summaries/summaries.schema.ts';
import { deadlineOf } from './tasks.policy.ts';
import type { PersonRow, TaskDetailRow, TaskRow, TaskState } from './tasks.queries.ts';
import { type TaskDetail, taskPriorities, taskStatuses } from './tasks.schema.ts';

/** Rows as the contract shows them. */
export function toTask(row: TaskRow) {
  return {
    id: row.id,
    name: row.name,
    status: taskStatuses[row.status] ?? 'todo',
    priority: taskPriorities[row.priority] ?? 'medium',
    assignee: toAssignee(row),
    project: { id: row.project_id, name: row.project_name },
    tags: JSON.parse(row.tags) as string[],
    deadline: deadlineOf(row.due),
    isArchived: row.archived === 1,
  };
}

export function toTaskDetail(row: TaskDetailRow, followers: PersonRow[], comments: Comment[]): TaskDetail {
  return {
    ...toListedDetail(row),
    followers: followers.map((person) => ({ id: person.user_id, name: person.name, email: person.email })),
    comments,
  };
}

/** The detail without comments and followers, as a list shows it. */
export function toListedDetail(row: TaskDetailRow) {
  return {
    ...toTask(row),
    description: row.description,
    startDate: row.start_date,
    scheduledTime: row.scheduled_time,
    category: toReference(row.category_id, row.category_key, row.category_value),
    type: toReference(row.type_id, row.type_key, row.type_value),
    customEstimatedHours: row.estimated_hours,
    createdBy: { id: row.creator_id, name: row.creator_name, email: row.creator_email },
    createdAt: toTimestamp(row.created_at),
    updatedAt: toTimestamp(row.updated_at),
  };
}

/** What a change may set of a task, by the names that clients know. */
export function editableFields(task: TaskState) {
  return {
    name: task.name,
    description: task.description,
    status: taskStatuses[task.status],
    priority: taskPriorities[task.priority],
    assigneeId: task.assignee_id,
    startDate: task.start_date,
    deadline: deadlineOf(task.due),
    customEstimatedHours: task.estimated_hours,
    tags: JSON.parse(task.tags) as string[],
  };
}

export function toAssignee(
  row: Pick<TaskRow, 'assignee_id' | 'assignee_name' | 'assignee_email'>,
): TaskDetail['assignee'] {
  const { assignee_id: id, assignee_name: name, assignee_email: email } = row;
  return id === null ? null : { id, name: name ?? '', email: email ?? '' };
}

export function toReference(id: number | null, key: string | null, value: string | null) {
  return id === null ? null : { id, key: key ?? '', value: value ?? '' };
}
