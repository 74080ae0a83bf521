import * as z from 'zod';
import { toChanges } from '../../events/feed/events.present.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { UNDO_MS } from '../../kernel/removals/undo-window.ts';
import { findValidFormerParent, listFormerParentTree } from '../hierarchy/former-parent.ts';
import { listTreeMembers } from '../hierarchy/tree-members.queries.ts';
import { taskNotFoundError } from '../model/tasks.policy.ts';
import { findTaskState } from '../model/tasks.queries.ts';
import { taskIdInput } from '../model/tasks.schema.ts';
import { planMove, startMoveFollowUps } from './move-task.ts';
import { findLastOwnMove, findTargetProject } from './moving.queries.ts';

const reference = z.object({ id: z.int() });
const recordedMove = z.object({
  project: z.object({ from: reference, to: reference }),
  parent: z.object({ from: reference.nullable() }).optional(),
});

export const undoTaskMove = defineOperation(
  {
    name: 'undoTaskMove',
    summary: 'Undo moving a task, and restore its project and parent',
    access: 'session',
    capability: 'seeTasks',
    effect: 'write',
    input: taskIdInput,
    output: successOutput,
    replay: successReplay,
  },
  async (ctx, { id }) => {
    const { caller, db, now } = ctx;
    const [task, found, members] = await db.batch([
      findTaskState(caller, id),
      findLastOwnMove(caller, id, now - UNDO_MS),
      listTreeMembers(caller, id),
    ]);
    if (!task) throw taskNotFoundError(id);
    const move = found && recordedMove.parse(toChanges(found.changes));
    if (!move || move.project.to.id !== task.project || task.archived === 1) throw moveNotUndoableError();
    const { from } = move.project;
    const parentId = task.parent === null ? (move.parent?.from?.id ?? null) : null;
    const [target, trees] = await db.batch([
      findTargetProject(caller, from.id),
      listFormerParentTree(caller, parentId),
    ]);
    if (!target) throw moveNotUndoableError();
    const parent = findValidFormerParent(trees, {
      project: from.id,
      parentId,
      members,
    });
    const planned = { task, members, project: from.id, parent };
    const writes = planMove(ctx, planned);
    await db.batch(writes);
    startMoveFollowUps(ctx, planned, writes);
    return { success: true as const };
  },
);

function moveNotUndoableError() {
  return invalidRequestError(
    "Can't undo this: someone has since moved or archived the task, you can no longer see its former project, or more than 10 minutes have passed.",
  );
}
