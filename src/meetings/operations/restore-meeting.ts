import * as z from 'zod';
import { toInstant } from '../../kernel/dates/civil-date.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { deleteUndoneRemoval, findRemoval, type Removal } from '../../kernel/removals/removals.queries.ts';
import { cannotRestoreError } from '../../kernel/removals/undo-window.ts';
import { toIdParameter } from '../../kernel/sql/expressions.queries.ts';
import { notifyParticipants } from '../../notifications/inbox/notify.queries.ts';
import { requireCancelPermission } from './meetings.policy.ts';
import { findMeeting, restoreCanceledMeeting } from './meetings.queries.ts';
import { meetingIdInput } from './meetings.schema.ts';
import { recordRestoration } from './meetings.write.ts';

export function buildRemoval({ caller }: Pick<Context, 'caller'>, entity: number): Removal {
  return { ws: caller.workspace, kind: 'meeting', entity, userId: caller.userId };
}

const canceledState = z.object({ isOver: z.boolean() });

export const restoreMeeting = defineOperation(
  {
    name: 'restoreMeeting',
    summary: 'Restore a canceled meeting',
    description: 'You can undo your own cancellation for 10 minutes.',
    access: 'session',
    capability: 'cancelMeetings',
    effect: 'write',
    input: meetingIdInput,
    output: successOutput,
    replay: successReplay,
  },
  async (ctx, { id }) => {
    const { caller, db, now } = ctx;
    const removal = buildRemoval(ctx, id);
    const [found, removed] = await db.batch([
      findMeeting(caller, toIdParameter(id), { isCanceled: true }),
      findRemoval(removal, now),
    ]);
    if (!found) throw cannotRestoreError('meeting');
    requireCancelPermission(ctx, id);
    if (!removed) throw cannotRestoreError('meeting');
    const { isOver } = canceledState.parse(JSON.parse(removed.rows));
    const due_at = isOver ? null : toInstant(found.date, found.time, caller.timezone);
    await db.batch([
      ...deleteUndoneRemoval(removal, now),
      ...restoreCanceledMeeting(caller, found, due_at),
      ...notifyParticipants(ctx, 'meeting_updated', { ...found, project: found.project_id }),
      recordRestoration(ctx, found),
    ]);
    return { success: true as const };
  },
);
