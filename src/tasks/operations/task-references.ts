import { invalidRequestError, notFoundError } from '../../kernel/errors/errors.ts';
import { unknownAssigneeError } from '../model/tasks.policy.ts';
import type { TaskReferences } from './task-references.queries.ts';

interface ReferencesInput {
  projectId: number;
  assigneeId?: string | null | undefined;
  categoryId?: number | null | undefined;
  typeId?: number | null | undefined;
}

/** Throws if a reference doesn't exist. If only a type is given, its category is used. */
export function requireTaskReferences(references: TaskReferences | null, input: ReferencesInput) {
  if (!references?.project) {
    throw notFoundError('project', input.projectId, ({ call }) => call('listProjects'), 'projectId');
  }
  if (input.assigneeId && references.assignee === null) throw unknownAssigneeError(input.assigneeId);
  const category = requireCategoryAndType(references, input);
  return { project: references.project, assignee: references.assignee ?? 0, category };
}

export function requireCategoryAndType(
  references: Pick<TaskReferences, 'category' | 'type_category'>,
  { categoryId = null, typeId = null }: Pick<ReferencesInput, 'categoryId' | 'typeId'>,
): number | null {
  if (categoryId !== null && references.category === null) {
    throw invalidRequestError(
      ({ call, field }) =>
        `${field('categoryId')} ${categoryId} is not a category of this workspace; ${call('listTaskCategories')} lists them`,
    );
  }
  if (typeId !== null && references.type_category === null) {
    throw invalidRequestError(
      ({ call, field }) =>
        `${field('typeId')} ${typeId} is not a type of this workspace; ${call('listTaskTypes')} lists them`,
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
