import * as z from 'zod';
import { AppError } from '../kernel/errors/errors.ts';
import { type Context, defineOperation } from '../kernel/operation/operation.ts';
import { batchByName } from '../kernel/sql/batch-by-name.ts';
import { WriteConflictError } from '../kernel/sql/database.ts';
import { indexWaitingTextsAfterResponse } from '../search/index/index-waiting-texts.ts';
import { deleteCommentsOfAuthor } from '../tasks/comments/comments.queries.ts';
import { listAffectedDescendants } from '../tasks/hierarchy/hierarchy.queries.ts';
import { listAffectedTrees, TaskTree } from '../tasks/hierarchy/task-tree.ts';
import type { BulkTaskState } from '../tasks/model/bulk-states.queries.ts';
import type { TaskChanges } from '../tasks/model/change.queries.ts';
import { assertActiveAssignees } from '../tasks/operations/task-references.queries.ts';
import { buildEditStatements } from '../tasks/write/edit-task.ts';
import { recordDeletedComments } from '../tasks/write/tasks.write.ts';
import { type ChangePage, listTasksWithOtherSubtasks } from './app-activity.queries.ts';
import { rangeInput, type UndoStep, undoResult } from './app-activity.schema.ts';
import { readUndoPlan, toChangePage } from './app-sessions.ts';
import { assertNoChangesSince, restoreParts, runRestorations } from './restore-parts.ts';
import type { PlannedStep, UndoStage } from './undo-steps.ts';

type Edit = { readonly task: BulkTaskState; readonly changes: TaskChanges };

export const undoAppSession = defineOperation(
  {
    name: 'undoAppSession',
    summary: 'Undo the changes made by one of your apps, except those that others have overwritten',
    description: 'Undoing the same changes again has no effect.',
    access: 'session',
    capability: 'seeTasks',
    effect: 'write',
    input: z.strictObject(rangeInput),
    output: undoResult,
    replay: {
      rebuild: async () => ({ undone: 0, kept: 0, impossible: 0, hasMore: true, next: null }),
    },
  },
  async (ctx, input) => {
    const page = toChangePage(ctx, input);
    const found = await readUndoPlan(ctx, page);
    const undoing = { ...ctx, undoOf: input.app };
    const { steps } = found.plan;
    let { isDone, failed } = await undoFields(undoing, page, found);
    const stages: UndoStage[] = ['fields'];
    if (!isDone) {
      isDone = await restoreParts(undoing, found);
      stages.push('parts');
    }
    if (!isDone) {
      failed += await runRestorations(undoing, found);
      stages.push('others');
    }
    const count = (outcome: UndoStep['outcome'], isIncluded: (step: PlannedStep) => boolean = () => true) =>
      steps.filter((step) => step.outcome === outcome && isIncluded(step)).length;
    const wasIncluded = ({ stage = 'fields' }: PlannedStep) => stages.includes(stage);
    return {
      undone: count('undo', wasIncluded) - failed,
      kept: count('kept'),
      impossible: count('impossible') + failed,
      hasMore: count('later') + count('undo', (step) => !wasIncluded(step)) > 0,
      next: found.next,
    };
  },
);

type LoadedPlan = Awaited<ReturnType<typeof readUndoPlan>>;

/**
 * Restores fields, archives new tasks and deletes new comments. `failed` counts tasks that can't return to their
 * previous parent.
 */
async function undoFields(
  ctx: Context,
  page: ChangePage,
  { credential, history, tasks, members, tasksWithOtherSubtasks, plan }: LoadedPlan,
): Promise<{ isDone: boolean; failed: number }> {
  const { caller, db } = ctx;
  if (plan.edits.length === 0 && plan.comments.length === 0) return { isDone: false, failed: 0 };
  const listIdsToSet = (archived: number) =>
    plan.edits.flatMap(({ task, changes }) => (changes.archived === archived ? [task.id] : []));
  const parents = plan.edits.flatMap(({ task: { id }, changes: { parent } }) =>
    parent === undefined ? [] : [{ id, parentId: parent }],
  );
  const archiving = excludeDescendants(listIdsToSet(1), tasks);
  const { archived, restored, parentsNow, trees } = await batchByName(db, {
    archived: listAffectedDescendants(caller, archiving, 1),
    restored: listAffectedDescendants(caller, listIdsToSet(0), 0),
    parentsNow: listTasksWithOtherSubtasks(caller, page),
    trees: listAffectedTrees(caller, parents),
  });
  if (parentsNow.some(({ id }) => !tasksWithOtherSubtasks.has(id)))
    throw new WriteConflictError('a subtask was added while the changes were being undone');
  const descendants = [...archived, ...restored];
  const isDescendant = new Set(descendants.map(({ id }) => id));
  const { edits, misplaced } = restoreParents(
    plan.edits.filter(
      ({ task, changes }) =>
        changes.archived === undefined ||
        (!isDescendant.has(task.id) && (changes.archived === 0 || archiving.includes(task.id))),
    ),
    new TaskTree(trees ?? []),
  );
  const comments = [...plan.comments];
  const assertions = [
    assertNoChangesSince(caller, history, [
      ...edits.map(({ task }) => task.id),
      ...comments.map(({ task }) => task),
    ]),
    assertActiveAssignees(
      caller,
      members.map(({ no }) => no),
    ),
  ];
  const extraStatements =
    comments.length === 0
      ? []
      : [
          ...deleteCommentsOfAuthor(
            caller.workspace,
            credential.member,
            comments.map(({ id }) => id),
          ),
          ...recordDeletedComments(ctx, comments),
        ];
  const writes =
    edits.length > 0
      ? await buildEditStatements(ctx, edits, { assertions, extraStatements, descendants })
      : extraStatements.length > 0
        ? [...assertions, ...extraStatements]
        : [];
  if (writes.length > 0) {
    await db.batch(writes);
    indexWaitingTextsAfterResponse(ctx, writes);
  }
  return { isDone: writes.length > 0, failed: misplaced };
}

/**
 * Leaves out the descendants of other tasks in the list, because archiving or restoring a task includes its subtasks.
 */
function excludeDescendants(ids: readonly number[], tasks: readonly BulkTaskState[]): number[] {
  const parents = new Map(tasks.map(({ id, parent }) => [id, parent]));
  const isBelow = (id: number): boolean => {
    const above = parents.get(id) ?? null;
    return above !== null && (ids.includes(above) || isBelow(above));
  };
  return ids.filter((id) => !isBelow(id));
}

/**
 * Keeps a task's current parent if the task can't return to its previous parent, for example because that parent is
 * archived.
 */
function restoreParents(edits: readonly Edit[], tree: TaskTree): { edits: Edit[]; misplaced: number } {
  let misplaced = 0;
  const placed = edits.flatMap(({ task, changes }): Edit[] => {
    if (changes.parent === undefined) return [{ task, changes }];
    try {
      tree.placeTask({ ...task, parentId: changes.parent });
      return [{ task, changes }];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      misplaced += 1;
      const { parent: _, ...others } = changes;
      return Object.keys(others).length > 0 ? [{ task, changes: others }] : [];
    }
  });
  return { edits: placed, misplaced };
}
