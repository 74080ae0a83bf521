import { type AppError, invalidRequestError } from '../../kernel/errors/errors.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { toTimestamp } from '../../kernel/operation/schema.ts';
import { requireCurrentSnapshot } from '../../kernel/operation/snapshot.ts';
import { COMPLETED_STATUS } from '../fields.ts';
import { markHasReminders } from '../model/change.queries.ts';
import { taskNotFoundError } from '../model/tasks.policy.ts';
import { assertTasksUnchanged } from '../model/tasks.queries.ts';
import { taskIdInput } from '../model/tasks.schema.ts';
import { toDueInstant, toReminderTime } from '../reminders/reminder-times.ts';
import {
  findReminders,
  type Reminder,
  saveReminders,
  type TaskRemindersRow,
} from '../reminders/reminders.queries.ts';
import { reminders, remindersInput } from '../reminders/reminders.schema.ts';
import { requireUnarchived } from '../write/edit-task.ts';

export const getReminders = defineOperation(
  {
    name: 'getReminders',
    summary: 'Get your reminders for a task',
    description: 'Only you can see your reminders. Archived tasks have none.',
    access: 'tasks:read',
    capability: 'seeTasks',
    effect: 'read',
    input: taskIdInput,
    output: reminders,
  },
  async (ctx, { id }) => {
    const found = await readReminders(ctx, id);
    return { items: found.archived === 1 ? [] : parseReminders(found).map(toReminderItem) };
  },
);

export const setReminders = defineOperation(
  {
    name: 'setReminders',
    summary: 'Set your reminders for a task',
    description: 'Replaces your current reminders. Reminders appear in your inbox and are sent by email.',
    access: 'tasks:write',
    capability: 'seeTasks',
    effect: 'write',
    input: remindersInput,
    output: reminders,
  },
  async (ctx, { id, items }) => {
    const { caller, db, now } = ctx;
    const wanted = items.map(({ minutesBefore, at }) => ({
      minutes_before: minutesBefore ?? null,
      at: at === undefined ? null : Date.parse(at),
    }));
    rejectRepeatedReminders(wanted);
    const found = await readReminders(ctx, id);
    requireUnarchived(found);
    const current = parseReminders(found).map(toReminderItem);
    const shown = wanted.map(toReminderItem);
    requireCurrentSnapshot(ctx.snapshot, { items: shown }, { items: current }, 'own');
    if (JSON.stringify(shown) === JSON.stringify(current)) return { items: current };
    const dueMoment = toDueInstant(found, caller.timezone);
    const isSilent = found.status === COMPLETED_STATUS;
    const timed = wanted.map((each): Reminder => {
      const time = toReminderTime(each, dueMoment);
      return { ...each, remind_at: isSilent || time === null || time <= now ? null : time };
    });
    await db.batch([
      assertTasksUnchanged(caller, [{ id, version: found.version }]),
      markHasReminders(caller.workspace, id),
      ...saveReminders(caller, id, timed),
    ]);
    return { items: shown };
  },
);

async function readReminders({ db, caller }: Context, id: number): Promise<TaskRemindersRow> {
  const [found] = await db.batch([findReminders(caller, id)]);
  if (!found) throw taskNotFoundError(id);
  return found;
}

function parseReminders({ items }: TaskRemindersRow): Reminder[] {
  return JSON.parse(items) as Reminder[];
}

function toReminderItem({ minutes_before: minutesBefore, at }: Pick<Reminder, 'minutes_before' | 'at'>) {
  return minutesBefore === null ? { at: toTimestamp(at ?? 0) } : { minutesBefore };
}

function rejectRepeatedReminders(wanted: readonly Pick<Reminder, 'minutes_before' | 'at'>[]) {
  const seen = new Set<string>();
  for (const [index, { minutes_before, at }] of wanted.entries()) {
    const key = `${minutes_before} ${at}`;
    if (seen.has(key)) throw repeatedReminderError(index);
    seen.add(key);
  }
}

function repeatedReminderError(index: number): AppError {
  return invalidRequestError(({ field }) => `${field('items')}[${index}] must not repeat an earlier item`);
}
