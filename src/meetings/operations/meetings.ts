import { toInstant, toWallClock } from '../../kernel/dates/civil-date.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { buildPage, toRange } from '../../kernel/lists/pagination.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { OperationResponse } from '../../kernel/operation/operation-response.ts';
import { successOutput, successReplay } from '../../kernel/operation/schema.ts';
import { saveRemoval } from '../../kernel/removals/removals.queries.ts';
import { descriptionFormatInput } from '../../kernel/rich-text/description-format.ts';
import { sanitizeRichText } from '../../kernel/rich-text/rich-text.ts';
import { toIdParameter } from '../../kernel/sql/expressions.queries.ts';
import { notifyParticipants } from '../../notifications/inbox/notify.queries.ts';
import { projectNotFoundError } from '../../tasks/visibility/project-visibility.policy.ts';
import { parseNewSeries } from '../recurrence/recurrence.ts';
import { buildMeetingChange } from './meeting-changes.ts';
import { countMeetings, listMeetings as selectMeetings } from './meeting-list.queries.ts';
import {
  getEffectiveChanges,
  meetingNotFoundError,
  requireCancelPermission,
  requireDescriptionSize,
  requireProjectMembers,
  requireProjectMembership,
  requireRecurrencePermission,
} from './meetings.policy.ts';
import { toMeeting } from './meetings.present.ts';
import {
  assertMeetingVersion,
  findMeeting,
  findMeetingProject,
  listProjectMembers,
  type MeetingRow,
  newestMeetingId,
  selectMeetingStateAsJson,
  updateMeeting as updateMeetingRow,
} from './meetings.queries.ts';
import {
  type MeetingCreateInput,
  meeting,
  meetingCreateInput,
  meetingIdInput,
  meetingListInput,
  meetingPage,
  meetingUpdateInput,
  toTotalMinutes,
} from './meetings.schema.ts';
import { insertMeetingWithTasks, recordCancellation } from './meetings.write.ts';
import { buildRemoval } from './restore-meeting.ts';

const DURATION_MINUTES_DEFAULT = 60;

export const listMeetings = defineOperation(
  {
    name: 'listMeetings',
    summary: 'List meetings, sorted by their latest occurrence',
    description: 'Returns meetings of projects you belong to; owners and admins see all meetings.',
    access: 'tasks:read',
    capability: 'listMeetings',
    effect: 'read',
    input: meetingListInput.extend({ descriptionFormat: descriptionFormatInput }),
    output: meetingPage,
  },
  async ({ db, caller, reach, now }, input) => {
    const range = toRange(input, 3);
    const [total, rows] = await db.batch([
      countMeetings({ caller, reach }, input),
      selectMeetings({ caller, reach }, input, range, now),
    ]);
    return buildPage({
      range,
      total,
      rows,
      key: (row) => [row.is_over, `${row.date}T${row.time}`, row.id],
      show: toMeeting,
    });
  },
);

export const getMeeting = defineOperation(
  {
    name: 'getMeeting',
    summary: 'Get a meeting with its latest occurrence',
    description: 'The date and time have no time zone. Every viewer sees the same time.',
    access: 'tasks:read',
    capability: 'seeMeetings',
    effect: 'read',
    input: meetingIdInput.extend({ descriptionFormat: descriptionFormatInput }),
    output: meeting,
    returnsVersion: true,
  },
  async ({ db, caller }, { id }) => {
    const [found] = await db.batch([findMeeting(caller, toIdParameter(id))]);
    if (!found) throw meetingNotFoundError(id);
    return toVersionedResponse(found);
  },
);

function toVersionedResponse(found: MeetingRow) {
  return new OperationResponse(toMeeting(found), { version: found.version });
}

async function readPrecondition({ db, caller }: Context, id: number) {
  const [found] = await db.batch([findMeeting(caller, toIdParameter(id))]);
  if (!found) throw meetingNotFoundError(id);
  const { version } = found;
  return { version, unchanged: assertMeetingVersion(caller, id, version) };
}

