import { toInstant } from '../../../kernel/dates/civil-date.ts';
import { toTimestamp } from '../../../kernel/operation/schema.ts';
import { createTimeEntry, deleteTimeEntry, updateTimeEntry } from '../../../time/tracking/entries.ts';
import { defineForm } from '../../page-model/page.ts';

export const logTimeForm = defineForm({
  name: 'logTime',
  path: '/time',
  operation: createTimeEntry,
  toInput: (fields) => ({ taskId: Number(fields.get('taskId')), ...parseEntryTimes(fields) }),
});
export const updateEntryForm = defineForm({
  name: 'changeEntry',
  path: '/time/:id',
  operation: updateTimeEntry,
  toInput: parseEntryTimes,
});
export const deleteEntryForm = defineForm({
  name: 'removeEntry',
  path: '/time/:id/remove',
  operation: deleteTimeEntry,
  removal: 'undone',
  toInput: () => ({}),
  flash: ({ fields }) => {
    const times = { startTime: fields.get('startTime') ?? '', endTime: fields.get('endTime') ?? '' };
    const text = 'Time entry deleted';
    const taskId = fields.get('taskId');
    return taskId && times.endTime
      ? { text, undo: { path: logTimeForm.path, fields: { taskId, ...times } } }
      : { text };
  },
});

/** Browsers send local times without a time zone, so this adds the workspace's time zone. */
function parseEntryTimes(fields: URLSearchParams): Record<string, string> {
  const times: Record<string, string> = {};
  for (const name of ['startTime', 'endTime']) {
    const localTime = fields.get(name) ?? '';
    // The field has no seconds, so submitting an unchanged time would drop them.
    if (localTime !== '' && localTime === fields.get(`${name}Was`)) continue;
    times[name] = parseLocalTime(localTime, fields.get('zone') ?? 'UTC');
  }
  return times;
}

/** Returns invalid text unchanged so that the operation rejects it. */
export function parseLocalTime(localTime: string, zone: string): string {
  const [, date, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)$/.exec(localTime) ?? [];
  if (!date || !time) return localTime;
  try {
    return toTimestamp(toInstant(date, time, zone));
  } catch {
    return localTime;
  }
}
