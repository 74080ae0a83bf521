import type { Context } from '../../kernel/operation/operation.ts';
import { isProvisionalId } from '../../kernel/operation/provisional-ids.ts';
import { listTrees, type TreeRow } from '../../tasks/hierarchy/hierarchy.queries.ts';
import { TaskTree } from '../../tasks/hierarchy/task-tree.ts';
import { type FoldedItems, getPendingParent } from '../model/fold-items.ts';
import type { PendingSet } from './pending-set.ts';

interface TaskWithParent {
  readonly id?: number | undefined;
  readonly parentId?: number | null | undefined;
}

interface PendingTree {
  readonly tree: TaskTree;
  readonly trees: readonly TreeRow[];
}

/** Returns null if no item names a parent. Otherwise, reads the trees of these items and of the set. */
export async function readPendingTree(
  { db, caller }: Context,
  { folded }: PendingSet,
  items: readonly TaskWithParent[],
): Promise<PendingTree | null> {
  const moved = items.filter(({ parentId }) => parentId !== undefined);
  if (moved.every(({ id, parentId }) => parentId === null && id === undefined)) return null;
  const staged = [...folded.tasks.values()].flatMap(({ id, changes: { parent } }): TaskWithParent[] =>
    parent === undefined ? [] : [{ id, parentId: parent === null ? null : Number(parent) }],
  );
  const all = [...staged, ...moved];
  const listStored = (ids: readonly (number | null | undefined)[]) =>
    ids.filter((id): id is number => typeof id === 'number' && !isProvisionalId(id));
  const [trees] = await db.batch([
    listTrees(caller, {
      ids: listStored(all.map(({ id }) => id)),
      parents: listStored(all.map(({ parentId }) => parentId)),
    }),
  ]);
  return { tree: buildPendingTree(trees, folded), trees };
}

/** Builds the trees that a request is checked against: the stored ones, changed by the staged items. */
function buildPendingTree(rows: readonly TreeRow[], folded: FoldedItems): TaskTree {
  const tree = new TaskTree(rows);
  for (const { id, stored, changes } of folded.tasks.values()) {
    if (!stored) tree.addTask(id, Number(changes.project));
    if (changes.archived !== undefined) tree.setArchived(id, Number(changes.archived));
    if (changes.parent !== undefined) tree.setParent(id, getPendingParent({ stored, changes }));
  }
  return tree;
}
