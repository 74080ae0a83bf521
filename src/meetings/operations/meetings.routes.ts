import { route } from '../../kernel/http/route.ts';
import { cancelMeeting, createMeeting, getMeeting, listMeetings, updateMeeting } from './meetings.ts';

export const meetingRoutes = [
  route('GET', '/meetings', listMeetings),
  route('GET', '/meetings/:id', getMeeting),
  route('POST', '/meetings', createMeeting, { status: 201 }),
  route('PATCH', '/meetings/:id', updateMeeting),
  route('DELETE', '/meetings/:id', cancelMeeting),
];
