import * as z from 'zod';
import { integerId } from '../../kernel/operation/schema.ts';
import { buildToolLine, quoteLines } from '../../kernel/text/tool-text.ts';
import {
  additiveHints,
  defineTool,
  destructiveHints,
  personReference,
  pickFields,
  projectReference,
  readOnlyHints,
  resolveCallReferences,
  summaryOutput,
  textOffsetInput,
} from '../../kernel/tools/tool.ts';
import {
  buildToolPageSchema,
  rejectOverriddenArguments,
  toolPageInput,
  toSingleItemPage,
  trimPage,
} from '../../kernel/tools/tool-page.ts';
import {
  type Meeting,
  meetingCreateInput,
  meetingIdInput,
  meetingListInput,
  meetingUpdateInput,
} from './meetings.schema.ts';
import { cancelMeeting, createMeeting, getMeeting, listMeetings, updateMeeting } from './meetings.ts';

const meetingRow = z.strictObject({
  id: z.int(),
  name: z.string(),
  project: summaryOutput,
  date: z.string(),
  time: z.string(),
  duration: summaryOutput,
  meetingLink: z.string().nullable(),
  location: z.string().nullable(),
  recurrence: z.string().nullable(),
  participants: z.array(summaryOutput),
  description: z.string().nullable().optional(),
});
type MeetingRow = z.output<typeof meetingRow>;
const writtenMeeting = z.strictObject({ meeting: meetingRow });
const changedMeeting = writtenMeeting.extend({ notified: z.array(z.string()) });

function toMeetingRow(meeting: Meeting): MeetingRow {
  return {
    ...pickFields(meeting, 'id', 'name', 'project', 'date', 'time', 'duration'),
    ...pickFields(meeting, 'meetingLink', 'location', 'recurrence'),
    participants: meeting.participants.map((each) => pickFields(each, 'name', 'taskId', 'status')),
  };
}

function toMeetingLine(each: MeetingRow): string {
  return buildToolLine(
    `${each.id} ${each.name}`,
    `${each.date} ${each.time}`,
    String(each.project.name),
    each.participants.map((person) => person.name).join(', '),
    each.recurrence,
    each.location,
    each.meetingLink,
  );
}

export const findMeetings = defineTool(
  {
    name: 'find_meetings',
    title: 'Find meetings',
    description: 'List meetings by latest occurrence, or get one with `id`.',
    access: 'tasks:read',
    hints: readOnlyHints,
    input: meetingListInput.omit({ projectId: true, offset: true }).extend({
      id: integerId.optional(),
      project: projectReference.optional(),
      from: meetingListInput.shape.from.meta({ description: undefined }),
      to: meetingListInput.shape.to.meta({ description: undefined }),
      order: meetingListInput.shape.order.unwrap().optional().meta({ description: undefined }),
      ...toolPageInput,
      textOffset: textOffsetInput,
    }),
    output: buildToolPageSchema(meetingRow),
    fields: { projectId: 'project' },
    covers: { listMeetings: '' },
    lines: ({ data }) =>
      data.flatMap((each) => [
        toMeetingLine(each),
        ...(each.description ? quoteLines(each.description) : []),
      ]),
  },
  async (ctx, { id, project, textOffset: skip, ...filter }) => {
    if (id !== undefined) {
      rejectOverriddenArguments('id', { project, ...filter });
      const found = await ctx.run(getMeeting, { id, descriptionFormat: 'markdown' });
      return toSingleItemPage({ ...toMeetingRow(found), description: found.description });
    }
    rejectOverriddenArguments('a list', { textOffset: skip });
    const { projectId } = await resolveCallReferences(ctx, { project });
    return trimPage(await ctx.list(listMeetings, { ...filter, projectId }), toMeetingRow);
  },
);

export const createMeetingTool = defineTool(
  {
    name: 'create_meeting',
    title: 'Schedule a meeting',
    description: 'Create a task for each participant (project members only).',
    access: 'tasks:write',
    hints: additiveHints,
    input: meetingCreateInput.omit({ projectId: true, participantIds: true }).extend({
      project: projectReference,
      participants: z.array(personReference).min(1).max(100),
      description: meetingCreateInput.shape.description.meta({ description: 'Markdown.' }),
      time: meetingCreateInput.shape.time.meta({ description: 'HH:MM' }),
      recurrence: meetingCreateInput.shape.recurrence.meta({
        description: 'RRULE, such as FREQ=WEEKLY;BYDAY=MO.',
      }),
    }),
    output: writtenMeeting,
    fields: { projectId: 'project', participantIds: 'participants' },
    lines: ({ meeting }) => [`Scheduled ${toMeetingLine(meeting)}`],
  },
  async (ctx, { project, participants, ...draft }) => {
    const { projectId, userIds } = await resolveCallReferences(ctx, { project, people: participants });
    const input = {
      ...draft,
      projectId: projectId as number,
      participantIds: userIds,
      descriptionFormat: 'markdown' as const,
    };
    return { meeting: toMeetingRow(await ctx.run(createMeeting, input)) };
  },
);

export const updateMeetingTool = defineTool(
  {
    name: 'update_meeting',
    title: 'Move a meeting',
    description: 'Change the latest occurrence for everyone. Omitted fields are kept; null clears a field.',
    access: 'tasks:write',
    hints: destructiveHints,
    input: meetingUpdateInput.extend({
      date: meetingUpdateInput.shape.date.meta({ description: undefined }),
      time: meetingUpdateInput.shape.time.meta({ description: undefined }),
      meetingLink: meetingUpdateInput.shape.meetingLink.meta({ description: undefined }),
      location: meetingUpdateInput.shape.location.meta({ description: undefined }),
    }),
    output: changedMeeting,
    lines: ({ meeting, notified }) => [
      `Now ${toMeetingLine(meeting)}`,
      buildToolLine(notified.length > 0 ? `Notified ${notified.join(', ')}` : 'No one was notified.'),
    ],
  },
  async (ctx, input) => {
    const { id, ...changes } = input;
    const isEmpty = Object.values(changes).every((value) => value === undefined);
    const before = isEmpty ? null : await ctx.run(getMeeting, { id });
    const meeting = await ctx.run(updateMeeting, input);
    const isChanged = JSON.stringify(before) !== JSON.stringify(meeting);
    const others = meeting.participants.filter(({ id }) => id !== ctx.caller.userId);
    return { meeting: toMeetingRow(meeting), notified: isChanged ? others.map(({ name }) => name) : [] };
  },
);

export const cancelMeetingTool = defineTool(
  {
    name: 'cancel_meeting',
    title: 'Cancel a meeting',
    description: 'Remove a meeting from lists, but keep its tasks.',
    access: 'tasks:write',
    hints: destructiveHints,
    input: meetingIdInput,
    output: z.strictObject({ success: z.literal(true) }),
    lines: () => ['Canceled.'],
  },
  (ctx, { id }) => ctx.run(cancelMeeting, { id }),
);
