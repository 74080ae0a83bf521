import { ownAccountWebOperations } from './accounts/own/own-account.web-operations.ts';
import { getMeTool } from './accounts/sessions/me.tools.ts';
import { authRoutes } from './accounts/sign-up/accounts.routes.ts';
import { appActivityWebOperations } from './app-activity/app-activity.web-operations.ts';
import { auditRoutes } from './audit/audit.routes.ts';
import { auditWebOperations } from './audit/audit.web-operations.ts';
import {
  beginChangesTool,
  discardChangesTool,
  proposeChangesTool,
} from './change-sets/lifecycle/change-sets.tools.ts';
import { changeSetWebOperations } from './change-sets/review/review.web-operations.ts';
import { dashboardRoutes } from './dashboard/dashboard.routes.ts';
import { getDashboard } from './dashboard/dashboard.tools.ts';
import { dashboardWebOperations } from './dashboard/dashboard.web-operations.ts';
import { listChangesTool } from './events/feed/changes.tools.ts';
import { eventRoutes } from './events/feed/events.routes.ts';
import { attachmentRoutes } from './files/attachments/attachments.routes.ts';
import { attachmentWebOperations } from './files/attachments/attachments.web-operations.ts';
import { uploadRoutes } from './files/uploads/uploads.routes.ts';
import { importRoutes } from './imports/operations/imports.routes.ts';
import { buildRestWords } from './kernel/http/rest-words.ts';
import type { Route } from './kernel/http/route.ts';
import type { ApiDescription } from './kernel/openapi/openapi.ts';
import type { AnyOperation } from './kernel/operation/operation.ts';
import type { AnyTool } from './kernel/tools/tool.ts';
import { calendarFeedWebOperations } from './meetings/calendar-feed/calendar-feed.web-operations.ts';
import { meetingRoutes } from './meetings/operations/meetings.routes.ts';
import {
  cancelMeetingTool,
  createMeetingTool,
  findMeetings,
  updateMeetingTool,
} from './meetings/operations/meetings.tools.ts';
import { meetingWebOperations } from './meetings/operations/meetings.web-operations.ts';
import { notificationRoutes } from './notifications/inbox/notifications.routes.ts';
import { listNotificationsTool, markNotificationsRead } from './notifications/inbox/notifications.tools.ts';
import { notificationWebOperations } from './notifications/inbox/notifications.web-operations.ts';
import { emailWebOperations } from './notifications/mail/notification-emails.web-operations.ts';
import { connectedAppRoutes } from './oauth/connected-apps/connected-apps.routes.ts';
import { ownAppWebOperations } from './oauth/own-apps/own-apps.web-operations.ts';
import { scopeDescriptions } from './oauth/protocol/scopes.ts';
import { projectDeletionWebOperations } from './projects/deletion/project-deletion.web-operations.ts';
import { projectRoutes } from './projects/operations/projects.routes.ts';
import { findProjects } from './projects/operations/projects.tools.ts';
import { projectWebOperations } from './projects/operations/projects.web-operations.ts';
import { lookupWebOperations } from './search/lookup/lookup.web-operations.ts';
import { activityRoutes } from './tasks/activities/activities.routes.ts';
import { setTaskArchived } from './tasks/bulk/archive.tools.ts';
import { bulkRoutes } from './tasks/bulk/bulk.routes.ts';
import { createTaskTool, updateTaskTool } from './tasks/bulk/bulk.tools.ts';
import { bulkWebOperations } from './tasks/bulk/bulk.web-operations.ts';
import { categoryWebOperations } from './tasks/categories/categories.web-operations.ts';
import { checklistRoutes } from './tasks/checklists/checklists.routes.ts';
import { commentRoutes } from './tasks/comments/comments.routes.ts';
import { addCommentTool } from './tasks/comments/comments.tools.ts';
import { conversionRoutes } from './tasks/conversion/conversion.routes.ts';
import { conversionWebOperations } from './tasks/conversion/conversion.web-operations.ts';
import { customFieldRoutes } from './tasks/custom-fields/custom-fields.routes.ts';
import { customFieldWebOperations } from './tasks/custom-fields/custom-fields.web-operations.ts';
import { duplicateRoutes } from './tasks/duplicate/duplicate.routes.ts';
import { feedWebOperations } from './tasks/feed/feed.web-operations.ts';
import { labelRoutes } from './tasks/labels/labels.routes.ts';
import { labelWebOperations } from './tasks/labels/labels.web-operations.ts';
import { mentionWebOperations } from './tasks/mentions/mentions.web-operations.ts';
import { movingRoutes } from './tasks/moving/moving.routes.ts';
import { movingWebOperations } from './tasks/moving/moving.web-operations.ts';
import { getTaskTool } from './tasks/operations/task-detail.tools.ts';
import { taskRoutes } from './tasks/operations/tasks.routes.ts';
import { findTasks } from './tasks/operations/tasks.tools.ts';
import { taskWebOperations } from './tasks/operations/tasks.web-operations.ts';
import { quickAddWebOperations } from './tasks/quick-add/quick-add.web-operations.ts';
import { relationRoutes } from './tasks/relations/relations.routes.ts';
import { savedFilterWebOperations } from './tasks/saved-filters/saved-filters.web-operations.ts';
import { subtaskRoutes } from './tasks/subtasks/subtasks.routes.ts';
import { trashRoutes } from './tasks/trash/trash.routes.ts';
import { trashWebOperations } from './tasks/trash/trash.web-operations.ts';
import { templateRoutes } from './templates/operations/templates.routes.ts';
import { templateWebOperations } from './templates/operations/templates.web-operations.ts';
import { teamTimeWebOperations } from './time/reports/team-time.web-operations.ts';
import { timeTrackingRoutes } from './time/tracking/time-tracking.routes.ts';
import { getTime, trackTime } from './time/tracking/time-tracking.tools.ts';
import { webhookRoutes } from './webhooks/operations/webhooks.routes.ts';
import { botWebOperations } from './workspaces/bots/bots.web-operations.ts';
import { workspaceRoutes } from './workspaces/directory/workspaces.routes.ts';
import { invitationWebOperations } from './workspaces/invitations/invitations.web-operations.ts';
import { peopleWebOperations } from './workspaces/people/people.web-operations.ts';
import { referenceRoutes } from './workspaces/reference/reference.routes.ts';
import { findPeople, listReference } from './workspaces/reference/reference.tools.ts';
import { workspaceWebOperations } from './workspaces/settings/workspace-settings.web-operations.ts';
import { teamWebOperations } from './workspaces/teams/teams.web-operations.ts';

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
  ...activityRoutes,
  ...templateRoutes,
  ...importRoutes,
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
  'task-categories': 'Job roles that group tasks. Each has a default estimate.',
  'task-types': 'What tasks produce. Each type belongs to a category.',
  labels: 'Tags with their color, description and number of tasks.',
  'custom-fields': 'Fields that the workspace adds to tasks.',
  users: 'People in the workspace.',
  teams: 'Teams and their members.',
  tasks: 'Tasks with their comments, history and files, individually and in bulk.',
  templates: 'Task and project templates that people save in the app.',
  imports: 'Task imports from files.',
  meetings: 'Meetings, stored as one task per participant.',
  notifications: 'Your notifications in all workspaces.',
  events: "The workspace's event log, in order.",
  webhooks: 'Events sent to your URLs.',
  audit: 'Who changed access to the workspace, for owners and admins.',
  dashboard: 'Counts, deadlines, comments and workload across projects.',
  timer: 'Time tracked on tasks.',
  'chunked-upload': 'Chunked uploads for large files.',
};

