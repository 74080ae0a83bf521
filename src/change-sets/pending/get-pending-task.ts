import type * as z from 'zod';
import type { Context } from '../../kernel/operation/operation.ts';
import { OperationResponse } from '../../kernel/operation/operation-response.ts';
import { assertUnchanged, readFromTables } from '../../kernel/sql/database.ts';
import { toIdParameter } from '../../kernel/sql/expressions.queries.ts';
import { readLongContents } from '../../tasks/comment-contents/long-contents.ts';
import { toComment } from '../../tasks/comments/comments.present.ts';
import { listLastComments } from '../../tasks/comments/comments.queries.ts';
import { taskNotFoundError } from '../../tasks/model/tasks.policy.ts';
import { toAssignees, toRequestedFields, toTaskDetail } from '../../tasks/model/tasks.present.ts';
import { findTaskDetail, listFollowers } from '../../tasks/model/tasks.queries.ts';
import { DETAIL_COMMENTS_MAX } from '../../tasks/model/tasks.schema.ts';
import { getTask } from '../../tasks/operations/tasks.ts';
import { listStagedComments } from '../model/change-sets.queries.ts';
import { getStagedChecklist } from '../model/fold-items.ts';
import { toPendingComments } from './pending-comments.ts';
import { type PendingSet, readOpenSet, toPendingTasks } from './pending-set.ts';
import { buildPendingTables } from './pending-tasks.queries.ts';

export async function getPendingTask(ctx: Context, input: z.output<typeof getTask.input>) {
  const { db, caller } = ctx;
  const pending = await readOpenSet(ctx);
  if (!pending.folded.tasks.has(input.id)) return getTask.handler(ctx, input);
  const tables = buildPendingTables(caller, toPendingTasks(pending, ctx.now));
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

const omitStructure = ({ expand = [] }: z.output<typeof getTask.input>) =>
  expand.filter((part) => part !== 'structure');

/** Staged changes can affect only two parts of the structure: the parent's name and the checklist. */
async function readStructure(ctx: Context, { folded }: PendingSet, input: z.output<typeof getTask.input>) {
  const { expand = [] } = input;
  if (!expand.includes('structure')) return {};
  const task = folded.tasks.get(input.id);
  const lines = task && getStagedChecklist(task)?.after.lines;
  const progress = lines && { total: lines.length, done: lines.filter(({ isDone }) => isDone).length };
  if (!task?.stored)
    return {
      parent: null,
      subtasks: { total: 0, completed: 0 },
      checklist: progress ?? { total: 0, done: 0 },
      isBlocked: false,
      ...(expand.includes('recurrence') && { recurrence: null }),
    };
  const stored = await getTask.handler(ctx, input);
  const { parent, subtasks, checklist, isBlocked, recurrence } =
    stored instanceof OperationResponse ? stored.body : stored;
  const name = parent ? folded.tasks.get(parent.id)?.changes.name : undefined;
  const named = parent && typeof name === 'string' ? { ...parent, name } : parent;
  return {
    parent: named,
    subtasks,
    checklist: progress ?? checklist,
    isBlocked,
    ...(recurrence !== undefined && { recurrence }),
  };
}
