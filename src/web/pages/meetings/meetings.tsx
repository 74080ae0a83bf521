import * as z from 'zod';
import { civilDate, integerId } from '../../../kernel/operation/schema.ts';
import { listCalendarMeetings } from '../../../meetings/operations/calendar.ts';
import { cancelMeeting, createMeeting, getMeeting } from '../../../meetings/operations/meetings.ts';
import { moveMeeting as moveMeetingTo } from '../../../meetings/operations/move-meeting.ts';
import { restoreMeeting } from '../../../meetings/operations/restore-meeting.ts';
import { listStatusesInProject } from '../../../projects/operations/project-columns.ts';
import { getProject, listProjectMembers } from '../../../projects/operations/projects.ts';
import { listProjectChoices } from '../../../search/lookup/choices.ts';
import { defineForm, definePage } from '../../page-model/page.ts';
import { buildUndoneMessage } from '../task-list/undo-form.ts';
import { MeetingView } from './meeting.view.tsx';
import { buildMovedMessage } from './moved-message.ts';
import { NewMeetingView } from './new-meeting.view.tsx';
import { buildNewMeetingPath, CHECK_AVAILABILITY_BUTTON, parseMeetingForm } from './new-meeting-form.ts';

export const meetingParams = z.object({ meeting: integerId });
export const meetingReads = { meeting: getMeeting, statuses: listStatusesInProject };

export const meetingPage = definePage({
  name: 'meeting',
  path: '/meetings/:meeting',
  title: ({ answers }) => answers.meeting.name,
  params: meetingParams,
  reads: meetingReads,
  inputs: ({ meeting }) => ({ meeting: { id: meeting }, statuses: { meetingId: meeting } }),
  view: MeetingView,
});

export const newMeetingParams = z.object({
  projectId: integerId.optional(),
  date: civilDate.optional(),
  time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .optional(),
  minutes: z.int().min(1).max(1440).default(60),
});
export const newMeetingReads = { projects: listProjectChoices };
export const newMeetingOptionalReads = {
  members: listProjectMembers,
  day: listCalendarMeetings,
  selectedProject: getProject,
};

export const newMeetingPage = definePage({
  name: 'newMeeting',
  path: '/meetings/new',
  title: () => 'New meeting',
  params: newMeetingParams,
  reads: newMeetingReads,
  optionalReads: newMeetingOptionalReads,
  filters: ['projectId', 'date', 'time', 'minutes'],
  inputs: ({ projectId: project, date }) => ({
    projects: { scope: 'mine' as const },
    members: project === undefined ? null : { id: project },
    day: date === undefined ? null : { from: date, to: date },
    selectedProject: project === undefined ? null : { id: project },
  }),
  view: NewMeetingView,
  script: 'meeting',
});

export const createMeetingForm = defineForm({
  name: 'planMeeting',
  path: '/meetings',
  operation: createMeeting,
  multiline: ['description'],
  toInput: parseMeetingForm,
  errorPage: buildNewMeetingPath,
  isPreview: (fields) => fields.has(CHECK_AVAILABILITY_BUTTON),
  redirectTo: ({ id }, { base }) => `${base}/meetings/${id}`,
});
export const moveMeetingForm = defineForm({
  name: 'moveMeeting',
  path: '/meetings/:id',
  operation: moveMeetingTo,
  flash: ({ output }) => buildMovedMessage(output),
});
export const cancelMeetingForm = defineForm({
  name: 'cancelMeeting',
  path: '/meetings/:id/cancel',
  operation: cancelMeeting,
  redirectTo: (_output, { base }) => `${base}/calendar`,
  removal: 'undone',
  flash: ({ input: { id } }) => ({
    text: 'Meeting canceled',
    undo: { path: `/meetings/${id}/restore`, fields: {} },
  }),
});
export const restoreMeetingForm = defineForm({
  name: 'restoreMeeting',
  path: '/meetings/:id/restore',
  operation: restoreMeeting,
  flash: buildUndoneMessage,
});
