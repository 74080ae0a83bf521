import type { Caller } from '../kernel/access/access.ts';
import { AppError } from '../kernel/errors/errors.ts';
import type { Context } from '../kernel/operation/operation.ts';
import type { Statement } from '../kernel/sql/database.ts';
import { assertNoNewerEntries } from '../tasks/bulk/undo.queries.ts';
import { buildChecklistStatements } from '../tasks/checklists/change-checklist.ts';
import { assertChecklistsUnchanged } from '../tasks/checklists/checklists.queries.ts';
import { recountOpenBlockers } from '../tasks/model/relations.queries.ts';
import { assertTasksUnchanged } from '../tasks/model/tasks.queries.ts';
import { deleteRelations } from '../tasks/relations/relations.queries.ts';
import { buildRecurrenceStatements } from '../tasks/write/recurrence-edits.ts';
import { recordRelationChanges } from '../tasks/write/tasks.write.ts';
import { buildEntryDeletions } from '../time/tracking/restore-entries.ts';
import type { HistoryEntry } from './app-activity.queries.ts';
import type { readUndoPlan } from './app-sessions.ts';
import type { RelationRemoval, Restoration } from './plan-parts-undo.ts';

type LoadedPlan = Pick<Awaited<ReturnType<typeof readUndoPlan>>, 'history' | 'tasks' | 'plan'>;

export async function restoreParts(ctx: Context, { history, tasks, plan }: LoadedPlan): Promise<boolean> {
  const { caller } = ctx;
  const restored = plan.restorations.filter(({ run }) => !run);
  if (restored.length === 0) return false;
  const checklists = restored.flatMap(({ checklist }) => checklist ?? []);
  const recurrences = restored.flatMap(({ recurrence }) => recurrence ?? []);
  const deletedEntries = restored.flatMap(({ deletedEntry }) => deletedEntry ?? []);
  const ids = new Set(
    restored.flatMap(({ task, deletedEntry }) => (task === null || deletedEntry ? [] : [task])),
  );
  await ctx.db.batch([
    assertNoChangesSince(caller, history, [...ids]),
    assertTasksUnchanged(
      caller,
      tasks.filter(({ id }) => ids.has(id)),
    ),
    assertChecklistsUnchanged(
      caller,
      checklists.map(({ task, before }) => [task, before.version] as const),
    ),
    ...buildChecklistStatements(ctx, checklists),
    ...buildRecurrenceStatements(ctx, recurrences),
    ...buildRelationRemovals(ctx, restored),
    ...buildEntryDeletions(ctx, deletedEntries),
  ]);
  return true;
}

function buildRelationRemovals(ctx: Context, restored: readonly Restoration[]): Statement<void>[] {
  const removed = restored.flatMap(({ task, removedRelation }) =>
    task !== null && removedRelation ? [{ task, ...removedRelation }] : [],
  );
  if (removed.length === 0) return [];
  const toChange = ({ end }: RelationRemoval) => ({ from: end, to: null });
  const plans = [...Map.groupBy(removed, ({ task }) => task)].map(([task, ofTask]) => ({
    task,
    changes: ofTask.map(toChange),
  }));
  const blocked = removed.flatMap(({ stored }) => (stored.type === 'blocks' ? [stored.target] : []));
  return [
    ...deleteRelations(
      ctx.caller,
      removed.map(({ id }) => id),
    ),
    recountOpenBlockers(ctx.caller.workspace, blocked),
    ...recordRelationChanges(ctx, plans),
  ];
}

export async function runRestorations(ctx: Context, { history, plan }: LoadedPlan): Promise<number> {
  let failed = 0;
  const waiting = plan.restorations.flatMap(({ task, run, assertions = [] }) =>
    run ? [{ task, run, assertions }] : [],
  );
  for (const [index, { task, run, assertions }] of waiting.entries()) {
    const db = index === 0 ? ctx.db : ctx.db.withoutIdempotencyKey();
    for (const assertion of assertions) db.addAssertion(assertion);
    if (task !== null) db.addAssertion(assertNoChangesSince(ctx.caller, history, [task]));
    try {
      await run({ ...ctx, db });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      failed += 1;
    }
  }
  return failed;
}

/**
 * Aborts the batch if one of the tasks has a history entry that the plan didn't consider. Changes without history
 * entries, such as a new category, are detected by the task's version instead.
 */
export function assertNoChangesSince(
  caller: Caller,
  history: readonly HistoryEntry[],
  tasks: readonly number[],
): Statement<void> {
  return assertNoNewerEntries(
    caller,
    new Map(
      tasks.flatMap((id) => {
        const last = history.findLast(({ task }) => task === id);
        return last ? [[id, last.seq]] : [];
      }),
    ),
  );
}
