import { activityRoutes } from './activities/activities.routes.ts';
import { authRoutes } from './auth/auth.routes.ts';
import { commentRoutes } from './comments/comments.routes.ts';
import { connectedAppRoutes } from './connected-apps/connected-apps.routes.ts';
import { dashboardRoutes } from './dashboard/dashboard.routes.ts';
import type { Route } from './kernel/route.ts';
import { meetingRoutes } from './meetings/meetings.routes.ts';
import { notificationRoutes } from './notifications/notifications.routes.ts';
import { projectRoutes } from './projects/projects.routes.ts';
import { referenceRoutes } from './reference/reference.routes.ts';
import { taskRoutes } from './tasks/tasks.routes.ts';
import { timeTrackingRoutes } from './time-tracking/time-tracking.routes.ts';
import { workspaceRoutes } from './workspaces/workspaces.routes.ts';

/** Every REST endpoint of `/v1`. The router, OpenAPI and the contract tests are derived from it. */
export const routes: readonly Route[] = [
  ...authRoutes,
  ...workspaceRoutes,
  ...connectedAppRoutes,
  ...projectRoutes,
  ...referenceRoutes,
  ...taskRoutes,
  ...commentRoutes,
  ...activityRoutes,
  ...meetingRoutes,
  ...notificationRoutes,
  ...dashboardRoutes,
  ...timeTrackingRoutes,
];
