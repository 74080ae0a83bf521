import * as z from 'zod';
import { getReach } from '../../kernel/access/capabilities.ts';
import { addDays, toWallClock } from '../../kernel/dates/civil-date.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { civilDate, integerId } from '../../kernel/operation/schema.ts';
import { parseStoredSeries } from '../recurrence/recurrence.ts';
import { DAYS_AHEAD_MAX } from '../recurrence/rule-days.ts';
import { type CalendarMeetingRow, listCalendarMeetings as selectMeetings } from './meeting-list.queries.ts';
import { toMeeting } from './meetings.present.ts';
import { meeting } from './meetings.schema.ts';

const MEETINGS_MAX = 200;
const RANGE_DAYS_MAX = 400;
/**
 * The latest occurrence of an active series is in the future, unless someone moved it into the past. The calendar finds
 * the series even if that occurrence was this many days ago.
 */
const DAYS_MOVED_MAX = 31;

const occurrence = z.object({
  date: civilDate,
  time: z.string(),
  /** True for an occurrence that hasn't been created yet. It has no tasks and can't be moved. */
  isPlanned: z.boolean(),
});
const calendarMeeting = meeting.extend({ occurrences: z.array(occurrence) });
export type CalendarMeeting = z.output<typeof calendarMeeting>;

export const listCalendarMeetings = defineOperation(
  {
    name: 'listCalendarMeetings',
    summary: 'List meeting occurrences between two days',
    access: 'session',
    capability: 'listMeetings',
    effect: 'read',
    input: z.strictObject({ from: civilDate, to: civilDate, projectId: integerId.optional() }),
    output: z.object({ data: z.array(calendarMeeting).max(MEETINGS_MAX), isCut: z.boolean() }),
  },
  async (ctx, { from, to: asked, projectId }) => {
    const last = addDays(from, RANGE_DAYS_MAX);
    const days = { from, to: asked < last ? asked : last, projectId };
    const [rows] = await ctx.db.batch([selectCalendarMeetings(ctx, days)]);
    return { data: toCalendarMeetings(ctx, days, rows), isCut: rows.length > MEETINGS_MAX };
  },
);

interface DateRange {
  from: string;
  to: string;
  projectId?: number | undefined;
}

export function selectCalendarMeetings({ caller, now }: Pick<Context, 'caller' | 'now'>, days: DateRange) {
  const activeSince = addDays(toWallClock(now, caller.timezone).date, -DAYS_MOVED_MAX);
  const reader = { caller, reach: getReach(caller, 'listMeetings') };
  return selectMeetings(reader, { ...days, activeSince, limit: MEETINGS_MAX + 1 });
}

export function toCalendarMeetings(
  { caller: { timezone }, now }: Pick<Context, 'caller' | 'now'>,
  { from, to }: DateRange,
  rows: readonly CalendarMeetingRow[],
): CalendarMeeting[] {
  const plannedUntil = addDays(toWallClock(now, timezone).date, DAYS_AHEAD_MAX);
  const within = { from, to, plannedUntil, timezone };
  return rows
    .slice(0, MEETINGS_MAX)
    .map((row) => ({ ...toMeeting(row), occurrences: listOccurrences(row, within) }))
    .filter(({ occurrences }) => occurrences.length > 0);
}

function listOccurrences(
  row: CalendarMeetingRow,
  { from, to, plannedUntil, timezone }: Record<'from' | 'to' | 'plannedUntil' | 'timezone', string>,
): z.output<typeof occurrence>[] {
  const { date, time, slot, recurrence, first_date, first_time, due_at } = row;
  const latest = date >= from && date <= to ? [{ date, time, isPlanned: false }] : [];
  if (recurrence === null || due_at === null) return latest;
  const series = parseStoredSeries(recurrence, { date: first_date, time: first_time, timezone });
  const next = addDays(slot, 1);
  // Ends at `plannedUntil`, because listing a rule's days until the year 9999 would take seconds.
  const planned = series.daysWithin(next > from ? next : from, to < plannedUntil ? to : plannedUntil);
  return [...latest, ...planned.map((day) => ({ date: day, time: first_time, isPlanned: true }))];
}
