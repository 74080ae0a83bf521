import { route } from '../kernel/route.ts';
import { listDashboardComments } from './comments.ts';
import { getDashboardStats } from './stats.ts';
import { listDashboardTasks } from './tasks.ts';
import { getWorkload } from './workload.ts';

export const dashboardRoutes = [
  route('GET', '/dashboard/stats', getDashboardStats),
  route('GET', '/dashboard/tasks', listDashboardTasks),
  route('GET', '/dashboard/comments', listDashboardComments),
  route('GET', '/dashboard/workload', getWorkload),
];
