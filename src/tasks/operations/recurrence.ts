import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { requireCurrentSnapshot } from '../../kernel/operation/snapshot.ts';
import { taskNotFoundError } from '../model/tasks.policy.ts';
import { assertTasksUnchanged } from '../model/tasks.queries.ts';
import { taskIdInput } from '../model/tasks.schema.ts';
import { recurrenceNotFoundError, requirePlanWithRecurrences } from '../recurrence/recurrence.policy.ts';
import { toRecurrence } from '../recurrence/recurrence.present.ts';
import { recurrence, recurrenceInput } from '../recurrence/recurrence.schema.ts';
import { findRecurrence, type RecurrenceRow } from '../recurrence/recurrences.queries.ts';
import { parseRecurrence } from '../recurrence/start-series.ts';
import { requireUnarchived } from '../write/edit-task.ts';
import {
  buildRecurrenceStatements,
  planRecurrence,
  type RecurrenceEdit,
  toSeriesRule,
} from '../write/recurrence-edits.ts';

export const getRecurrence = defineOperation(
  {
    name: 'getRecurrence',
    summary: "Get a task's recurrence",
    description: "Once the rule has moved to the next task, `rule` is null and `nextId` is that task's id.",
    access: 'tasks:read',
    capability: 'seeTasks',
    effect: 'read',
    input: taskIdInput,
    output: recurrence,
  },
  async (ctx, { id }) => {
    const found = toRecurrence(await readRecurrence(ctx, id));
    if (!found) throw recurrenceNotFoundError(id);
    return found;
  },
);

export const setRecurrence = defineOperation(
  {
    name: 'setRecurrence',
    summary: 'Repeat a task',
    description:
      'The rule starts at the deadline, or today if the task has no deadline. When the next task is created, the rule moves to that task.',
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: recurrenceInput,
    output: recurrence,
  },
  async (ctx, { id, ...wanted }) => {
    const to = parseRecurrence(wanted);
    const found = await readRecurrence(ctx, id);
    requirePlanWithRecurrences(ctx.caller);
    requireUnarchived(found);
    const current = toSeriesRule(found) ?? { rule: null, mode: null, days: null };
    requireCurrentSnapshot(
      ctx.snapshot,
      { ...to },
      { ...current },
      { type: 'task.updated', id, changes: ['recurrence'] },
    );
    await saveRecurrenceEdit(ctx, found, planRecurrence(ctx, found, to));
    return { ...to, previousId: found.previous, nextId: found.next };
  },
);

export const deleteRecurrence = defineOperation(
  {
    name: 'deleteRecurrence',
    summary: 'Stop repeating a task',
    description: 'Existing tasks are kept.',
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: taskIdInput,
    output: successOutput,
    replay: successReplay,
  },
  async (ctx, { id }) => {
    const found = await readRecurrence(ctx, id);
    requireUnarchived(found);
    const edit = planRecurrence(ctx, found, null);
    if (!edit) throw recurrenceNotFoundError(id);
    await saveRecurrenceEdit(ctx, found, edit);
    return { success: true as const };
  },
);

async function readRecurrence({ db, caller }: Context, id: number): Promise<RecurrenceRow> {
  const [found] = await db.batch([findRecurrence(caller, id)]);
  if (!found) throw taskNotFoundError(id);
  return found;
}

async function saveRecurrenceEdit(
  ctx: Context,
  { id, task_version }: RecurrenceRow,
  edit: RecurrenceEdit | null,
) {
  if (!edit) return;
  await ctx.db.batch([
    assertTasksUnchanged(ctx.caller, [{ id, version: task_version }]),
    ...buildRecurrenceStatements(ctx, [edit]),
  ]);
}
