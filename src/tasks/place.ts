import { invalidRequest, notFound } from '../kernel/errors.ts';
import type { TaskPlace } from './place.queries.ts';

interface PlaceInput {
  projectId: number;
  assigneeId?: string | null | undefined;
  categoryId?: number | null | undefined;
  typeId?: number | null | undefined;
}

/** What a new task refers to must exist; a type alone brings its category along. */
export function requirePlace(place: TaskPlace | null, input: PlaceInput) {
  if (!place?.project) throw notFound('project', input.projectId, 'GET /v1/projects');
  if (input.assigneeId && place.member === null) throw unknownAssignee(input.assigneeId);
  const { categoryId = null, typeId = null } = input;
  if (categoryId !== null && place.category === null) {
    throw invalidRequest(
      `categoryId ${categoryId} is not a category of this workspace; GET /v1/task-categories lists them`,
    );
  }
  if (typeId !== null && place.type_category === null) {
    throw invalidRequest(`typeId ${typeId} is not a type of this workspace; GET /v1/task-types lists them`);
  }
  const category = place.category ?? place.type_category;
  if (place.type_category !== null && category !== place.type_category) {
    throw invalidRequest(
      `typeId ${typeId} belongs to category ${place.type_category}, not ${category}; GET /v1/task-types?categoryId=${category} lists the types that fit`,
    );
  }
  return { project: place.project, member: place.member ?? 0, category };
}

export function unknownAssignee(userId: string) {
  return invalidRequest(`assigneeId '${userId}' is not a member of this workspace; GET /v1/users lists them`);
}
