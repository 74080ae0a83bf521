import { setReminders } from '../../../tasks/operations/reminders.ts';
import { defineForm } from '../../page-model/page.ts';
import { parseLocalTime } from '../time/time-forms.ts';

/** Each value of `items` is a number of minutes or a time. The `at` field adds a time in the workspace's time zone. */
export const setRemindersForm = defineForm({
  name: 'remindMe',
  path: '/tasks/:id/reminders',
  operation: setReminders,
  toInput: (fields) => {
    const selected = fields
      .getAll('items')
      .map((value) => (/^\d+$/.test(value) ? { minutesBefore: Number(value) } : { at: value }));
    const at = fields.get('at') ?? '';
    const added = at === '' ? [] : [{ at: parseLocalTime(at, fields.get('zone') ?? 'UTC') }];
    return { items: [...selected, ...added] };
  },
});
