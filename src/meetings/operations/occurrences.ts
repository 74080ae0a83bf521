import { toInstant, toWallClock } from '../../kernel/dates/civil-date.ts';
import type { CellJob } from '../../kernel/operation/jobs.ts';
import { describeError, log } from '../../kernel/operation/log.ts';
import type { WriteContext } from '../../kernel/operation/operation.ts';
import { countAffordableUnits } from '../../kernel/sql/budget.ts';
import { type Database, WriteConflictError } from '../../kernel/sql/database.ts';
import { parseStoredSeries } from '../recurrence/recurrence.ts';
import { updateMeeting } from './meetings.queries.ts';
import { advanceToNextOccurrence } from './meetings.write.ts';
import { type DueMeeting, hasDueMeetings, listDueMeetings } from './occurrences.queries.ts';

const MEETINGS_PER_RUN = 20;
/** The number of statements that create an occurrence, plus those that schedule a retry if that fails. */
const OCCURRENCE_COST = 24;
const RETRY_DELAY_MS = 5 * 60_000;

export const generateOccurrences: CellJob = {
  name: 'meetings.generate',
  cost: 1 + OCCURRENCE_COST,
  isDue: hasDueMeetings,
  async run(scope, no, allowance) {
    const cell = scope.cell(no);
    const limit = countAffordableUnits({ left: allowance.left - 1 }, OCCURRENCE_COST, MEETINGS_PER_RUN);
    const [due] = await cell.batch([listDueMeetings(scope.now, limit)]);
    for (const meeting of due)
      await generateNextOccurrence(cell, meeting, scope.now, { cell: no, meeting: meeting.id });
    return due.length === limit;
  },
};

type MeetingKey = { cell: number; meeting: number };

async function generateNextOccurrence(cell: Database, meeting: DueMeeting, now: number, key: MeetingKey) {
  try {
    await createNextOccurrence(cell, meeting, now, key);
  } catch (error) {
    // Another run was faster, or someone changed the meeting. The next run continues.
    if (error instanceof WriteConflictError) return;
    log('error', 'meeting.failed', { ...key, cause: describeError(error) });
    await scheduleRetry(cell, meeting, now, key);
  }
}

async function createNextOccurrence(cell: Database, meeting: DueMeeting, now: number, key: MeetingKey) {
  const { timezone } = meeting;
  const members = JSON.parse(meeting.members) as number[];
  const next = findNextDay(meeting, now);
  if (next === null || meeting.creator_stays === 0 || members.length === 0) {
    await cell.batch(updateMeeting(meeting, { due_at: null }));
    const reason =
      next === null ? 'the rule ended' : members.length === 0 ? 'no participants left' : 'its creator left';
    log('info', 'meeting.ended', { ...key, reason });
    return;
  }
  const { day, isLast } = next;
  const time = meeting.first_time;
  const caller = { workspace: meeting.ws, member: meeting.created_by, timezone };
  const ctx: WriteContext = { caller, via: 'system', now };
  const due_at = isLast ? null : toInstant(day, time, timezone);
  await cell.batch(advanceToNextOccurrence(ctx, meeting, { slot: day, date: day, time, due_at }, members));
}

/**
 * Returns the first future day of the series, so that only one occurrence is created after an outage. If no day is in
 * the future, returns the last day, or null if it already has an occurrence.
 */
function findNextDay(meeting: DueMeeting, now: number): { day: string; isLast: boolean } | null {
  const { timezone, first_date: date, first_time: time, slot } = meeting;
  const series = parseStoredSeries(meeting.recurrence, { date, time, timezone });
  const clock = toWallClock(now, timezone);
  // The latest occurrence may have been moved to an earlier day. Its original day must not get another occurrence.
  const isEarly = `${clock.date}T${clock.time}` < `${slot}T${time}`;
  const day = series.dayAfter(isEarly ? { date: slot, time } : clock);
  if (day !== null) return { day, isLast: series.dayAfter({ date: day, time }) === null };
  const last = series.lastDay();
  return last > slot ? { day: last, isLast: true } : null;
}

/** Prevents a meeting that always fails from being first in every run. */
async function scheduleRetry(cell: Database, meeting: DueMeeting, now: number, key: MeetingKey) {
  try {
    await cell.batch(updateMeeting(meeting, { due_at: now + RETRY_DELAY_MS }));
  } catch (error) {
    if (error instanceof WriteConflictError) return;
    log('error', 'meeting.not_postponed', { ...key, cause: describeError(error) });
  }
}
