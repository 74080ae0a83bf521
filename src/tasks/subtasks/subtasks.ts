import * as z from 'zod';
import { type AppError, invalidRequestError } from '../../kernel/errors/errors.ts';
import {
  buildPage,
  buildSinglePage,
  pageInput,
  toFirstRange,
  toRange,
} from '../../kernel/lists/pagination.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { integerId } from '../../kernel/operation/schema.ts';
import { requireCurrentSnapshot } from '../../kernel/operation/snapshot.ts';
import { type FieldDefinition, listDefinitions } from '../custom-fields/custom-fields.queries.ts';
import { toListedFields } from '../custom-fields/field-values.ts';
import { moveSubtasks } from '../model/subtasks.queries.ts';
import { requireExpandedFields, taskNotFoundError } from '../model/tasks.policy.ts';
import { toAssignees, toStructure, toTask } from '../model/tasks.present.ts';
import {
  assertTaskWritable,
  countSubtasks,
  findTaskState,
  type ListedRow,
  parseExpansion,
  listSubtasks as selectSubtasks,
} from '../model/tasks.queries.ts';
import { SUBTASKS_MAX, subtaskList, taskDetailInput, taskPage } from '../model/tasks.schema.ts';
import { requireUnarchived } from '../write/edit-task.ts';
import { recordSubtaskOrder } from '../write/tasks.write.ts';
import { assertSubtaskPositions, listSubtaskPositions } from './subtasks.queries.ts';

const toSubtask = (row: ListedRow, definitions?: readonly FieldDefinition[]) => ({
  ...toTask(row),
  ...toStructure(row),
  ...toAssignees(row),
  ...(definitions && { customFields: toListedFields(definitions, row) }),
});

export const listSubtasks = defineOperation(
  {
    name: 'listSubtasks',
    summary: "List a task's subtasks, in order",
    description: "Returns direct subtasks that aren't archived. Each has the same fields as in `GET /tasks`.",
    access: 'tasks:read',
    capability: 'seeTasks',
    effect: 'read',
    input: taskDetailInput.extend(pageInput),
    output: taskPage,
  },
  async ({ db, caller }, { id, expand = [], fields, ...input }) => {
    requireExpandedFields({ expand, fields });
    const range = toRange(input, 2);
    const expansion = parseExpansion(caller, expand);
    const [total, rows, definitions] = await db.batch([
      countSubtasks(caller, id),
      selectSubtasks(caller, id, range, expansion),
      ...(expansion.hasFields ? [listDefinitions(caller)] : []),
    ] as const);
    if (total < 0) throw taskNotFoundError(id);
    return buildPage({
      range,
      total,
      rows,
      key: ({ place, id }) => [place, id],
      show: (row) => toSubtask(row, definitions),
    });
  },
);

export const orderSubtasks = defineOperation(
  {
    name: 'orderSubtasks',
    summary: "Reorder a task's subtasks",
    description:
      'Send the ids of all unarchived subtasks in the new order. Subtasks created later come last.',
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: z.strictObject({
      id: integerId,
      ids: z
        .array(integerId)
        .min(1)
        .max(SUBTASKS_MAX)
        .meta({ description: 'Send each id once.', example: [2, 1] }),
    }),
    output: subtaskList,
    replay: { rebuild: async (ctx, { id }) => readSubtasks(ctx, id, []) },
  },
  async (ctx, { id, ids }) => {
    const { caller, db } = ctx;
    const [task, subtasks] = await db.batch([findTaskState(caller, id), listSubtaskPositions(caller, id)]);
    if (!task) throw taskNotFoundError(id);
    requireUnarchived(task);
    const current = subtasks.flatMap((each) => (each.archived === 0 ? [each.id] : []));
    requireCurrentSnapshot(
      ctx.snapshot,
      { ids },
      { ids: current },
      { type: 'task.updated', id, changes: ['subtasks'] },
    );
    const moves = planSubtaskMoves(subtasks, ids);
    if (moves.length === 0) return readSubtasks(ctx, id, []);
    return readSubtasks(ctx, id, [
      assertTaskWritable(caller, id),
      assertSubtaskPositions(caller, id, subtasks),
      moveSubtasks(caller.workspace, moves),
      ...recordSubtaskOrder(ctx, id),
    ]);
  },
);

async function readSubtasks(
  { db, caller }: Context,
  id: number,
  writes: Parameters<typeof db.writeThenRead>[0],
) {
  const [total, rows] = await db.writeThenRead(writes, [
    countSubtasks(caller, id),
    selectSubtasks(caller, id, toFirstRange(SUBTASKS_MAX)),
  ]);
  if (total < 0) throw taskNotFoundError(id);
  return buildSinglePage(rows.map((row) => toSubtask(row)));
}

/** Reuses the positions of the listed subtasks. Archived subtasks don't have to be listed, and keep their positions. */
function planSubtaskMoves(
  subtasks: readonly { id: number; place: number; archived: number }[],
  ids: readonly number[],
): (readonly [id: number, place: number])[] {
  const places = new Map(subtasks.map(({ id, place }) => [id, place]));
  const unknown = ids.find((id) => !places.has(id));
  if (unknown !== undefined)
    throw invalidOrderError(`must contain only subtasks of this task; ${unknown} isn't one`);
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined)
    throw invalidOrderError(`must not contain the same subtask twice; got ${repeated}`);
  const missing = subtasks.find(({ id, archived }) => archived === 0 && !ids.includes(id));
  if (missing) throw invalidOrderError(`must contain every unarchived subtask; ${missing.id} is missing`);
  const free = ids.map((id) => places.get(id) ?? 0).toSorted((one, other) => one - other);
  return ids.flatMap((id, index) => {
    const place = free[index] as number;
    return places.get(id) === place ? [] : [[id, place] as const];
  });
}

function invalidOrderError(problem: string): AppError {
  return invalidRequestError(({ field }) => `${field('ids')} ${problem}.`);
}
