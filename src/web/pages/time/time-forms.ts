import { toInstant } from '../../../kernel/dates/civil-date.ts';
import { toTimestamp } from '../../../kernel/operation/schema.ts';
import { createTimeEntry, deleteTimeEntry, updateTimeEntry } from '../../../time/tracking/entries.ts';
import { defineForm } from '../../page-model/page.ts';

export const logTimeForm = defineForm({
  name: 'logTime',
  path: '/time',
  operation: createTimeEntry,
  toInput: (fields) => ({ taskId: Number(fields.get('taskId')), ...parseTimes(fields) }),
});
export const updateEntryForm = defineForm({
  name: 'changeEntry',
  path: '/time/:id',
  operation: updateTimeEntry,
  toInput: parseTimes,
});
export const deleteEntryForm = defineForm({
  name: 'removeEntry',
  path: '/time/:id/remove',
  operation: deleteTimeEntry,
  removal: 'undone',
  toInput: () => ({}),
  flash: ({ fields }) => {
    const times = { startTime: fields.get('startTime') ?? '', endTime: fields.get('endTime') ?? '' };
    const text = 'Entry deleted';
    const taskId = fields.get('taskId');
    return taskId && times.endTime
      ? { text, undo: { path: logTimeForm.path, fields: { taskId, ...times } } }
      : { text };
  },
});

/** Browsers send local times without a time zone, so this adds the workspace's time zone. */
function parseTimes(fields: URLSearchParams): Record<string, string> {
  const times: Record<string, string> = {};
  for (const name of ['startTime', 'endTime']) {
    const shown = fields.get(name) ?? '';
    // The field has no seconds, so submitting an unchanged time would drop them.
    if (shown !== '' && shown === fields.get(`${name}Was`)) continue;
    times[name] = parseLocalTime(shown, fields.get('zone') ?? 'UTC');
  }
  return times;
}

/** Returns invalid text unchanged so that the operation rejects it. */
export function parseLocalTime(shown: string, zone: string): string {
  const [, date, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)$/.exec(shown) ?? [];
  if (!date || !time) return shown;
  try {
    return toTimestamp(toInstant(date, time, zone));
  } catch {
    return shown;
  }
}
