import type { CellJob } from '../../kernel/operation/jobs.ts';
import { notifyReminded } from '../../notifications/inbox/notify.queries.ts';
import { toDueMoment, toReminderTime } from '../reminders/reminder-times.ts';
import {
  DELETED_TASK_REMINDER_TIME,
  type DueReminderRow,
  deleteReminders,
  hasDueReminders,
  listDueReminders,
  selectReminded,
  setReminderTimes,
} from '../reminders/reminders.queries.ts';

const REMINDERS_PER_RUN = 200;

/** Runs can overlap, because a reminder is delivered only if its time hasn't changed since it was read. */
export const deliverReminders: CellJob = {
  name: 'reminders.deliver',
  /** One statement finds the reminders, and three deliver, postpone and delete them. */
  cost: 4,
  isDue: hasDueReminders,
  async run(scope, no) {
    const { now } = scope;
    const cell = scope.cell(no);
    const [due] = await cell.batch([listDueReminders(now, REMINDERS_PER_RUN)]);
    if (due.length === 0) return false;
    const gone = due.filter(({ is_wanted }) => is_wanted === 0);
    const kept = due.filter(({ is_wanted }) => is_wanted === 1);
    const times = kept.map((each) => findLaterTime(each, now));
    const reached = kept.filter((each, index) => times[index] === null && isDeliverable(each));
    await cell.batch([
      notifyReminded(selectReminded(reached), now),
      setReminderTimes(kept, times),
      deleteReminders(gone),
    ]);
    return due.length === REMINDERS_PER_RUN;
  },
};

/** Returns a reminder's correct time if it's later than the stored one, for example after a time zone change. */
function findLaterTime(reminder: DueReminderRow, now: number): number | null {
  if (reminder.is_hidden === 1) return DELETED_TASK_REMINDER_TIME;
  const time = findTime(reminder);
  return time !== null && time > now && reminder.is_silent === 0 ? time : null;
}

function isDeliverable(reminder: DueReminderRow): boolean {
  return reminder.is_silent === 0 && findTime(reminder) !== null;
}

function findTime(reminder: DueReminderRow): number | null {
  const { due, due_time, timezone } = reminder;
  return toReminderTime(reminder, due === null ? null : toDueMoment({ due, due_time }, timezone));
}
