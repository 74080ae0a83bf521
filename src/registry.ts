import { getMeTool } from './accounts/sessions/me.tools.ts';
import { authRoutes } from './accounts/sign-up/accounts.routes.ts';
import { auditRoutes } from './audit/audit.routes.ts';
import {
  beginChangesTool,
  discardChangesTool,
  proposeChangesTool,
} from './change-sets/lifecycle/change-sets.tools.ts';
import { dashboardRoutes } from './dashboard/dashboard.routes.ts';
import { getDashboard } from './dashboard/dashboard.tools.ts';
import { listChangesTool } from './events/feed/changes.tools.ts';
import { eventRoutes } from './events/feed/events.routes.ts';
import { exportRoutes } from './exports/operations/exports.routes.ts';
import { attachmentRoutes } from './files/attachments/attachments.routes.ts';
import { uploadRoutes } from './files/uploads/uploads.routes.ts';
import { importRoutes } from './imports/operations/imports.routes.ts';
import { buildRestWords } from './kernel/http/rest-words.ts';
import type { Route } from './kernel/http/route.ts';
import type { ApiDescription } from './kernel/openapi/openapi.ts';
import type { AnyTool } from './kernel/tools/tool.ts';
import { meetingRoutes } from './meetings/operations/meetings.routes.ts';
import {
  cancelMeetingTool,
  createMeetingTool,
  findMeetings,
  updateMeetingTool,
} from './meetings/operations/meetings.tools.ts';
import { notificationRoutes } from './notifications/inbox/notifications.routes.ts';
import { listNotificationsTool, markNotificationsRead } from './notifications/inbox/notifications.tools.ts';
import { connectedAppRoutes } from './oauth/connected-apps/connected-apps.routes.ts';
import { scopeDescriptions } from './oauth/protocol/scopes.ts';
import { projectRoutes } from './projects/operations/projects.routes.ts';
import { findProjects } from './projects/operations/projects.tools.ts';
import { activityRoutes } from './tasks/activities/activities.routes.ts';
import { setTaskArchived } from './tasks/bulk/archive.tools.ts';
import { bulkRoutes } from './tasks/bulk/bulk.routes.ts';
import { createTaskTool, updateTaskTool } from './tasks/bulk/bulk.tools.ts';
import { checklistRoutes } from './tasks/checklists/checklists.routes.ts';
import { commentRoutes } from './tasks/comments/comments.routes.ts';
import { addCommentTool } from './tasks/comments/comments.tools.ts';
import { conversionRoutes } from './tasks/conversion/conversion.routes.ts';
import { customFieldRoutes } from './tasks/custom-fields/custom-fields.routes.ts';
import { duplicateRoutes } from './tasks/duplicate/duplicate.routes.ts';
import { labelRoutes } from './tasks/labels/labels.routes.ts';
import { movingRoutes } from './tasks/moving/moving.routes.ts';
import { getTaskTool } from './tasks/operations/task-detail.tools.ts';
import { taskRoutes } from './tasks/operations/tasks.routes.ts';
import { findTasks } from './tasks/operations/tasks.tools.ts';
import { reactionRoutes } from './tasks/reactions/reactions.routes.ts';
import { relationRoutes } from './tasks/relations/relations.routes.ts';
import { subtaskRoutes } from './tasks/subtasks/subtasks.routes.ts';
import { trashRoutes } from './tasks/trash/trash.routes.ts';
import { templateRoutes } from './templates/operations/templates.routes.ts';
import { timeTrackingRoutes } from './time/tracking/time-tracking.routes.ts';
import { getTime, trackTime } from './time/tracking/time-tracking.tools.ts';
import { webhookRoutes } from './webhooks/operations/webhooks.routes.ts';
import { workspaceRoutes } from './workspaces/directory/workspaces.routes.ts';
import { referenceRoutes } from './workspaces/reference/reference.routes.ts';
import { findPeople, listReference } from './workspaces/reference/reference.tools.ts';

export const routes: readonly Route[] = [
  ...authRoutes,
  ...workspaceRoutes,
  ...connectedAppRoutes,
  ...projectRoutes,
  ...referenceRoutes,
  ...labelRoutes,
  // Must precede the task routes, whose `:id` would match `bulk`.
  ...bulkRoutes,
  // Must precede the task routes, whose `:id` would match `trash`.
  ...trashRoutes,
  ...taskRoutes,
  ...movingRoutes,
  ...checklistRoutes,
  ...conversionRoutes,
  ...relationRoutes,
  ...subtaskRoutes,
  ...duplicateRoutes,
  ...customFieldRoutes,
  ...commentRoutes,
  ...reactionRoutes,
  ...activityRoutes,
  ...templateRoutes,
  ...importRoutes,
  ...exportRoutes,
  ...meetingRoutes,
  ...notificationRoutes,
  ...eventRoutes,
  ...webhookRoutes,
  ...auditRoutes,
  ...dashboardRoutes,
  ...timeTrackingRoutes,
  ...attachmentRoutes,
  ...uploadRoutes,
];

export const pathDescriptions: Readonly<Record<string, string>> = {
  auth: 'Sign-up, sign-in and session tokens.',
  me: 'The authenticated person.',
  workspaces: 'Your workspaces. A credential is bound to one of them.',
  'connected-apps': 'API keys and authorized apps.',
  projects: 'Projects with their members and files.',
  'task-statuses': "Task statuses, which are the board's columns.",
  'project-statuses': 'Project statuses.',
  'task-categories': 'Kinds of work, such as Design. Each has a default estimate.',
  'task-types': 'Kinds of work within a category, such as Wireframe.',
  labels: 'Tags with their color, description and number of tasks.',
  'custom-fields': 'Task fields that the workspace defines.',
  users: 'People in the workspace.',
  teams: 'Teams and their members.',
  tasks: 'Tasks with their comments, history and files, individually and in bulk.',
  templates: 'Task and project templates that people save in the app.',
  imports: 'Task imports from files.',
  exports: 'Exports of the whole workspace.',
  meetings: 'Meetings, stored as one task per participant.',
  notifications: 'Your notifications in all workspaces.',
  events: "The workspace's event log, in order.",
  webhooks: 'Events sent to your URLs.',
  audit:
    'The audit log of sign-ins, exports, deletions, and changes to access and settings. Only for owners and admins.',
  dashboard: 'Counts, deadlines, comments and workload across projects.',
  timer: 'Time tracked on tasks.',
  'chunked-upload': 'Chunked uploads for large files.',
};

export const apiDescription: ApiDescription = {
  groups: pathDescriptions,
  scopes: scopeDescriptions,
  oauth: { authorizePath: '/api/oauth/authorize', tokenPath: '/api/oauth/token' },
};

export const restErrorWords = buildRestWords(routes);

/** Lists read-only tools first. Clients and models see this order, so it must not change. */
export const tools: readonly AnyTool[] = [
  getMeTool,
  findTasks,
  getTaskTool,
  listChangesTool,
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
  trackTime,
  markNotificationsRead,
  beginChangesTool,
  proposeChangesTool,
  discardChangesTool,
];
