import * as z from 'zod';
import { toChanges } from '../../events/feed/events.present.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { integerId, successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { UNDO_MS } from '../../kernel/removals/undo-window.ts';
import { findValidFormerParents, listFormerParentTrees } from '../hierarchy/former-parent.ts';
import { listTreeMembers } from '../hierarchy/tree-members.queries.ts';
import { buildTrees } from '../hierarchy/tree-members.ts';
import { listTaskStates } from '../model/bulk-states.queries.ts';
import { listTargetProjects } from '../moving/moving.queries.ts';
import { planMoves, startMoveFollowUps } from '../moving/plan-moves.ts';
import { listHistorySince } from './undo.queries.ts';

const reference = z.object({ id: z.int() });
const recordedMove = z.object({
  project: z.object({ from: reference, to: reference }),
  parent: z.object({ from: reference.nullable() }).optional(),
});

export const undoTaskMoves = defineOperation(
  {
    name: 'undoTaskMoves',
    summary: 'Undo your latest moves of tasks to another project, and restore their projects and parents',
    access: 'session',
    capability: 'seeTasks',
    effect: 'write',
    input: z.strictObject({ ids: z.array(integerId).min(1).max(100), since: z.int() }),
    output: successOutput,
    replay: successReplay,
  },
  async (ctx, { ids, since }) => {
    const { caller, db, now } = ctx;
    const [tasks, history, found] = await db.batch([
      listTaskStates(caller, ids, 0),
      listHistorySince(caller, ids, Math.max(since, now - UNDO_MS)),
      listTreeMembers(caller, ids),
    ]);
    const formerPlaces = tasks.flatMap((task) => {
      const last = history.findLast(
        (entry) => entry.task === task.id && entry.type === 'task.moved' && entry.is_own === 1,
      );
      const move = last && recordedMove.parse(toChanges(last.changes));
      if (!move || move.project.to.id !== task.project || task.archived === 1) return [];
      const parentId = task.parent === null ? (move.parent?.from?.id ?? null) : null;
      return [{ task, project: move.project.from.id, parentId }];
    });
    const [targets, parentTrees] = await db.batch([
      listTargetProjects(
        caller,
        formerPlaces.map(({ project }) => project),
      ),
      listFormerParentTrees(caller, formerPlaces),
    ]);
    const undoable = formerPlaces.filter(({ project }) => targets.some(({ id }) => id === project));
    const places = new Map(undoable.map((place) => [place.task.id, place]));
    const moved = buildTrees([...places.keys()], found).flatMap((tree) => {
      const place = places.get(tree.root);
      return place ? [{ tree, ...place }] : [];
    });
    if (moved.length === 0) throw movesNotUndoableError();
    const parents = findValidFormerParents(parentTrees, moved);
    const moves = moved.map(({ tree, project }) => ({
      tree,
      project,
      parent: parents.get(tree.root) ?? null,
    }));
    const writes = planMoves(
      ctx,
      undoable.map(({ task }) => task),
      moves,
    );
    await db.batch(writes);
    startMoveFollowUps(ctx, moves, writes);
    return { success: true as const };
  },
);

function movesNotUndoableError() {
  return invalidRequestError(
    "Can't undo this: someone has since moved or archived the tasks, you can no longer see their former project, or more than 10 minutes have passed.",
  );
}
