import * as z from 'zod';
import { AppError } from '../kernel/errors/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { WriteConflictError } from '../kernel/sql/database.ts';
import { indexWaitingTextsAfterResponse } from '../search/index/index-waiting.ts';
import { assertStillMembers } from '../tasks/bulk/edits.queries.ts';
import { assertNoNewerEntries } from '../tasks/bulk/undo.queries.ts';
import { deleteCommentsBy } from '../tasks/comments/comments.queries.ts';
import { listArchivedAlong } from '../tasks/hierarchy/hierarchy.queries.ts';
import { listTreesOf, TaskTree } from '../tasks/hierarchy/task-tree.ts';
import type { BulkTaskState } from '../tasks/model/bulk-states.queries.ts';
import type { TaskChanges } from '../tasks/model/change.queries.ts';
import { buildEditStatements } from '../tasks/write/edit-task.ts';
import { recordDeletedComments } from '../tasks/write/tasks.write.ts';
import { listParentsOfOthers } from './app-activity.queries.ts';
import { rangeInput, type UndoStep, undoResult } from './app-activity.schema.ts';
import { readUndoPlan, toPart } from './app-sessions.ts';

type Edit = { readonly task: BulkTaskState; readonly changes: TaskChanges };

export const undoAppSession = defineOperation(
  {
    name: 'undoAppSession',
    summary: 'Undo what an app of yours did, except what others have changed since',
    description: 'Undoes only changes that no one has overwritten, so it is safe to repeat.',
    access: 'session',
    capability: 'seeTasks',
    effect: 'write',
    input: z.strictObject(rangeInput),
    output: undoResult,
    repeat: {
      answer: async () => ({ undone: 0, kept: 0, impossible: 0, hasMore: true, next: null }),
    },
  },
  async (ctx, input) => {
    const { caller, db } = ctx;
    const part = toPart(ctx, input);
    const { credential, history, tasks, members, parentsOfOthers, plan, next } = await readUndoPlan(
      ctx,
      part,
    );
    const listIdsToSet = (archived: number) =>
      plan.edits.flatMap(({ task, changes }) => (changes.archived === archived ? [task.id] : []));
    const parents = plan.edits.flatMap(({ task: { id }, changes: { parent } }) =>
      parent === undefined ? [] : [{ id, parentId: parent }],
    );
    const archiving = removeDescendants(listIdsToSet(1), tasks);
    const [archived, restored, parentsNow, trees] = await db.batch([
      listArchivedAlong(caller, archiving, 1),
      listArchivedAlong(caller, listIdsToSet(0), 0),
      listParentsOfOthers(caller, part),
      ...listTreesOf(caller, parents),
    ] as const);
    if (parentsNow.some(({ id }) => !parentsOfOthers.has(id))) throw new WriteConflictError('a new subtask');
    const along = [...archived, ...restored];
    const isAlong = new Set(along.map(({ id }) => id));
    const { edits, misplaced } = placeInTree(
      plan.edits.filter(
        ({ task, changes }) =>
          changes.archived === undefined ||
          (!isAlong.has(task.id) && (changes.archived === 0 || archiving.includes(task.id))),
      ),
      new TaskTree(trees),
    );
    const undoing = { ...ctx, undoOf: input.app };
    const comments = [...plan.comments];
    const changed = [...new Set([...edits.map(({ task }) => task.id), ...comments.map(({ task }) => task)])];
    const claims = [
      assertNoNewerEntries(
        caller,
        new Map(changed.map((id) => [id, history.findLast(({ task }) => task === id)?.seq ?? null])),
      ),
      assertStillMembers(
        caller,
        members.map(({ no }) => no),
      ),
    ];
    const also =
      comments.length === 0
        ? []
        : [
            ...deleteCommentsBy(
              caller.workspace,
              credential.member,
              comments.map(({ id }) => id),
            ),
            ...recordDeletedComments(undoing, comments),
          ];
    const writes =
      edits.length > 0
        ? await buildEditStatements(undoing, edits, { claims, also, along })
        : also.length > 0
          ? [...claims, ...also]
          : [];
    if (writes.length > 0) {
      await db.batch(writes);
      indexWaitingTextsAfterResponse(ctx, writes);
    }
    const count = (outcome: UndoStep['outcome']) =>
      plan.steps.filter((step) => step.outcome === outcome).length;
    return {
      undone: count('undo') - misplaced,
      kept: count('kept'),
      impossible: count('impossible') + misplaced,
      hasMore: count('later') > 0,
      next,
    };
  },
);

/** Archiving a task also archives its subtasks, and restoring it then restores them. */
function removeDescendants(ids: readonly number[], tasks: readonly BulkTaskState[]): number[] {
  const parents = new Map(tasks.map(({ id, parent }) => [id, parent]));
  const isBelow = (id: number): boolean => {
    const above = parents.get(id) ?? null;
    return above !== null && (ids.includes(above) || isBelow(above));
  };
  return ids.filter((id) => !isBelow(id));
}

/** Keeps the current parent of a task that can't return to its former one, for example because that one is archived. */
function placeInTree(edits: readonly Edit[], tree: TaskTree): { edits: Edit[]; misplaced: number } {
  let misplaced = 0;
  const placed = edits.flatMap(({ task, changes }): Edit[] => {
    if (changes.parent === undefined) return [{ task, changes }];
    try {
      tree.place({ ...task, parentId: changes.parent });
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
