import { defineRoute } from '../../kernel/http/route.ts';
import { createTimeEntry, deleteTimeEntry, updateTimeEntry } from './entries.ts';
import { getCurrentTimer, getTimeStats, listTimeEntries, startTimer, stopTimer } from './time-tracking.ts';

export const timeTrackingRoutes = [
  defineRoute('POST', '/timer/start', startTimer, { status: 201 }),
  defineRoute('POST', '/timer/stop', stopTimer),
  defineRoute('GET', '/timer/current', getCurrentTimer),
  defineRoute('GET', '/timer/entries', listTimeEntries),
  defineRoute('POST', '/timer/entries', createTimeEntry, { status: 201 }),
  defineRoute('PATCH', '/timer/entries/:id', updateTimeEntry),
  defineRoute('DELETE', '/timer/entries/:id', deleteTimeEntry),
  defineRoute('GET', '/timer/stats', getTimeStats),
];
