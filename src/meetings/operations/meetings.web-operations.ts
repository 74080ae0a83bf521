import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { listCalendarMeetings } from './calendar.ts';
import { moveMeeting } from './move-meeting.ts';
import { restoreMeeting } from './restore-meeting.ts';

export const meetingWebOperations: readonly AnyOperation[] = [
  listCalendarMeetings,
  moveMeeting,
  restoreMeeting,
];
