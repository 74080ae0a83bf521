import { listDashboardComments } from '../dashboard-comments/dashboard-comments.ts';
import { listDashboardTasks } from '../dashboard-tasks/dashboard-tasks.ts';
import { getDashboardStats } from '../dashboard-tiles/stats.ts';
import { route } from '../kernel/http/route.ts';
import { getWorkload } from '../workload/workload.ts';

export const dashboardRoutes = [
  route('GET', '/dashboard/stats', getDashboardStats),
  route('GET', '/dashboard/tasks', listDashboardTasks),
  route('GET', '/dashboard/comments', listDashboardComments),
  route('GET', '/dashboard/workload', getWorkload),
];
