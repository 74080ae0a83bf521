import type * as z from 'zod';
import { AppError } from '../../kernel/errors/errors.ts';
import type { ToolContext } from '../../kernel/tools/tool.ts';
import { checkBlockers, setBlockers } from '../relations/set-blockers.ts';
import type { BulkMode } from './items.ts';
import { previewUpdates } from './preview.ts';
import type { itemResults } from './tool-items.ts';

interface TaskWithBlockers {
  blockedBy?: number[] | undefined;
}

/** Must run before the tasks are created, so that an invalid blocker rejects the whole call. */
export async function checkNewBlockers(ctx: ToolContext, tasks: readonly TaskWithBlockers[]) {
  const blockers = new Set(tasks.flatMap(({ blockedBy = [] }) => blockedBy));
  if (blockers.size > 0) await ctx.run(checkBlockers, { blockedBy: [...blockers] });
}

export async function blockNewTasks(
  ctx: ToolContext,
  tasks: readonly TaskWithBlockers[],
  { results }: z.output<typeof itemResults>,
) {
  const blocked = results.flatMap(({ index, task }) => {
    const { blockedBy = [] } = tasks[index] ?? {};
    return task && blockedBy.length > 0 ? [{ id: Number(task.id), blockedBy }] : [];
  });
  if (blocked.length > 0) await ctx.run(setBlockers, { tasks: blocked });
}

interface BlockerUpdates {
  updates: readonly (TaskWithBlockers & { id: number })[];
  items: readonly (AppError | NonNullable<z.input<typeof previewUpdates.input>['updates']>[number])[];
  mode: BulkMode;
  dryRun: boolean;
}

/** Skips tasks whose other changes would be rejected. In mode `all`, one such task is enough to skip all tasks. */
export async function replaceBlockers(ctx: ToolContext, { updates, items, mode, dryRun }: BlockerUpdates) {
  const wanted = updates.flatMap(({ id, blockedBy }) => (blockedBy ? [{ id, blockedBy }] : []));
  if (wanted.length === 0) return;
  if (dryRun) return checkNewBlockers(ctx, wanted);
  const valid = items.filter((item) => !(item instanceof AppError));
  const { data } =
    valid.length > 0
      ? await ctx.run(previewUpdates, { updates: valid, descriptionFormat: 'markdown' })
      : { data: [] };
  const fitting = new Set(data.flatMap(({ task, error }) => (task && error === undefined ? [task.id] : [])));
  const tasks = wanted.filter(({ id }) => fitting.has(id));
  if (tasks.length === 0 || (mode === 'all' && fitting.size < updates.length)) return;
  await ctx.run(setBlockers, { tasks });
}
