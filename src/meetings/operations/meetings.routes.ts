import { defineRoute } from '../../kernel/http/route.ts';
import { cancelMeeting, createMeeting, getMeeting, listMeetings, updateMeeting } from './meetings.ts';

export const meetingRoutes = [
  defineRoute('GET', '/meetings', listMeetings),
  defineRoute('GET', '/meetings/:id', getMeeting),
  defineRoute('POST', '/meetings', createMeeting, { status: 201 }),
  defineRoute('PATCH', '/meetings/:id', updateMeeting),
  defineRoute('DELETE', '/meetings/:id', cancelMeeting),
];
