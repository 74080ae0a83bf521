import { buildPage, toRange } from '../../kernel/lists/pagination.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { taskStatuses } from '../fields.ts';
import { changeBlockerCount } from '../model/relations.queries.ts';
import { taskNotFoundError } from '../model/tasks.policy.ts';
import { assertTaskWritable, findTaskState } from '../model/tasks.queries.ts';
import { requireUnarchived } from '../write/edit-task.ts';
import { recordRelationChange } from '../write/tasks.write.ts';
import {
  type NewRelation,
  relationNotFoundError,
  requireOtherTask,
  requireRelationAllowed,
  toRelationType,
  toStoredRelation,
} from './relations.policy.ts';
import {
  assertRelationAllowed,
  countRelations,
  deleteRelation as deleteRelationRow,
  findMatchingRelation,
  findOtherTask,
  findRelation,
  findRelationChecks,
  insertRelation,
  type RelationRow,
  listRelations as selectRelations,
} from './relations.queries.ts';
import {
  newRelationInput,
  type Relation,
  relation,
  relationKeyInput,
  relationListInput,
  relationPage,
} from './relations.schema.ts';

export const listRelations = defineOperation(
  {
    name: 'listRelations',
    summary: "List a task's relations, oldest first",
    description:
      "A relation's `type` says how this task relates to the other task. Relations with tasks that you can't see are left out.",
    access: 'tasks:read',
    capability: 'seeTasks',
    effect: 'read',
    input: relationListInput,
    output: relationPage,
  },
  async ({ db, caller }, { id, ...input }) => {
    const range = toRange(input, 1);
    const [total, rows] = await db.batch([countRelations(caller, id), selectRelations(caller, id, range)]);
    if (total < 0) throw taskNotFoundError(id);
    return buildPage({ range, total, rows, key: (row) => [row.id], show: toRelation });
  },
);

export const addRelation = defineOperation(
  {
    name: 'addRelation',
    summary: 'Relate a task to another task',
    description:
      'You must be able to see the other task. Two tasks can have several relations of different types. Blocking relations must not form a cycle.',
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: newRelationInput,
    output: relation,
    replay: { rebuild: async (ctx, input) => requireRelation(ctx, input) },
  },
  async (ctx, input) => {
    const { db, caller } = ctx;
    const { id, taskId, type } = input;
    const stored = toStoredRelation(input);
    const [task, other, limits] = await db.batch([
      findTaskState(caller, id),
      findOtherTask(caller, taskId),
      findRelationChecks(caller, stored),
    ]);
    if (!task) throw taskNotFoundError(id);
    if (!other) throw taskNotFoundError(taskId, 'taskId');
    requireUnarchived(task);
    requireOtherTask(input);
    requireRelationAllowed(input, limits);
    const [row] = await db.writeThenRead(
      [
        assertTaskWritable(caller, id),
        assertRelationAllowed(caller, taskId, stored),
        insertRelation(caller, stored),
        ...changeBlockerCount(caller.workspace, stored, 1),
        ...recordRelationChange(ctx, id, { from: null, to: { type, task: { id: taskId } } }),
      ],
      [findMatchingRelation(caller, id, stored)],
    );
    if (!row) throw taskNotFoundError(taskId, 'taskId');
    return toRelation(row);
  },
);

export const deleteRelation = defineOperation(
  {
    name: 'deleteRelation',
    summary: "Delete one of a task's relations",
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: relationKeyInput,
    output: successOutput,
    replay: successReplay,
  },
  async (ctx, { id, relationId }) => {
    const { db, caller } = ctx;
    const [task, row] = await db.batch([findTaskState(caller, id), findRelation(caller, id, relationId)]);
    if (!task) throw taskNotFoundError(id);
    if (!row) throw relationNotFoundError(id, relationId);
    requireUnarchived(task);
    const { type, task: other } = toRelation(row);
    await db.batch([
      assertTaskWritable(caller, id),
      ...changeBlockerCount(caller.workspace, toStoredRelation({ type, id, taskId: other.id }), -1),
      ...deleteRelationRow(caller, relationId),
      ...recordRelationChange(ctx, id, { from: { type, task: { id: other.id } }, to: null }),
    ]);
    return { success: true as const };
  },
);

async function requireRelation({ db, caller }: Context, input: NewRelation): Promise<Relation> {
  const [row] = await db.batch([findMatchingRelation(caller, input.id, toStoredRelation(input))]);
  if (!row) throw taskNotFoundError(input.taskId, 'taskId');
  return toRelation(row);
}

function toRelation(row: RelationRow): Relation {
  return {
    id: row.id,
    type: toRelationType(row.type, row.side),
    task: {
      id: row.task_id,
      name: row.task_name,
      status: taskStatuses[row.task_status] ?? 'todo',
      isArchived: row.task_archived === 1,
      project: { id: row.project_id, name: row.project_name },
    },
  };
}
