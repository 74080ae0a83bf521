import { listLatestComments } from '../dashboard-comments/latest-comments.ts';
import { listNextDeadlines } from '../dashboard-tasks/next-deadlines.ts';
import { getDashboardTiles } from '../dashboard-tiles/tiles.ts';
import type { AnyOperation } from '../kernel/operation.ts';
import { getTaskFlow } from '../task-flow/task-flow.ts';
import { getWorkloadShown } from '../workload/workload-shown.ts';

export const dashboardForms: readonly AnyOperation[] = [
  getDashboardTiles,
  listNextDeadlines,
  listLatestComments,
  getTaskFlow,
  getWorkloadShown,
];
