import type { AnyOperation } from '../kernel/operation.ts';
import { getTaskFlow } from './flow.ts';
import { listLatestComments } from './latest-comments.ts';
import { listNextDeadlines } from './next-deadlines.ts';
import { getDashboardTiles } from './tiles.ts';
import { listTaskRows, reportTime } from './tracked-time.ts';
import { getWorkloadShown } from './workload-shown.ts';

export const dashboardForms: readonly AnyOperation[] = [
  listTaskRows,
  reportTime,
  getDashboardTiles,
  listNextDeadlines,
  listLatestComments,
  getTaskFlow,
  getWorkloadShown,
];
