import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { endCalendarFeed, getCalendarFeed, renewCalendarFeed } from './calendar-feed.ts';

export const calendarFeedWebOperations: readonly AnyOperation[] = [
  getCalendarFeed,
  renewCalendarFeed,
  endCalendarFeed,
];
