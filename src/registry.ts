import { authRoutes } from './accounts/accounts.routes.ts';
import { activityRoutes } from './activities/activities.routes.ts';
import { attachmentForms } from './attachments/attachments.forms.ts';
import { attachmentRoutes } from './attachments/attachments.routes.ts';
import { setTaskArchived } from './bulk/archive.tools.ts';
import { bulkForms } from './bulk/bulk.forms.ts';
import { bulkRoutes } from './bulk/bulk.routes.ts';
import { createTaskTool, updateTaskTool } from './bulk/bulk.tools.ts';
import { calendarFeedForms } from './calendar-feed/calendar-feed.forms.ts';
import { categoryForms } from './categories/categories.forms.ts';
import { commentRoutes } from './comments/comments.routes.ts';
import { addCommentTool } from './comments/comments.tools.ts';
import { connectedAppRoutes } from './connected-apps/connected-apps.routes.ts';
import { dashboardForms } from './dashboard/dashboard.forms.ts';
import { dashboardRoutes } from './dashboard/dashboard.routes.ts';
import { getDashboard } from './dashboard/dashboard.tools.ts';
import { listChangesTool } from './events/changes.tools.ts';
import { eventRoutes } from './events/events.routes.ts';
import { invitationForms } from './invitations/invitations.forms.ts';
import { wordsOfRoutes } from './kernel/http/rest-words.ts';
import type { Route } from './kernel/http/route.ts';
import type { AnyOperation } from './kernel/operation.ts';
import type { AnyTool } from './kernel/tool.ts';
import { lookupForms } from './lookup/lookup.forms.ts';
import { meetingForms } from './meetings/meetings.forms.ts';
import { meetingRoutes } from './meetings/meetings.routes.ts';
import {
  cancelMeetingTool,
  createMeetingTool,
  findMeetings,
  updateMeetingTool,
} from './meetings/meetings.tools.ts';
import { mentionForms } from './mentions/mentions.forms.ts';
import { mailForms } from './notification-mails/notification-mails.forms.ts';
import { notificationForms } from './notifications/notifications.forms.ts';
import { notificationRoutes } from './notifications/notifications.routes.ts';
import { listNotificationsTool, markNotificationsRead } from './notifications/notifications.tools.ts';
import { ownAccountForms } from './own-account/own-account.forms.ts';
import { peopleForms } from './people/people.forms.ts';
import { projectDeletionForms } from './project-deletion/project-deletion.forms.ts';
import { projectForms } from './projects/projects.forms.ts';
import { projectRoutes } from './projects/projects.routes.ts';
import { findProjects } from './projects/projects.tools.ts';
import { quickAddForms } from './quick-add/quick-add.forms.ts';
import { referenceRoutes } from './reference/reference.routes.ts';
import { findPeople, listReference } from './reference/reference.tools.ts';
import { savedFilterForms } from './saved-filters/saved-filters.forms.ts';
import { getMeTool } from './sessions/me.tools.ts';
import { getTaskTool } from './tasks/task-detail.tools.ts';
import { taskForms } from './tasks/tasks.forms.ts';
import { taskRoutes } from './tasks/tasks.routes.ts';
import { findTasks } from './tasks/tasks.tools.ts';
import { teamTimeForms } from './team-time/team-time.forms.ts';
import { teamForms } from './teams/teams.forms.ts';
import { timeTrackingRoutes } from './time-tracking/time-tracking.routes.ts';
import { getTime, setTimer } from './time-tracking/time-tracking.tools.ts';
import { uploadRoutes } from './uploads/uploads.routes.ts';
import { webhookRoutes } from './webhooks/webhooks.routes.ts';
import { workspaceForms } from './workspace-settings/workspace-settings.forms.ts';
import { workspaceRoutes } from './workspaces/workspaces.routes.ts';

/** Every REST endpoint of `/v1`. The router, OpenAPI and the contract tests are derived from it. */
export const routes: readonly Route[] = [
  ...authRoutes,
  ...workspaceRoutes,
  ...connectedAppRoutes,
  ...projectRoutes,
  ...referenceRoutes,
  // Before the tasks, whose ids would else be `bulk`.
  ...bulkRoutes,
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

/** What the paths are about, by their first word, for the reference. */
export const aboutPaths: Readonly<Record<string, string>> = {
  auth: 'Signing in, staying signed in, and new accounts.',
  me: 'The person behind the credential.',
  workspaces: 'The workspaces of a person. A credential is bound to one of them.',
  'connected-apps': 'API keys, and the apps that a person has let in.',
  projects: 'Projects, who is in them, and their own files.',
  'task-statuses': 'The steps of a task on the board.',
  'project-statuses': 'The states of a project.',
  'task-categories': 'Job roles that tasks belong to, with an estimate.',
  'task-types': 'What tasks produce, each within a category.',
  users: 'The people of the workspace.',
  teams: 'Teams and who is in them.',
  tasks: 'Tasks with their comments, history and files, one by one and many at once.',
  meetings: 'Meetings, which are a task for each participant.',
  notifications: 'What a person was told, in all their workspaces.',
  events: 'Everything that happens in the workspace, in order.',
  webhooks: 'Events that are sent to an address.',
  dashboard: 'Counts, deadlines, comments and workload across projects.',
  timer: 'Time that people spend on tasks.',
  'chunked-upload': 'Large files, sent in pieces.',
};

/** What only the web app does, through forms: it has no route in `/v1` and no tool. */
export const formOperations: readonly AnyOperation[] = [
  ...projectForms,
  ...projectDeletionForms,
  ...workspaceForms,
  ...peopleForms,
  ...invitationForms,
  ...taskForms,
  ...bulkForms,
  ...dashboardForms,
  ...meetingForms,
  ...attachmentForms,
  ...notificationForms,
  ...calendarFeedForms,
  ...teamForms,
  ...teamTimeForms,
  ...categoryForms,
  ...ownAccountForms,
  ...mentionForms,
  ...mailForms,
  ...lookupForms,
  ...savedFilterForms,
  ...quickAddForms,
];

export const restWords = wordsOfRoutes(routes);

/** Every tool of `/mcp`, reads first. Clients and models see them in this order, so do not change it. */
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
  setTimer,
  markNotificationsRead,
];
