import { defineRoute } from '../../kernel/http/route.ts';
import { cancelMeeting, createMeeting, getMeeting, listMeetings, updateMeeting } from './meetings.ts';

const inQuery = ['descriptionFormat'];

export const meetingRoutes = [
  defineRoute('GET', '/meetings', listMeetings),
  defineRoute('GET', '/meetings/:id', getMeeting),
  defineRoute('POST', '/meetings', createMeeting, { status: 201, inQuery }),
  defineRoute('PATCH', '/meetings/:id', updateMeeting, { inQuery }),
  defineRoute('DELETE', '/meetings/:id', cancelMeeting),
];
