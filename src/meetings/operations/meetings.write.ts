import type { FieldChange } from '../../events/log/event-types.ts';
import { recordEvent } from '../../events/log/record.queries.ts';
import type { WriteContext } from '../../kernel/operation/operation.ts';
import type { Statement } from '../../kernel/sql/database.ts';
import { toIdParameter } from '../../kernel/sql/expressions.queries.ts';
import { emptyDraft, type TaskDraft } from '../../tasks/model/insert.queries.ts';
import { createTasks } from '../../tasks/write/tasks.write.ts';
import {
  assertProjectMembers,
  insertMeeting,
  insertMeetingTasks,
  type MeetingChanges,
  type NewMeeting,
  newestMeetingId,
  updateMeeting,
} from './meetings.queries.ts';
import type { DueMeeting } from './occurrences.queries.ts';

export function insertMeetingWithTasks(
  ctx: WriteContext,
  meeting: NewMeeting,
  members: readonly number[],
): Statement<void>[] {
  return [
    assertProjectMembers(meeting.project, [ctx.caller.member, ...members]),
    insertMeeting(ctx, meeting),
    ...createTasks(ctx, buildTaskDrafts(meeting, meeting, members)),
    insertMeetingTasks(newestMeetingId, 1, members),
    recordEvent(ctx, {
      type: 'meeting.created',
      project: meeting.project,
      entity: newestMeetingId,
      changes: diffMeeting({}, meeting),
    }),
  ];
}

export function advanceToNextOccurrence(
  ctx: WriteContext,
  meeting: DueMeeting,
  next: Required<Pick<MeetingChanges, 'date' | 'time' | 'slot' | 'due_at'>>,
  members: readonly number[],
): Statement<void>[] {
  const occurrence = meeting.occurrence + 1;
  return [
    ...updateMeeting(meeting, { ...next, occurrence }),
    assertProjectMembers(meeting.project, [ctx.caller.member, ...members]),
    ...createTasks(ctx, buildTaskDrafts(meeting, next, members)),
    insertMeetingTasks(toIdParameter(meeting.id), occurrence, members),
    recordMeetingChange(ctx, meeting, { date: next.date, time: next.time }),
  ];
}

interface LoggedMeeting {
  name?: string;
  date?: string;
  time?: string;
  link?: string | null;
  location?: string | null;
  recurrence?: string | null;
}

const loggedFields = {
  name: 'name',
  date: 'date',
  time: 'time',
  link: 'meetingLink',
  location: 'location',
  recurrence: 'recurrence',
} as const;

/**
 * `before` is the meeting as it was read. The same batch must run `updateMeeting`, which aborts the batch if the
 * meeting has changed since then.
 */
export function recordMeetingChange(
  ctx: WriteContext,
  before: LoggedMeeting & { id: number; project: number },
  after: LoggedMeeting,
): Statement<void> {
  const { id, project } = before;
  return recordEvent(ctx, {
    type: 'meeting.updated',
    project,
    entity: id,
    changes: diffMeeting(before, after),
  });
}

export function recordCancellation(
  ctx: WriteContext,
  { id, project_id: project }: { id: number; project_id: number },
): Statement<void> {
  return recordEvent(ctx, { type: 'meeting.cancelled', project, entity: id });
}

export function recordRestoration(
  ctx: WriteContext,
  { id, project_id: project }: { id: number; project_id: number },
): Statement<void> {
  return recordEvent(ctx, {
    type: 'meeting.updated',
    project,
    entity: id,
    changes: { isCancelled: { from: true, to: false } },
  });
}

function diffMeeting(before: LoggedMeeting, after: LoggedMeeting): Record<string, FieldChange> {
  const fields = Object.entries(loggedFields) as [keyof LoggedMeeting, string][];
  return Object.fromEntries(
    fields
      .filter(([column]) => after[column] !== undefined && after[column] !== (before[column] ?? null))
      .map(([column, field]) => [field, { from: before[column] ?? null, to: after[column] ?? null }]),
  );
}

type TaskContents = Pick<TaskDraft, 'project' | 'name' | 'description' | 'duration_minutes'>;

function buildTaskDrafts(
  { project, name, description, duration_minutes }: TaskContents,
  { date, time }: { date: string; time: string },
  members: readonly number[],
): TaskDraft[] {
  return members.map((assignee) => ({
    ...emptyDraft,
    project,
    assignee,
    name,
    description,
    due: date,
    scheduled_time: time,
    duration_minutes,
  }));
}
