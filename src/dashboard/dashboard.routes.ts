import { defineRoute } from '../kernel/http/route.ts';
import { listDashboardComments } from './comments/dashboard-comments.ts';
import { listDashboardTasks } from './tasks/dashboard-tasks.ts';
import { getDashboardStats } from './tiles/stats.ts';
import { getWorkload } from './workload/workload.ts';

export const dashboardRoutes = [
  defineRoute('GET', '/dashboard/stats', getDashboardStats),
  defineRoute('GET', '/dashboard/tasks', listDashboardTasks),
  defineRoute('GET', '/dashboard/comments', listDashboardComments),
  defineRoute('GET', '/dashboard/workload', getWorkload),
];
