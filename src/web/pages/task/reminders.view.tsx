import type * as z from 'zod';
import { toWallClock } from '../../../kernel/dates/civil-date.ts';
import { taskFields } from '../../../tasks/fields.ts';
import { REMINDERS_MAX, type reminders } from '../../../tasks/reminders/reminders.schema.ts';
import { useRejectedForm, useVisit } from '../../components/context.ts';
import { Field } from '../../components/field.tsx';
import { Form } from '../../components/form.tsx';
import { formatShortDate } from '../../components/time.tsx';
import type { Task } from './task.view.tsx';

type ReminderItems = z.output<typeof reminders>['items'];

/** Has a button, because saving on every change event would save half-typed times. */
export function DueTimeProperty({ task: { id, deadline, dueTime = null } }: { task: Task }) {
  const { base } = useVisit();
  const { label } = taskFields.dueTime;
  if (deadline === null) return null;
  return (
    <div class="property">
      <dt aria-hidden="true">{label}</dt>
      <dd class="entry">
        <Form
          action={`${base}/tasks/${id}`}
          class="due-time"
          of={{ field: 'dueTime' }}
          snapshot={{ dueTime }}
        >
          <Field name="dueTime" label={label} isLabelHidden type="time" value={dueTime ?? ''} isOptional />
          <button type="submit" class="quiet" aria-label={`Save: ${label}`}>
            Save
          </button>
        </Form>
      </dd>
    </div>
  );
}

const offeredMinutes = [0, 10, 30, 60, 1_440, 10_080];

export function RemindersProperty({ task, items }: { task: Task; items: ReminderItems }) {
  const { caller, today } = useVisit();
  if (task.isArchived) return null;
  const describe = (item: ReminderItems[number]) =>
    describeReminder(item, { timezone: caller.timezone, today });
  return (
    <div class="property">
      <dt>Reminders</dt>
      <dd>
        {items.length === 0 ? 'None' : items.map(describe).join(', ')}
        <RemindersForm task={task} items={items} describe={describe} />
      </dd>
    </div>
  );
}

interface RemindersFormProps {
  task: Task;
  items: ReminderItems;
  describe: (item: ReminderItems[number]) => string;
}

function RemindersForm({ task, items, describe }: RemindersFormProps) {
  const { base, caller, rejected } = useVisit();
  const action = `${base}/tasks/${task.id}/reminders`;
  const added = offeredMinutes.filter((minutes) => !items.some((item) => item.minutesBefore === minutes));
  const offered: ReminderItems = [...items, ...added.map((minutesBefore) => ({ minutesBefore }))];
  return (
    <details class="edit" open={rejected?.action === action}>
      <summary>Remind me</summary>
      <Form action={action} label="Reminders" of={{ zone: caller.timezone }} snapshot={{ items }}>
        <fieldset class="field">
          <legend>Up to {REMINDERS_MAX} reminders</legend>
          <ul class="choices-list">
            {offered.map((item) => (
              <ReminderCheckbox item={item} isSet={items.includes(item)} label={describe(item)} />
            ))}
          </ul>
        </fieldset>
        <Field name="at" id="remind-at" label="At another time" type="datetime-local" isOptional />
        <button type="submit">Save</button>
      </Form>
    </details>
  );
}

function ReminderCheckbox({
  item,
  isSet,
  label,
}: {
  item: ReminderItems[number];
  isSet: boolean;
  label: string;
}) {
  const rejected = useRejectedForm();
  const value = item.at ?? String(item.minutesBefore);
  return (
    <li>
      <label>
        <input
          type="checkbox"
          name="items"
          value={value}
          checked={rejected ? rejected.values.getAll('items').includes(value) : isSet}
        />
        {label}
      </label>
    </li>
  );
}

function describeReminder(
  { minutesBefore, at }: ReminderItems[number],
  { timezone, today }: { timezone: string; today: string },
): string {
  if (minutesBefore === undefined) {
    const { date, time } = toWallClock(Date.parse(at ?? ''), timezone);
    return `${formatShortDate(date, today)} ${time}`;
  }
  if (minutesBefore === 0) return 'When due';
  const [amount, unit] =
    minutesBefore % 10_080 === 0
      ? [minutesBefore / 10_080, 'week']
      : minutesBefore % 1_440 === 0
        ? [minutesBefore / 1_440, 'day']
        : minutesBefore % 60 === 0
          ? [minutesBefore / 60, 'hour']
          : [minutesBefore, 'minute'];
  return `${amount} ${unit}${amount === 1 ? '' : 's'} before`;
}