export const apiDescription: ApiDescription = {
  groups: pathDescriptions,
  scopes: scopeDescriptions,
  oauth: { authorizePath: '/api/oauth/authorize', tokenPath: '/api/oauth/token' },
};

/** Operations that have neither a `/v1` route nor an MCP tool. */
export const formOperations: readonly AnyOperation[] = [
  ...projectWebOperations,
  ...projectDeletionWebOperations,
  ...workspaceWebOperations,
  ...peopleWebOperations,
  ...invitationWebOperations,
  ...taskWebOperations,
  ...movingWebOperations,
  ...trashWebOperations,
  ...bulkWebOperations,
  ...conversionWebOperations,
  ...dashboardWebOperations,
  ...meetingWebOperations,
  ...attachmentWebOperations,
  ...notificationWebOperations,
  ...calendarFeedWebOperations,
  ...teamWebOperations,
  ...teamTimeWebOperations,
  ...categoryWebOperations,
  ...labelWebOperations,
  ...customFieldWebOperations,
  ...ownAccountWebOperations,
  ...ownAppWebOperations,
  ...mentionWebOperations,
  ...feedWebOperations,
  ...emailWebOperations,
  ...lookupWebOperations,
  ...savedFilterWebOperations,
  ...quickAddWebOperations,
  ...auditWebOperations,
  ...changeSetWebOperations,
  ...templateWebOperations,
  ...appActivityWebOperations,
  ...botWebOperations,
];

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
