import type { AnyOperation } from '../kernel/operation.ts';
import { getTaskFlow } from './flow.ts';
import { listLatestComments, listNextDeadlines } from './latest.ts';
import { listTaskRows, reportTime } from './tracked-time.ts';

export const dashboardForms: readonly AnyOperation[] = [
  listTaskRows,
  reportTime,
  listNextDeadlines,
  listLatestComments,
  getTaskFlow,
];
