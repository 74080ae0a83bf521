import { route } from '../kernel/http/route.ts';
import { listDashboardComments } from './comments/dashboard-comments.ts';
import { listDashboardTasks } from './tasks/dashboard-tasks.ts';
import { getDashboardStats } from './tiles/stats.ts';
import { getWorkload } from './workload/workload.ts';

export const dashboardRoutes = [
  route('GET', '/dashboard/stats', getDashboardStats),
  route('GET', '/dashboard/tasks', listDashboardTasks),
  route('GET', '/dashboard/comments', listDashboardComments),
  route('GET', '/dashboard/workload', getWorkload),
];
