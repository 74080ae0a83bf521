import type { AnyOperation } from '../kernel/operation/operation.ts';
import { listLatestComments } from './comments/latest-comments.ts';
import { getTaskFlow } from './flow/task-flow.ts';
import { listNextDeadlines } from './tasks/next-deadlines.ts';
import { getDashboardTiles } from './tiles/tiles.ts';
import { getDashboardWorkload } from './workload/page-workload.ts';

export const dashboardWebOperations: readonly AnyOperation[] = [
  getDashboardTiles,
  listNextDeadlines,
  listLatestComments,
  getTaskFlow,
  getDashboardWorkload,
];
