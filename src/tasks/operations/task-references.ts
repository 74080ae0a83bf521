import { invalidRequestError } from '../../kernel/errors/errors.ts';
import type { AssigneeInput, MemberNumbers } from '../field-values.ts';
import { unknownAssigneeError } from '../model/tasks.policy.ts';
import { projectNotFoundError } from '../visibility/project-visibility.policy.ts';
import type { TaskReferences } from './task-references.queries.ts';

interface ReferencesInput extends AssigneeInput {
  projectId: number;
  categoryId?: number | null | undefined;
  typeId?: number | null | undefined;
}

/** Throws if a reference doesn't exist. If the input has a type but no category, uses the type's category. */
export function requireTaskReferences(references: TaskReferences | null, input: ReferencesInput) {
  if (!references?.project) {
    throw projectNotFoundError(input.projectId, 'projectId');
  }
  const category = requireCategoryAndType(references, input);
  return { project: references.project, people: requireAssignees(references, input), category };
}

function requireAssignees(
  { assignee, assignees }: TaskReferences,
  { assigneeId, assigneeIds }: AssigneeInput,
): MemberNumbers {
  if (assigneeIds) {
    const known = new Map(Object.entries(JSON.parse(assignees ?? '{}') as Record<string, number>));
    const unknown = assigneeIds.find((userId) => !known.has(userId));
    if (unknown !== undefined) throw unknownAssigneeError(unknown, 'assigneeIds');
    return known;
  }
  if (assigneeId && assignee === null) throw unknownAssigneeError(assigneeId);
  return new Map(assigneeId && assignee !== null ? [[assigneeId, assignee]] : []);
}

export function requireCategoryAndType(
  references: Pick<TaskReferences, 'category' | 'type_category'>,
  { categoryId = null, typeId = null }: Pick<ReferencesInput, 'categoryId' | 'typeId'>,
): number | null {
  if (categoryId !== null && references.category === null) {
    throw invalidRequestError(
      ({ call, field }) =>
        `${field('categoryId')} ${categoryId} is not a category in this workspace. ${call('listTaskCategories')} lists the categories.`,
    );
  }
  if (typeId !== null && references.type_category === null) {
    throw invalidRequestError(
      ({ call, field }) =>
        `${field('typeId')} ${typeId} is not a type in this workspace. ${call('listTaskTypes')} lists the types.`,
    );
  }
  const category = references.category ?? references.type_category;
  if (references.type_category !== null && category !== references.type_category) {
    const fitting = { categoryId: category ?? 0 };
    throw invalidRequestError(
      ({ call, field }) =>
        `${field('typeId')} ${typeId} belongs to category ${references.type_category}, not ${category}; ${call('listTaskTypes', fitting)} lists the types that fit`,
    );
  }
  return category;
}
