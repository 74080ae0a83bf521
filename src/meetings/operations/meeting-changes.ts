import { toInstant } from '../../kernel/dates/civil-date.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import { notifyParticipants } from '../../notifications/inbox/notify.queries.ts';
import { changeTasks } from '../../tasks/write/tasks.write.ts';
import type { EffectiveChanges } from './meetings.policy.ts';
import { assertProjectMembers, type MeetingRow, updateMeeting } from './meetings.queries.ts';
import { recordMeetingChange } from './meetings.write.ts';
import { selectOccurrenceTasks } from './occurrences.queries.ts';

export function buildMeetingChange(ctx: Context, found: MeetingRow, changes: EffectiveChanges) {
  const start = { date: changes.date ?? found.date, time: changes.time ?? found.time };
  const due_at = found.due_at === null ? null : toInstant(start.date, start.time, ctx.caller.timezone);
  return [
    assertProjectMembers(found.project_id, [ctx.caller.member]),
    ...updateMeeting(found, { ...changes, due_at }),
    ...rescheduleTasks(ctx, found, changes, start),
    ...notifyParticipants(ctx, 'meeting_updated', { ...found, project: found.project_id }),
    recordMeetingChange(ctx, { ...found, project: found.project_id }, changes),
  ];
}

/** If only the time changes, each task keeps its due date, which the assignee may have changed. */
function rescheduleTasks(
  ctx: Context,
  found: MeetingRow,
  changes: EffectiveChanges,
  start: { date: string; time: string },
) {
  if (changes.date === undefined && changes.time === undefined) return [];
  const day = changes.date === undefined ? {} : { due: start.date };
  return changeTasks(ctx, selectOccurrenceTasks(found), { ...day, scheduled_time: start.time });
}
