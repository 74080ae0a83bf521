import { type AppError, forbiddenError } from '../../kernel/errors/errors.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import { type Statement, selectIdsInOrder } from '../../kernel/sql/database.ts';
import { hideNotifications } from '../../notifications/inbox/hide-notifications.queries.ts';
import { hideTimeEntries, stopTaskTimers } from '../../time/tracking/deleted-tasks.queries.ts';
import { assertTreeMembersUnchanged } from '../hierarchy/tree-members.queries.ts';
import type { TreeWithMembers } from '../hierarchy/tree-members.ts';
import { assertTasksUnchanged, type TaskVersion } from '../model/tasks.queries.ts';
import { hideTrees, toRelocatedTrees } from '../write/relocate.ts';
import {
  assertProjectsOwned,
  type DeletedTask,
  insertTrash,
  selectLastHiddenMember,
} from './trash.queries.ts';

/**
 * The statements abort the batch if something that was read has changed.
 * @param tasks the tasks that the caller may delete: the roots, and maybe tasks below them.
 */
export function planDeletion(
  ctx: Context,
  tasks: readonly (DeletedTask & TaskVersion)[],
  trees: readonly TreeWithMembers[],
): Statement<void>[] {
  const { caller, reach } = ctx;
  const hidden = toRelocatedTrees(trees);
  const ids = selectIdsInOrder([...hidden.rootOf.keys()]);
  const roots = tasks.filter(({ id }) => hidden.roots.includes(id));
  return [
    assertTasksUnchanged(caller, tasks),
    assertTreeMembersUnchanged(trees),
    ...(reach === 'all'
      ? []
      : [assertProjectsOwned(caller, [...new Set(tasks.map(({ project }) => project))])]),
    ...stopTaskTimers(ctx, ids),
    ...hideTrees(ctx, hidden),
    hideTimeEntries(caller.workspace, ids),
    insertTrash(ctx, roots),
    ...hideNotifications(caller.workspace, ids, {
      after: 0,
      upTo: selectLastHiddenMember(hidden.roots[0] ?? 0),
    }),
  ];
}

export function taskNotDeletableError(id: number): AppError {
  return forbiddenError(
    `Only the project lead, and workspace owners and admins, can delete task ${id}. Ask one of them, or archive it.`,
  );
}
