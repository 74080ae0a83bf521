import * as z from 'zod';
import { recordEvent } from '../event-log/record.queries.ts';
import { invalidRequest } from '../kernel/errors.ts';
import { operation } from '../kernel/operation.ts';
import { integerId } from '../kernel/schema.ts';
import { realChanges, requireUnarchived, taskNotFound } from '../task-model/tasks.policy.ts';
import { assertWritable, findTaskState } from '../task-model/tasks.queries.ts';
import { taskStatuses } from '../task-model/tasks.schema.ts';
import { changeTask } from '../task-write/tasks.write.ts';
import { placeCard } from './place-card.queries.ts';

export const moveCard = operation(
  {
    name: 'moveCard',
    summary: 'Move a card to a column of the board, and there above or below another card',
    access: 'session',
    capability: 'seeTasks',
    effect: 'write',
    input: z.strictObject({
      id: integerId,
      status: z.enum(taskStatuses),
      /** The card that it comes to lie right above. */
      above: integerId.optional(),
      /** The card that it comes to lie right below. */
      below: integerId.optional(),
    }),
    output: z.object({ isMoved: z.boolean().meta({ description: 'To another column.' }) }),
    repeat: { answer: async () => ({ isMoved: false }) },
  },
  async (ctx, { id, status: to, above, below }) => {
    const { db, caller } = ctx;
    const status = taskStatuses.indexOf(to);
    const beside = above ?? below;
    const [task, neighbour] = await db.batch([findTaskState(caller, id), findTaskState(caller, beside ?? 0)]);
    if (!task) throw taskNotFound(id);
    if (beside !== undefined && !neighbour) throw taskNotFound(beside);
    requireUnarchived(task);
    if (neighbour && (neighbour.id === id || neighbour.project !== task.project)) {
      throw invalidRequest(`Task ${id} lies beside another task of its own project, and of no other.`);
    }
    const changes = realChanges(task, { status });
    const isMoved = Object.keys(changes).length > 0;
    if (!isMoved && !neighbour) return { isMoved };
    await db.batch([
      assertWritable(caller, id),
      ...(isMoved
        ? changeTask(ctx, task, changes)
        : [
            recordEvent(ctx, {
              type: 'task.updated',
              project: task.project,
              task: id,
              changes: { place: null },
            }),
          ]),
      ...(neighbour
        ? placeCard(ctx, {
            task: id,
            project: task.project,
            status,
            beside: neighbour.id,
            side: above === undefined ? 'below' : 'above',
          })
        : []),
    ]);
    return { isMoved };
  },
);
