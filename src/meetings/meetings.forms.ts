import type { AnyOperation } from '../kernel/operation.ts';
import { listCalendarMeetings } from './calendar.ts';

export const meetingForms: readonly AnyOperation[] = [listCalendarMeetings];
