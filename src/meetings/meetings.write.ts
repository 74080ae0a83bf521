import type { Statement } from '../kernel/database.ts';
import { idOf } from '../kernel/expressions.queries.ts';
import type { WriteContext } from '../kernel/operation.ts';
import type { TaskDraft } from '../task-model/change.queries.ts';
import { emptyDraft } from '../task-model/task-input.ts';
import { createTasks } from '../task-write/tasks.write.ts';
import {
  assertProjectMembers,
  insertMeeting,
  insertMeetingTasks,
  type MeetingChanges,
  type NewMeeting,
  newestMeeting,
  updateMeeting,
} from './meetings.queries.ts';
import type { DueMeeting } from './occurrences.queries.ts';

/** Inserts a meeting with its first occurrence; `newestMeeting` then names it. */
export function startMeeting(
  ctx: WriteContext,
  meeting: NewMeeting,
  members: readonly number[],
): Statement<void>[] {
  return [
    assertProjectMembers(meeting.project, [ctx.caller.member, ...members]),
    insertMeeting(ctx, meeting),
    ...createTasks(ctx, taskDrafts(meeting, meeting, members)),
    insertMeetingTasks(newestMeeting, 1, members),
  ];
}

/** The next occurrence of a meeting as it was read. */
export function continueMeeting(
  ctx: WriteContext,
  meeting: DueMeeting,
  next: Required<Pick<MeetingChanges, 'date' | 'time' | 'slot' | 'due_at'>>,
  members: readonly number[],
): Statement<void>[] {
  const occurrence = meeting.occurrence + 1;
  return [
    ...updateMeeting(meeting, { ...next, occurrence }),
    assertProjectMembers(meeting.project, [ctx.caller.member, ...members]),
    ...createTasks(ctx, taskDrafts(meeting, next, members)),
    insertMeetingTasks(idOf(meeting.id), occurrence, members),
  ];
}

type Agenda = Pick<TaskDraft, 'project' | 'name' | 'description' | 'duration_minutes'>;

/** One task a participant, in their order. */
function taskDrafts(
  { project, name, description, duration_minutes }: Agenda,
  { date, time }: { date: string; time: string },
  members: readonly number[],
): TaskDraft[] {
  return members.map((member) => ({
    ...emptyDraft,
    project,
    member,
    name,
    description,
    due: date,
    scheduled_time: time,
    duration_minutes,
  }));
}
