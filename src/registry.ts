import { ownAccountForms } from './accounts/own/own-account.forms.ts';
import { getMeTool } from './accounts/sessions/me.tools.ts';
import { authRoutes } from './accounts/sign-up/accounts.routes.ts';
import { appActivityForms } from './app-activity/app-activity.forms.ts';
import { auditForms } from './audit/audit.forms.ts';
import { auditRoutes } from './audit/audit.routes.ts';
import {
  beginChangesTool,
  discardChangesTool,
  proposeChangesTool,
} from './change-sets/lifecycle/change-sets.tools.ts';
import { changeSetForms } from './change-sets/review/review.forms.ts';
import { dashboardForms } from './dashboard/dashboard.forms.ts';
import { dashboardRoutes } from './dashboard/dashboard.routes.ts';
import { getDashboard } from './dashboard/dashboard.tools.ts';
import { listChangesTool } from './events/feed/changes.tools.ts';
import { eventRoutes } from './events/feed/events.routes.ts';
import { attachmentForms } from './files/attachments/attachments.forms.ts';
import { attachmentRoutes } from './files/attachments/attachments.routes.ts';
import { uploadRoutes } from './files/uploads/uploads.routes.ts';
import { buildRestWords } from './kernel/http/rest-words.ts';
import type { Route } from './kernel/http/route.ts';
import type { ApiDescription } from './kernel/openapi/openapi.ts';
import type { AnyOperation } from './kernel/operation/operation.ts';
import type { AnyTool } from './kernel/tools/tool.ts';
import { calendarFeedForms } from './meetings/calendar-feed/calendar-feed.forms.ts';
import { meetingForms } from './meetings/operations/meetings.forms.ts';
import { meetingRoutes } from './meetings/operations/meetings.routes.ts';
import {
  cancelMeetingTool,
  createMeetingTool,
  findMeetings,
  updateMeetingTool,
} from './meetings/operations/meetings.tools.ts';
import { notificationForms } from './notifications/inbox/notifications.forms.ts';
import { notificationRoutes } from './notifications/inbox/notifications.routes.ts';
import { listNotificationsTool, markNotificationsRead } from './notifications/inbox/notifications.tools.ts';
import { mailForms } from './notifications/mail/notification-mails.forms.ts';
import { connectedAppRoutes } from './oauth/connected-apps/connected-apps.routes.ts';
import { ownAppForms } from './oauth/own-apps/own-apps.forms.ts';
import { scopeDescriptions } from './oauth/protocol/scopes.ts';
import { projectDeletionForms } from './projects/deletion/project-deletion.forms.ts';
import { projectForms } from './projects/operations/projects.forms.ts';
import { projectRoutes } from './projects/operations/projects.routes.ts';
import { findProjects } from './projects/operations/projects.tools.ts';
import { lookupForms } from './search/lookup/lookup.forms.ts';
import { activityRoutes } from './tasks/activities/activities.routes.ts';
import { setTaskArchived } from './tasks/bulk/archive.tools.ts';
import { bulkForms } from './tasks/bulk/bulk.forms.ts';
import { bulkRoutes } from './tasks/bulk/bulk.routes.ts';
import { createTaskTool, updateTaskTool } from './tasks/bulk/bulk.tools.ts';
import { categoryForms } from './tasks/categories/categories.forms.ts';
import { checklistRoutes } from './tasks/checklists/checklists.routes.ts';
import { commentRoutes } from './tasks/comments/comments.routes.ts';
import { addCommentTool } from './tasks/comments/comments.tools.ts';
import { conversionForms } from './tasks/conversion/conversion.forms.ts';
import { conversionRoutes } from './tasks/conversion/conversion.routes.ts';
import { customFieldForms } from './tasks/custom-fields/custom-fields.forms.ts';
import { customFieldRoutes } from './tasks/custom-fields/custom-fields.routes.ts';
import { duplicateRoutes } from './tasks/duplicate/duplicate.routes.ts';
import { labelForms } from './tasks/labels/labels.forms.ts';
import { labelRoutes } from './tasks/labels/labels.routes.ts';
import { mentionForms } from './tasks/mentions/mentions.forms.ts';
import { movingForms } from './tasks/moving/moving.forms.ts';
import { movingRoutes } from './tasks/moving/moving.routes.ts';
import { getTaskTool } from './tasks/operations/task-detail.tools.ts';
import { taskForms } from './tasks/operations/tasks.forms.ts';
import { taskRoutes } from './tasks/operations/tasks.routes.ts';
import { findTasks } from './tasks/operations/tasks.tools.ts';
import { quickAddForms } from './tasks/quick-add/quick-add.forms.ts';
import { relationRoutes } from './tasks/relations/relations.routes.ts';
import { savedFilterForms } from './tasks/saved-filters/saved-filters.forms.ts';
import { subtaskRoutes } from './tasks/subtasks/subtasks.routes.ts';
import { trashForms } from './tasks/trash/trash.forms.ts';
import { trashRoutes } from './tasks/trash/trash.routes.ts';
import { templateForms } from './templates/operations/templates.forms.ts';
import { templateRoutes } from './templates/operations/templates.routes.ts';
import { teamTimeForms } from './time/reports/team-time.forms.ts';
import { timeTrackingRoutes } from './time/tracking/time-tracking.routes.ts';
import { getTime, trackTime } from './time/tracking/time-tracking.tools.ts';
import { webhookRoutes } from './webhooks/operations/webhooks.routes.ts';
import { botForms } from './workspaces/bots/bots.forms.ts';
import { workspaceRoutes } from './workspaces/directory/workspaces.routes.ts';
import { invitationForms } from './workspaces/invitations/invitations.forms.ts';
import { peopleForms } from './workspaces/people/people.forms.ts';
import { referenceRoutes } from './workspaces/reference/reference.routes.ts';
import { findPeople, listReference } from './workspaces/reference/reference.tools.ts';
import { workspaceForms } from './workspaces/settings/workspace-settings.forms.ts';
import { teamForms } from './workspaces/teams/teams.forms.ts';

