import type { CellJob } from '../../kernel/operation/jobs.ts';
import { notifyAboutReminders } from '../../notifications/inbox/notify.queries.ts';
import { toDueInstant, toReminderTime } from '../reminders/reminder-times.ts';
import {
  DELETED_TASK_REMINDER_TIME,
  type DueReminderRow,
  deleteReminders,
  hasDueReminders,
  listDueReminders,
  selectReminderRecipients,
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
    const times = kept.map((each) => getPostponedTime(each, now));
    const reached = kept.filter((each, index) => times[index] === null && isDeliverable(each));
    await cell.batch([
      notifyAboutReminders(selectReminderRecipients(reached), now),
      setReminderTimes(kept, times),
      deleteReminders(gone),
    ]);
    return due.length === REMINDERS_PER_RUN;
  },
};

/**
 * Returns a later time if the reminder isn't due yet, for example after a time zone change, or if its task is deleted.
 * Returns null if the reminder is due, or if its task is completed or archived.
 */
function getPostponedTime(reminder: DueReminderRow, now: number): number | null {
  if (reminder.is_hidden === 1) return DELETED_TASK_REMINDER_TIME;
  const time = getReminderTime(reminder);
  return time !== null && time > now && reminder.is_silent === 0 ? time : null;
}

function isDeliverable(reminder: DueReminderRow): boolean {
  return reminder.is_silent === 0 && getReminderTime(reminder) !== null;
}

function getReminderTime(reminder: DueReminderRow): number | null {
  const { due, due_time, timezone } = reminder;
  return toReminderTime(reminder, due === null ? null : toDueInstant({ due, due_time }, timezone));
}
