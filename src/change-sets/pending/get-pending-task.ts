import type * as z from 'zod';
import type { Context } from '../../kernel/operation/operation.ts';
import { OperationResponse } from '../../kernel/operation/operation-response.ts';
import { isProvisionalId } from '../../kernel/operation/provisional-ids.ts';
import { assertUnchanged, readFromTables } from '../../kernel/sql/database.ts';
import { toIdParameter } from '../../kernel/sql/expressions.queries.ts';
import { readLongContents } from '../../tasks/comment-contents/long-contents.ts';
import { toComment } from '../../tasks/comments/comments.present.ts';
import { listLastComments } from '../../tasks/comments/comments.queries.ts';
import { COMPLETED_STATUS } from '../../tasks/fields.ts';
import { type BulkTaskState, listTaskStates } from '../../tasks/model/bulk-states.queries.ts';
import { taskNotFoundError } from '../../tasks/model/tasks.policy.ts';
import { toAssignees, toRequestedFields, toTaskDetail } from '../../tasks/model/tasks.present.ts';
import { findTaskDetail, listFollowers } from '../../tasks/model/tasks.queries.ts';
import { DETAIL_COMMENTS_MAX } from '../../tasks/model/tasks.schema.ts';
import { getTask } from '../../tasks/operations/tasks.ts';
import { toRecurrence } from '../../tasks/recurrence/recurrence.present.ts';
import { findRecurrence } from '../../tasks/recurrence/recurrences.queries.ts';
import { listStagedComments } from '../model/change-sets.queries.ts';
import { getPendingParent } from '../model/fold-items.ts';
import { getStagedChecklist } from '../model/staged-values.ts';
import { toPendingComments } from './pending-comments.ts';
import { createPendingContext, type PendingSet, readOpenSet, toPendingTasks } from './pending-set.ts';
import { buildPendingTables } from './pending-tasks.queries.ts';

export async function getPendingTask(ctx: Context, input: z.output<typeof getTask.input>) {
  const { db, caller } = ctx;
  const pending = await readOpenSet(ctx);
  if (!isTaskAffected(pending, input.id)) return getUnaffectedTask(ctx, pending, input);
  const tables = buildPendingTables(caller, toPendingTasks(pending, ctx.now), [input.id]);
  const id = toIdParameter(input.id);
  const [row, followers, comments, staged] = await db.batch([
    readFromTables(findTaskDetail(caller, id, omitStructure(input)), tables),
    readFromTables(listFollowers(caller, id), tables),
    listLastComments(caller, id, DETAIL_COMMENTS_MAX),
    listStagedComments(caller, pending.set.id, input.id),
    assertUnchanged(pending.isUnchanged),
  ]);
  if (!row) throw taskNotFoundError(input.id);
  const stored = (await readLongContents(db, caller, comments)).map(toComment);
  const shown = [...stored, ...toPendingComments(pending, input.id, staged)].slice(-DETAIL_COMMENTS_MAX);
  const detail = toTaskDetail(row, followers, shown);
  const requested = toRequestedFields(row, input);
  return { ...detail, ...requested, ...(await readStructure(ctx, pending, input)), ...toAssignees(row) };
}

function isTaskAffected({ folded }: PendingSet, id: number): boolean {
  return (
    folded.tasks.has(id) ||
    [...folded.tasks.values()].some((task) => task.stored?.parent === id || getPendingParent(task) === id)
  );
}

async function getUnaffectedTask(
  ctx: Context,
  { folded }: PendingSet,
  input: z.output<typeof getTask.input>,
) {
  const response = await getTask.handler(ctx, input);
  const task = response instanceof OperationResponse ? response.body : response;
  const name = task.parent ? folded.tasks.get(task.parent.id)?.changes.name : undefined;
  return task.parent && typeof name === 'string' ? { ...task, parent: { ...task.parent, name } } : task;
}

const omitStructure = ({ expand = [] }: z.output<typeof getTask.input>) =>
  expand.filter((part) => part !== 'structure');

async function readStructure(ctx: Context, pending: PendingSet, input: z.output<typeof getTask.input>) {
  const { expand = [], id } = input;
  if (!expand.includes('structure')) return {};
  const task = pending.folded.tasks.get(id);
  const lines = task && getStagedChecklist(task)?.after.lines;
  const progress = lines && { total: lines.length, done: lines.filter(({ isDone }) => isDone).length };
  const stored = isProvisionalId(id) ? newTaskStructure : await getUnaffectedTask(ctx, pending, input);
  const { total = 0, completed = 0 } = stored.subtasks ?? {};
  const added = countAddedSubtasks(pending, id);
  const { parent, recurrence } = task?.changes ?? {};
  return {
    parent: parent === undefined ? stored.parent : await readParent(ctx, pending, parent),
    subtasks: { total: total + added.total, completed: completed + added.completed },
    checklist: progress ?? stored.checklist,
    isBlocked: stored.isBlocked,
    ...(expand.includes('recurrence') && {
      recurrence:
        recurrence === undefined ? (stored.recurrence ?? null) : await readRecurrence(ctx, pending, id),
    }),
  };
}

const newTaskStructure = {
  parent: null,
  recurrence: null,
  subtasks: { total: 0, completed: 0 },
  checklist: { total: 0, done: 0 },
  isBlocked: false,
};

async function readRecurrence(ctx: Context, pending: PendingSet, id: number) {
  const { db, caller } = createPendingContext(ctx, pending, [id]);
  const [found] = await db.batch([findRecurrence(caller, id)]);
  return found && toRecurrence(found);
}

/** Null if the caller can't see the new parent. */
async function readParent(ctx: Context, pending: PendingSet, parent: string | number | null) {
  if (parent === null) return null;
  const ids = [Number(parent)];
  const { db, caller } = createPendingContext(ctx, pending, ids);
  const [[found]] = await db.batch([listTaskStates(caller, ids, 0)]);
  return found ? { id: found.id, name: found.name } : null;
}

function countAddedSubtasks({ folded }: PendingSet, parent: number) {
  const count = (isCounted: (task: Pick<BulkTaskState, 'parent' | 'archived' | 'status'>) => boolean) =>
    [...folded.tasks.values()].reduce((sum, { stored, changes }) => {
      const after = {
        parent: getPendingParent({ stored, changes }),
        archived: Number(changes.archived ?? stored?.archived ?? 0),
        status: Number(changes.status ?? stored?.status ?? 0),
      };
      return sum + Number(isCounted(after)) - Number(stored !== null && isCounted(stored));
    }, 0);
  const isSubtask = (task: Pick<BulkTaskState, 'parent' | 'archived'>) =>
    task.parent === parent && task.archived === 0;
  return {
    total: count(isSubtask),
    completed: count((task) => isSubtask(task) && task.status === COMPLETED_STATUS),
  };
}
