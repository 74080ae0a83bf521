import { authRoutes } from './accounts/accounts.routes.ts';
import { activityRoutes } from './activities/activities.routes.ts';
import { listTaskHistory } from './activities/activities.tools.ts';
import { attachmentRoutes } from './attachments/attachments.routes.ts';
import { commentRoutes } from './comments/comments.routes.ts';
import { addCommentTool } from './comments/comments.tools.ts';
import { connectedAppRoutes } from './connected-apps/connected-apps.routes.ts';
import { dashboardRoutes } from './dashboard/dashboard.routes.ts';
import { getDashboard } from './dashboard/dashboard.tools.ts';
import { eventRoutes } from './events/events.routes.ts';
import { wordsOfRoutes } from './kernel/rest-words.ts';
import type { Route } from './kernel/route.ts';
import type { AnyTool } from './kernel/tool.ts';
import { meetingRoutes } from './meetings/meetings.routes.ts';
import {
  cancelMeetingTool,
  createMeetingTool,
  findMeetings,
  updateMeetingTool,
} from './meetings/meetings.tools.ts';
import { notificationRoutes } from './notifications/notifications.routes.ts';
import { listNotificationsTool, markNotificationsRead } from './notifications/notifications.tools.ts';
import { projectRoutes } from './projects/projects.routes.ts';
import { findProjects } from './projects/projects.tools.ts';
import { referenceRoutes } from './reference/reference.routes.ts';
import { findPeople, listReference } from './reference/reference.tools.ts';
import { getMeTool } from './sessions/me.tools.ts';
import { getTaskTool } from './tasks/task-detail.tools.ts';
import { taskRoutes } from './tasks/tasks.routes.ts';
import { createTaskTool, findTasks, setTaskArchived, updateTaskTool } from './tasks/tasks.tools.ts';
import { timeTrackingRoutes } from './time-tracking/time-tracking.routes.ts';
import { getTime, setTimer } from './time-tracking/time-tracking.tools.ts';
import { uploadRoutes } from './uploads/uploads.routes.ts';
import { webhookRoutes } from './webhooks/webhooks.routes.ts';
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
  ...eventRoutes,
  ...webhookRoutes,
  ...dashboardRoutes,
  ...timeTrackingRoutes,
  ...attachmentRoutes,
  ...uploadRoutes,
];

export const restWords = wordsOfRoutes(routes);

/** Every tool of `/mcp`, reads first. Clients and models see them in this order, so do not change it. */
export const tools: readonly AnyTool[] = [
  getMeTool,
  findTasks,
  getTaskTool,
  listTaskHistory,
  findProjects,
  findPeople,
  listReference,
  findMeetings,
  getDashboard,
  getTime,
  listNotificationsTool,
  createTaskTool,
  updateTaskTool,
  setTaskArchived,
  addCommentTool,
  createMeetingTool,
  updateMeetingTool,
  cancelMeetingTool,
  setTimer,
  markNotificationsRead,
];