export const createMeeting = defineOperation(
  {
    name: 'createMeeting',
    summary: 'Schedule a meeting, with one task per participant',
    description:
      'You must belong to the project. `recurrence` requires the lead role or higher, and a plan with recurring meetings.',
    access: 'tasks:write',
    capability: 'scheduleMeetings',
    effect: 'write',
    input: meetingCreateInput.extend({ descriptionFormat: descriptionFormatInput }),
    output: meeting,
    returnsVersion: true,
    replay: {
      entity: newestMeetingId,
      rebuild: async ({ db, caller }, _input, id) => {
        const [made] = await db.batch([findMeeting(caller, toIdParameter(id))]);
        if (!made) throw meetingNotFoundError(id);
        return toVersionedResponse(made);
      },
    },
  },
  async (ctx, input) => {
    const { db, caller } = ctx;
    const draft = toMeetingDraft(ctx, input);
    const userIds = [...new Set(input.participantIds)];
    const [project, people] = await db.batch([
      findMeetingProject(caller, input.projectId),
      listProjectMembers(caller, input.projectId, userIds),
    ]);
    if (!project) throw projectNotFoundError(input.projectId, 'projectId');
    requireProjectMembership({ id: project.id, isJoined: project.is_joined === 1 });
    if (draft.recurrence !== null) requireRecurrencePermission(ctx);
    const found = people.map((person) => person.user_id);
    requireProjectMembers(project.id, userIds, found);
    const members = people.map((person) => person.member);
    const [created] = await db.writeThenRead(insertMeetingWithTasks(ctx, draft, members), [
      findMeeting(caller, newestMeetingId),
    ]);
    if (!created) throw new Error('the meeting that the batch wrote was not found');
    return toVersionedResponse(created);
  },
);

function toMeetingDraft({ caller, now }: Context, input: MeetingCreateInput) {
  const { projectId, name, date, time, recurrence } = input;
  const description = input.description ? sanitizeRichText(input.description) : null;
  requireDescriptionSize(description);
  const first = { date, time, timezone: caller.timezone };
  const series = recurrence
    ? parseNewSeries(recurrence, first, toWallClock(now, caller.timezone).date)
    : null;
  const recurs = series !== null && series.dayAfter(first) !== null;
  return {
    project: projectId,
    name,
    description,
    link: input.meetingLink ?? null,
    location: input.location ?? null,
    duration_minutes: input.duration ? toTotalMinutes(input.duration) : DURATION_MINUTES_DEFAULT,
    recurrence: recurrence ?? null,
    date,
    time,
    due_at: recurs ? toInstant(date, time, caller.timezone) : null,
  };
}

export const updateMeeting = defineOperation(
  {
    name: 'updateMeeting',
    summary: "Change the time or place of a meeting's latest occurrence",
    description: "Applies to all participants. Earlier occurrences don't change. Send at least one field.",
    access: 'tasks:write',
    capability: 'seeMeetings',
    effect: 'write',
    input: meetingUpdateInput.extend({ descriptionFormat: descriptionFormatInput }),
    output: meeting,
    returnsVersion: true,
    precondition: readPrecondition,
  },
  async (ctx, { id, descriptionFormat: _format, ...input }) => {
    const { db, caller } = ctx;
    if (Object.values(input).every((value) => value === undefined)) {
      throw invalidRequestError('Send at least one of date, time, meetingLink and location; got none.');
    }
    const [found] = await db.batch([findMeeting(caller, toIdParameter(id))]);
    if (!found) throw meetingNotFoundError(id);
    requireProjectMembership({ id: found.project_id, isJoined: found.is_joined === 1 });
    const changes = getEffectiveChanges(found, input);
    if (Object.keys(changes).length === 0) return toVersionedResponse(found);
    const [changed] = await db.writeThenRead(buildMeetingChange(ctx, found, changes), [
      findMeeting(caller, toIdParameter(id)),
    ]);
    if (!changed) throw meetingNotFoundError(id);
    return toVersionedResponse(changed);
  },
);

export const cancelMeeting = defineOperation(
  {
    name: 'cancelMeeting',
    summary: 'Cancel a meeting',
    description: 'Removes it from the lists and ends its recurrence. Existing tasks are kept.',
    access: 'tasks:write',
    capability: 'cancelMeetings',
    effect: 'write',
    input: meetingIdInput,
    output: successOutput,
    replay: successReplay,
    precondition: readPrecondition,
  },
  async (ctx, { id }) => {
    const { db, caller, now } = ctx;
    const [found] = await db.batch([findMeeting(caller, toIdParameter(id))]);
    if (!found) throw meetingNotFoundError(id);
    requireCancelPermission(ctx, id);
    await db.batch([
      saveRemoval(buildRemoval(ctx, id), selectMeetingStateAsJson(id), now),
      ...updateMeetingRow(found, { cancelled_at: now, due_at: null }),
      ...notifyParticipants(ctx, 'meeting_cancelled', { ...found, project: found.project_id }),
      recordCancellation(ctx, found),
    ]);
    return { success: true as const };
  },
);
