import { toInstant } from '../../kernel/dates/civil.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import { notifyParticipants } from '../../notifications/inbox/notify.queries.ts';
import { changeTasks } from '../../tasks/write/tasks.write.ts';
import type { RealChanges } from './meetings.policy.ts';
import { assertProjectMembers, type MeetingRow, updateMeeting } from './meetings.queries.ts';
import { recordMeetingChange } from './meetings.write.ts';
import { tasksOf } from './occurrences.queries.ts';

/** The statements that move a meeting, or change where it takes place. */
export function changeMeeting(ctx: Context, found: MeetingRow, changes: RealChanges) {
  const start = { date: changes.date ?? found.date, time: changes.time ?? found.time };
  const due_at = found.due_at === null ? null : toInstant(start.date, start.time, ctx.caller.timezone);
  return [
    assertProjectMembers(found.project_id, [ctx.caller.member]),
    ...updateMeeting(found, { ...changes, due_at }),
    ...moveTasks(ctx, found, changes, start),
    ...notifyParticipants(ctx, 'meeting_updated', { ...found, project: found.project_id }),
    recordMeetingChange(ctx, { ...found, project: found.project_id }, changes),
  ];
}

/** A new time alone leaves each task on its day, because its assignee may have changed the day. */
function moveTasks(
  ctx: Context,
  found: MeetingRow,
  changes: RealChanges,
  start: { date: string; time: string },
) {
  if (changes.date === undefined && changes.time === undefined) return [];
  const day = changes.date === undefined ? {} : { due: start.date };
  return changeTasks(ctx, tasksOf(found), { ...day, scheduled_time: start.time });
}
