import { type AppError, invalidRequestError, notFoundError } from '../../kernel/errors/errors.ts';
import type { StoredRelationType } from '../../schema/cell/relations.ts';
import type { StoredRelation } from '../model/relations.queries.ts';
import { CYCLE_CHECK_TASKS_MAX, type RelationChecks } from './relations.queries.ts';
import { RELATIONS_MAX, type RelationType } from './relations.schema.ts';

const verbs: Readonly<Record<RelationType, string>> = {
  blocks: 'already blocks',
  blocked_by: 'is already blocked by',
  relates_to: 'is already related to',
  duplicates: 'already duplicates',
  duplicated_by: 'is already duplicated by',
};

const reverseTypes = { blocks: 'blocked_by', relates_to: 'relates_to', duplicates: 'duplicated_by' } as const;

export interface NewRelation {
  type: RelationType;
  id: number;
  taskId: number;
}

export function toStoredRelation({ type, id, taskId }: NewRelation): StoredRelation {
  switch (type) {
    case 'blocks':
    case 'duplicates':
      return { type, source: id, target: taskId };
    case 'blocked_by':
      return { type: 'blocks', source: taskId, target: id };
    case 'duplicated_by':
      return { type: 'duplicates', source: taskId, target: id };
    case 'relates_to':
      return { type, source: Math.min(id, taskId), target: Math.max(id, taskId) };
  }
}

export function toRelationType(stored: StoredRelationType, side: 'source' | 'target'): RelationType {
  return side === 'source' ? stored : reverseTypes[stored];
}

export function requireRelationAllowed(relation: NewRelation, limits: RelationChecks) {
  const { type, id, taskId } = relation;
  const { source, target } = toStoredRelation(relation);
  if (limits.is_related) {
    throw invalidRelationError(
      `Task ${id} ${verbs[type]} task ${taskId}${type.startsWith('duplicate') ? ', or the other way around' : ''}`,
    );
  }
  if (limits.is_cycle) {
    throw invalidRelationError(
      `This relation would make a cycle: task ${target} already blocks task ${source}, directly or through other tasks`,
    );
  }
  if (limits.walked > CYCLE_CHECK_TASKS_MAX) {
    throw invalidRelationError(
      `This relation can't be checked for cycles, because task ${target} blocks more than ${CYCLE_CHECK_TASKS_MAX} tasks, directly or through other tasks`,
    );
  }
  const counts = new Map([
    [source, limits.source_count],
    [target, limits.target_count],
  ]);
  const full = [id, taskId].find((task) => (counts.get(task) ?? 0) >= RELATIONS_MAX);
  if (full !== undefined) throw tooManyRelationsError(full);
}

export function requireOtherTask({ id, taskId }: Pick<NewRelation, 'id' | 'taskId'>) {
  if (id === taskId) throw invalidRequestError(({ field }) => `${field('taskId')} must be another task.`);
}

function invalidRelationError(problem: string): AppError {
  return invalidRequestError(`${problem}.`, ({ field }) => field('taskId'));
}

function tooManyRelationsError(task: number): AppError {
  return invalidRequestError(
    `Task ${task} already has ${RELATIONS_MAX} relations, which is the maximum. Delete one first.`,
    ({ field }) => field('taskId'),
  );
}

export function relationNotFoundError(task: number, id: number): AppError {
  return notFoundError('relation', id, ({ call }) => call('listRelations', { id: task }));
}