/** Router, OpenAPI document and contract tests derive from this list. */
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

/** The descriptions of groups in the API reference, by their first path segment. */
export const pathDescriptions: Readonly<Record<string, string>> = {
  auth: 'Sign-up, sign-in and session tokens.',
  me: 'The authenticated person.',
  workspaces: 'Your workspaces. A credential is bound to one of them.',
  'connected-apps': 'API keys and authorized apps.',
  projects: 'Projects with their members and files.',
  'task-statuses': 'Task statuses, the columns of the board.',
  'project-statuses': 'Project statuses.',
  'task-categories': 'Job roles that group tasks, each with a default estimate.',
  'task-types': 'What tasks produce. Each type belongs to a category.',
  labels: 'Tags with their color, description and number of tasks.',
  'custom-fields': 'Fields that the workspace adds to tasks.',
  users: 'People in the workspace.',
  teams: 'Teams and their members.',
  tasks: 'Tasks with their comments, history and files, individually and in bulk.',
  templates: 'Templates of tasks and projects, which people save in the app.',
  meetings: 'Meetings, stored as one task per participant.',
  notifications: 'Your notifications in all workspaces.',
  events: "The workspace's event log, in order.",
  webhooks: 'Events sent to your URLs.',
  audit: 'Who changed access to the workspace, for owners and admins.',
  dashboard: 'Counts, deadlines, comments and workload across projects.',
  timer: 'Time tracked on tasks.',
  'chunked-upload': 'Uploads of large files in chunks.',
};

export const apiDescription: ApiDescription = {
  groups: pathDescriptions,
  scopes: scopeDescriptions,
  oauth: { authorizePath: '/api/oauth/authorize', tokenPath: '/api/oauth/token' },
};

/** Operations that have neither a `/v1` route nor an MCP tool. */
export const formOperations: readonly AnyOperation[] = [
  ...projectForms,
  ...projectDeletionForms,
  ...workspaceForms,
  ...peopleForms,
  ...invitationForms,
  ...taskForms,
  ...movingForms,
  ...trashForms,
  ...bulkForms,
  ...conversionForms,
  ...dashboardForms,
  ...meetingForms,
  ...attachmentForms,
  ...notificationForms,
  ...calendarFeedForms,
  ...teamForms,
  ...teamTimeForms,
  ...categoryForms,
  ...labelForms,
  ...customFieldForms,
  ...ownAccountForms,
  ...ownAppForms,
  ...mentionForms,
  ...mailForms,
  ...lookupForms,
  ...savedFilterForms,
  ...quickAddForms,
  ...auditForms,
  ...changeSetForms,
  ...templateForms,
  ...appActivityForms,
  ...botForms,
];

export const restErrorWords = buildRestWords(routes);

/** Starts with the tools that read. Clients and models see this order, so it must not change. */
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
