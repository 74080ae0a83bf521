import { AppError } from '../../kernel/errors/errors.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import { type Statement, selectIdsInOrder } from '../../kernel/sql/database.ts';
import { showNotifications } from '../../notifications/inbox/hide-notifications.queries.ts';
import { showTimeEntries } from '../../time/tracking/deleted-tasks.queries.ts';
import { findValidFormerParents, listFormerParentTrees } from '../hierarchy/former-parent.ts';
import { assertValidParents } from '../hierarchy/hierarchy.queries.ts';
import { assertTreeMembersUnchanged } from '../hierarchy/tree-members.queries.ts';
import type { TreeWithMembers } from '../hierarchy/tree-members.ts';
import { selectTasksById } from '../model/selection.queries.ts';
import { rescheduleTaskSeries } from '../recurrence/recurrences.queries.ts';
import { rescheduleTaskReminders } from '../reminders/reminders.queries.ts';
import { showTrees, toRelocatedTrees } from '../write/relocate.ts';
import { assertRestorable, deleteTrash, type TrashedTask } from './trash.queries.ts';

/** Reads the tasks' former parents. The statements abort the batch if something that was read has changed. */
export async function planRestoration(
  ctx: Context,
  tasks: readonly TrashedTask[],
  trees: readonly TreeWithMembers[],
): Promise<Statement<void>[]> {
  const { caller, db, reach, now } = ctx;
  const formerPlaces = tasks.map((task) => ({ ...task, parentId: task.former_parent }));
  const [parentTrees] = await db.batch([listFormerParentTrees(caller, formerPlaces)]);
  const places = new Map(formerPlaces.map((place) => [place.id, place]));
  const restored = trees.flatMap((tree) => {
    const place = places.get(tree.root);
    return place ? [{ tree, ...place }] : [];
  });
  const parents = findValidFormerParents(parentTrees, restored);
  const shown = toRelocatedTrees(trees);
  const ids = selectIdsInOrder([...shown.rootOf.keys()]);
  return [
    assertRestorable(caller, reach, shown.roots),
    assertTreeMembersUnchanged(trees),
    ...deleteTrash(caller, shown.roots),
    ...showTrees(ctx, shown, parents),
    ...(parents.size === 0 ? [] : [assertValidParents(caller, selectTasksById([...parents.keys()]))]),
    rescheduleTaskSeries(caller, ids),
    rescheduleTaskReminders(caller, ids, now),
    showTimeEntries(caller.workspace, ids),
    ...showNotifications(caller.workspace, ids),
  ];
}

export function notInTrashError(id: number): AppError {
  return new AppError(
    'not_found',
    ({ call }) =>
      `Task ${id} isn't in the trash, or you can't restore it; ${call('listTrash')} lists the tasks that you can restore.`,
  );
}
