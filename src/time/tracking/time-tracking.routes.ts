import { route } from '../../kernel/http/route.ts';
import { createTimeEntry, deleteTimeEntry, updateTimeEntry } from './entries.ts';
import { getCurrentTimer, getTimeStats, listTimeEntries, startTimer, stopTimer } from './time-tracking.ts';

export const timeTrackingRoutes = [
  route('POST', '/timer/start', startTimer, { status: 201 }),
  route('POST', '/timer/stop', stopTimer),
  route('GET', '/timer/current', getCurrentTimer),
  route('GET', '/timer/entries', listTimeEntries),
  route('POST', '/timer/entries', createTimeEntry, { status: 201 }),
  route('PATCH', '/timer/entries/:id', updateTimeEntry),
  route('DELETE', '/timer/entries/:id', deleteTimeEntry),
  route('GET', '/timer/stats', getTimeStats),
];
