import * as z from 'zod';
import { toInstant } from '../../kernel/dates/civil.ts';
import { type Context, operation } from '../../kernel/operation/operation.ts';
import { done, doneAgain } from '../../kernel/operation/schema.ts';
import { findRemoval, type Removal, takeRemoval } from '../../kernel/removals/removals.queries.ts';
import { cannotUndoError } from '../../kernel/removals/undo-window.ts';
import { idOf } from '../../kernel/sql/expressions.queries.ts';
import { notifyParticipants } from '../../notifications/inbox/notify.queries.ts';
import { requireMayCancel } from './meetings.policy.ts';
import { findMeeting, uncancelMeeting } from './meetings.queries.ts';
import { meetingIdInput } from './meetings.schema.ts';
import { recordRestoration } from './meetings.write.ts';

export function buildRemoval({ caller }: Pick<Context, 'caller'>, entity: number): Removal {
  return { ws: caller.workspace, kind: 'meeting', entity, userId: caller.userId };
}

const cancelledState = z.object({ isOver: z.boolean() });

export const restoreMeeting = operation(
  {
    name: 'restoreMeeting',
    summary: 'Undo the cancellation of a meeting',
    description: 'You can undo your own cancellation for 10 minutes.',
    access: 'session',
    capability: 'cancelMeetings',
    effect: 'write',
    input: meetingIdInput,
    output: done,
    repeat: doneAgain,
  },
  async (ctx, { id }) => {
    const { caller, db, now } = ctx;
    const removal = buildRemoval(ctx, id);
    const [found, removed] = await db.batch([
      findMeeting(caller, idOf(id), { isCancelled: true }),
      findRemoval(removal, now),
    ]);
    if (!found) throw cannotUndoError('meeting');
    requireMayCancel(ctx, id);
    if (!removed) throw cannotUndoError('meeting');
    const { isOver } = cancelledState.parse(JSON.parse(removed.rows));
    const due_at = isOver ? null : toInstant(found.date, found.time, caller.timezone);
    await db.batch([
      ...takeRemoval(removal, now),
      ...uncancelMeeting(caller, found, due_at),
      ...notifyParticipants(ctx, 'meeting_updated', { ...found, project: found.project_id }),
      recordRestoration(ctx, found),
    ]);
    return { success: true as const };
  },
);
