import { type AppError, invalidRequestError } from '../../kernel/errors/errors.ts';
import { type Context, defineOperation } from '../../kernel/operation/operation.ts';
import { toTimestamp } from '../../kernel/operation/schema.ts';
import { requireCurrentSnapshot } from '../../kernel/operation/snapshot.ts';
import { COMPLETED } from '../fields.ts';
import { markReminded } from '../model/change.queries.ts';
import { taskNotFoundError } from '../model/tasks.policy.ts';
import { assertTasksUnchanged } from '../model/tasks.queries.ts';
import { taskIdInput } from '../model/tasks.schema.ts';
import { toDueMoment, toReminderTime } from '../reminders/reminder-times.ts';
import {
  findReminders,
  type RemindedRow,
  type Reminder,
  saveReminders,
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
    return { items: found.archived === 1 ? [] : parseItems(found).map(toItem) };
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
    rejectRepeated(wanted);
    const found = await readReminders(ctx, id);
    requireUnarchived(found);
    const current = parseItems(found).map(toItem);
    const shown = wanted.map(toItem);
    requireCurrentSnapshot(ctx.snapshot, { items: shown }, { items: current }, 'own');
    if (JSON.stringify(shown) === JSON.stringify(current)) return { items: current };
    const dueMoment = toDueMoment(found, caller.timezone);
    const isSilent = found.status === COMPLETED;
    const timed = wanted.map((each): Reminder => {
      const time = toReminderTime(each, dueMoment);
      return { ...each, remind_at: isSilent || time === null || time <= now ? null : time };
    });
    await db.batch([
      assertTasksUnchanged(caller, [{ id, version: found.version }]),
      markReminded(caller.workspace, id),
      ...saveReminders(caller, id, timed),
    ]);
    return { items: shown };
  },
);

async function readReminders({ db, caller }: Context, id: number): Promise<RemindedRow> {
  const [found] = await db.batch([findReminders(caller, id)]);
  if (!found) throw taskNotFoundError(id);
  return found;
}

function parseItems({ items }: RemindedRow): Reminder[] {
  return JSON.parse(items) as Reminder[];
}

function toItem({ minutes_before: minutesBefore, at }: Pick<Reminder, 'minutes_before' | 'at'>) {
  return minutesBefore === null ? { at: toTimestamp(at ?? 0) } : { minutesBefore };
}

function rejectRepeated(wanted: readonly Pick<Reminder, 'minutes_before' | 'at'>[]) {
  const seen = new Set<string>();
  for (const [index, { minutes_before, at }] of wanted.entries()) {
    const key = `${minutes_before} ${at}`;
    if (seen.has(key)) throw repeatedError(index);
    seen.add(key);
  }
}

function repeatedError(index: number): AppError {
  return invalidRequestError(({ field }) => `${field('items')}[${index}] must not repeat an earlier item`);
}
