import { route } from '../kernel/route.ts';
import { getCurrentTimer, getTimeStats, listTimeEntries, startTimer, stopTimer } from './time-tracking.ts';

export const timeTrackingRoutes = [
  route('POST', '/timer/start', startTimer, { status: 201 }),
  route('POST', '/timer/stop', stopTimer),
  route('GET', '/timer/current', getCurrentTimer),
  route('GET', '/timer/entries', listTimeEntries),
  route('GET', '/timer/stats', getTimeStats),
];
