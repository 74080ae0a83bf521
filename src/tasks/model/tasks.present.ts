import { toTimestamp } from '../../kernel/operation/schema.ts';
import { readFields } from '../field-values.ts';
import type { Comment } from '../summaries/summaries.schema.ts';
import type { StructureRow } from './subtasks.queries.ts';
import type { OtherAssigneesRow, PersonRow, TaskDetailRow, TaskRow } from './tasks.queries.ts';
import { requestedFieldNames, type TaskDetail } from './tasks.schema.ts';

export function toTask(row: TaskRow) {
  return {
    id: row.id,
    ...readFields('list', row),
    assignee: toAssignee(row),
    project: { id: row.project_id, name: row.project_name },
  };
}

export function toTaskDetail(row: TaskDetailRow, followers: PersonRow[], comments: Comment[]): TaskDetail {
  return {
    ...toListedDetail(row),
    followers: followers.map((person) => ({ id: person.user_id, name: person.name, email: person.email })),
    comments,
  };
}

export function toRequestedFields(
  row: TaskRow,
  {
    expand = [],
    fields = [],
  }: { expand?: readonly string[] | undefined; fields?: readonly string[] | undefined },
): Pick<TaskDetail, 'dueTime'> {
  const isRequested = expand.includes('detail') || fields.some((name) => requestedFieldNames.includes(name));
  return isRequested ? readFields('requested', row) : {};
}

export function toListedDetail(row: TaskDetailRow) {
  return {
    ...toTask(row),
    ...readFields('detail', row),
    category: toReference(row.category_id, row.category_key, row.category_value),
    type: toReference(row.type_id, row.type_key, row.type_value),
    createdBy: { id: row.creator_id, name: row.creator_name, email: row.creator_email },
    createdAt: toTimestamp(row.created_at),
    updatedAt: toTimestamp(row.updated_at),
  };
}

export function toStructure(
  row: Partial<StructureRow>,
): Pick<TaskDetail, 'parent' | 'subtasks' | 'checklist' | 'isBlocked'> {
  const { parent_id: id, parent_name: name, subtasks, subtasks_completed: completed = 0 } = row;
  if (id === undefined || subtasks === undefined) return {};
  const { checklist_total: total = 0, checklist_done: done = 0, is_blocked: isBlocked } = row;
  return {
    parent: id === null ? null : { id, name: name ?? '' },
    subtasks: { total: subtasks, completed },
    checklist: { total, done },
    isBlocked: isBlocked === 1,
  };
}

export function toAssignees(
  row: Parameters<typeof toAssignee>[0] & Partial<OtherAssigneesRow>,
): Pick<TaskDetail, 'assignees'> {
  if (row.others === undefined) return {};
  const first = toAssignee(row);
  return { assignees: first ? [first, ...(JSON.parse(row.others) as (typeof first)[])] : [] };
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
