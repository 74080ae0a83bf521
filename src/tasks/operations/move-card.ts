import * as z from 'zod';
import { recordEvent } from '../../events/log/record.queries.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { integerId } from '../../kernel/operation/schema.ts';
import { taskNotFoundError } from '../model/tasks.policy.ts';
import { findTaskState } from '../model/tasks.queries.ts';
import { taskStatuses } from '../model/tasks.schema.ts';
import { prepareTaskEdit } from '../write/edit-task.ts';
import { placeCard } from './place-card.queries.ts';

export const moveCard = defineOperation(
  {
    name: 'moveCard',
    summary: 'Move a card to a board column, above or below another card',
    access: 'session',
    capability: 'seeTasks',
    effect: 'write',
    input: z.strictObject({
      id: integerId,
      status: z.enum(taskStatuses),
      /** The id of the card that the moved card is placed directly above. */
      above: integerId.optional(),
      /** The id of the card that the moved card is placed directly below. */
      below: integerId.optional(),
    }),
    output: z.object({
      isMoved: z.boolean().meta({ description: 'Whether the card is now in a different column.' }),
    }),
    replay: { rebuild: async () => ({ isMoved: false }) },
  },
  async (ctx, { id, status: to, above, below }) => {
    const status = taskStatuses.indexOf(to);
    const neighborId = above ?? below;
    let isMoved = false;
    const reads = { neighbor: findTaskState(ctx.caller, neighborId ?? 0) };
    const writes = await prepareTaskEdit(ctx, id, reads, (task, { neighbor }) => {
      if (neighborId !== undefined && !neighbor) throw taskNotFoundError(neighborId);
      const { project } = task;
      if (neighbor && (neighbor.id === id || neighbor.project !== project)) {
        throw invalidRequestError(`Task ${id} can only be placed next to another task in the same project.`);
      }
      isMoved = task.status !== status;
      if (!neighbor) return { changes: { status } };
      const side = above === undefined ? 'below' : 'above';
      const placing = placeCard(ctx, { task: id, project, status, beside: neighbor.id, side });
      const placed = { type: 'task.updated', project, task: id, changes: { place: null } } as const;
      return {
        changes: { status },
        extraStatements: [...(isMoved ? [] : [recordEvent(ctx, placed)]), ...placing],
      };
    });
    if (writes.length > 0) await ctx.db.batch(writes);
    return { isMoved };
  },
);
