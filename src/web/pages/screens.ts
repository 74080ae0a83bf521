// This file is long because it lists every page and form of the app.
import type { AnyCsvFile } from '../page-model/csv-file.ts';
import type { AnyForm, AnyPage } from '../page-model/page.ts';
import * as appActivity from './app-activity/app-activity.tsx';
import { auditLogCsv, auditLogPage } from './audit/audit.tsx';
import { boardPage, moveTaskForm } from './board/board.tsx';
import { filterBoardPage } from './board/filter-board.tsx';
import * as bots from './bots/bots.tsx';
import * as calendar from './calendar/calendar.tsx';
import * as categories from './categories/categories.tsx';
import * as changeSets from './change-sets/change-sets.tsx';
import * as customFields from './custom-fields/custom-fields.tsx';
import { dashboardPage } from './dashboard/dashboard.tsx';
import * as exportPages from './exports/exports.tsx';
import * as projectFiles from './files/project-files.tsx';
import * as imports from './imports/imports.tsx';
import * as inbox from './inbox/inbox.tsx';
import {
  notificationSettingsPage,
  pushForms,
  saveMailPreferencesForm,
} from './inbox/notification-settings.tsx';
import * as labels from './labels/labels.tsx';
import * as meetings from './meetings/meetings.tsx';
import { myWorkPage } from './my-work/my-work.tsx';
import { createTaskForm, newTaskPage } from './new-task/new-task.tsx';
import { findPeoplePage } from './people/find-people.tsx';
import * as people from './people/people.tsx';
import * as project from './project-settings/project-settings.tsx';
import { findProjectsPage } from './projects/find-projects.tsx';
import { projectsPage } from './projects/projects.tsx';
import { addInPlaceForm, addTaskForm, quickAddPage } from './quick-add/quick-add.tsx';
import * as savedFilters from './saved-filters/saved-filters.tsx';
import { searchPage } from './search/search.tsx';
import * as sharing from './sharing/sharing.tsx';
import { shortcutsPage } from './shortcuts/shortcuts.tsx';
import * as category from './task/category.tsx';
import * as checklist from './task/checklist-forms.ts';
import { findTasksPage } from './task/find-tasks.tsx';
import { mentionablePage } from './task/mentionable-people.tsx';
import * as move from './task/move.tsx';
import * as recurrenceForms from './task/recurrence-forms.ts';
import * as relations from './task/relation-forms.ts';
import { setRemindersForm } from './task/reminders-form.ts';
import { taskTagsPage } from './task/tags.tsx';
import * as task from './task/task.tsx';
import { bulkForms } from './task-list/bulk-forms.ts';
import { tasksCsv } from './task-list/task-csv.ts';
import { taskListPage } from './task-list/task-list.tsx';
import { undoForms } from './task-list/undo-form.ts';
import * as teams from './teams/teams.tsx';
import * as templates from './templates/templates.tsx';
import { timePage } from './time/time.tsx';
import { timeCsv } from './time/time-csv.ts';
import { deleteEntryForm, logTimeForm, updateEntryForm } from './time/time-forms.ts';
import { timeReportCsv, timeReportPage } from './time-report/time-report.tsx';
import { timelinePage } from './timeline/timeline.tsx';
import { restoreDeletedTaskForm, trashPage } from './trash/trash.tsx';
import * as webhooks from './webhooks/webhooks.tsx';
import * as settings from './workspace-settings/workspace-settings.tsx';

/** The order matters: the first page that matches a URL is displayed. */
export const screens: readonly AnyPage[] = [
  myWorkPage,
  inbox.inboxPage,
  notificationSettingsPage,
  searchPage,
  projectsPage,
  findProjectsPage,
  project.newProjectPage,
  project.projectSettingsPage,
  boardPage,
  taskListPage,
  filterBoardPage,
  savedFilters.savedFiltersPage,
  savedFilters.savedFilterPage,
  sharing.projectSharingPage,
  sharing.filterSharingPage,
  changeSets.changeSetsPage,
  changeSets.changeSetPage,
  appActivity.appSessionsPage,
  appActivity.appSessionPage,
  // Must precede the task page, which would match `add`, `find` and `new` as ids.
  quickAddPage,
  findTasksPage,
  newTaskPage,
  task.taskPage,
  category.taskCategoryPage,
  taskTagsPage,
  move.moveTaskToProjectPage,
  mentionablePage,
  projectFiles.projectFilesPage,
  projectFiles.downloadProjectFilePage,
  task.downloadFilePage,
  dashboardPage,
  calendar.calendarPage,
  timelinePage,
  meetings.newMeetingPage,
  meetings.meetingPage,
  timePage,
  timeReportPage,
  people.peoplePage,
  findPeoplePage,
  teams.teamsPage,
  bots.botsPage,
  bots.botPage,
  categories.categoriesPage,
  labels.labelsPage,
  customFields.customFieldsPage,
  imports.importsPage,
  imports.importPage,
  exportPages.exportsPage,
  exportPages.downloadExportPage,
  templates.templatesPage,
  templates.templatePage,
  settings.settingsPage,
  webhooks.webhooksPage,
  webhooks.webhookPage,
  auditLogPage,
  trashPage,
  shortcutsPage,
];

export const forms: readonly AnyForm[] = [
  // Must precede the task forms, which would match `add`, `new` and `bulk` as ids.
  addTaskForm,
  createTaskForm,
  ...bulkForms,
  ...undoForms,
  moveTaskForm,
  addInPlaceForm,
  savedFilters.saveFilterForm,
  // Must precede the forms with ids, which would match `again` as an id.
  savedFilters.restoreFilterForm,
  savedFilters.replaceFilterForm,
  savedFilters.renameFilterForm,
  savedFilters.deleteFilterForm,
  sharing.createProjectLinkForm,
  sharing.createFilterLinkForm,
  sharing.updateLinkForm,
  sharing.revokeLinkForm,
  sharing.createIntakeFormForm,
  sharing.updateIntakeFormForm,
  sharing.deleteIntakeFormForm,
  changeSets.applyChangeSetForm,
  changeSets.rejectChangeSetForm,
  appActivity.undoAppSessionForm,
  bots.createBotForm,
  bots.updateBotForm,
  bots.createBotKeyForm,
  bots.revokeBotKeyForm,
  bots.changeBotRoleForm,
  bots.removeBotForm,
  task.updateTaskForm,
  task.tagTaskForm,
  task.setTaskFieldForm,
  task.assignTaskForm,
  category.categorizeTaskForm,
  task.orderSubtasksForm,
  task.followTaskForm,
  task.unfollowTaskForm,
  task.updateDescriptionForm,
  relations.addRelationForm,
  relations.deleteRelationForm,
  checklist.addChecklistItemForm,
  checklist.updateChecklistItemForm,
  checklist.deleteChecklistItemForm,
  checklist.convertChecklistItemForm,
  checklist.restoreConvertedItemForm,
  setRemindersForm,
  recurrenceForms.setRecurrenceForm,
  recurrenceForms.deleteRecurrenceForm,
  task.addCommentForm,
  task.editCommentForm,
  task.deleteCommentForm,
  task.replyForm,
  task.addReactionForm,
  task.removeReactionForm,
  task.startTimerForm,
  task.stopTimerForm,
  task.archiveTaskForm,
  task.restoreTaskForm,
  task.duplicateTaskForm,
  move.moveToProjectForm,
  move.deleteTaskForm,
  restoreDeletedTaskForm,
  task.removeFileForm,
  task.restoreFileForm,
  calendar.renewFeedForm,
  calendar.removeFeedForm,
  meetings.createMeetingForm,
  meetings.moveMeetingForm,
  meetings.cancelMeetingForm,
  meetings.restoreMeetingForm,
  logTimeForm,
  updateEntryForm,
  deleteEntryForm,
  projectFiles.removeProjectFileForm,
  projectFiles.restoreProjectFileForm,
  inbox.openNotificationForm,
  saveMailPreferencesForm,
  ...pushForms,
  inbox.markNotificationReadForm,
  inbox.markAllReadForm,
  inbox.removeNotificationForm,
  inbox.restoreNotificationForm,
  project.createProjectForm,
  project.updateProjectForm,
  project.updateProjectColumnForm,
  project.addProjectMembersForm,
  project.removeProjectMemberForm,
  project.handOverProjectForm,
  project.deleteProjectForm,
  people.inviteForm,
  people.resendInvitationForm,
  people.withdrawInvitationForm,
  people.changeRoleForm,
  people.removePersonForm,
  people.transferOwnershipForm,
  people.leaveWorkspaceForm,
  teams.createTeamForm,
  teams.updateTeamForm,
  teams.deleteTeamForm,
  teams.addToTeamForm,
  teams.removeFromTeamForm,
  imports.createImportForm,
  imports.updateImportForm,
  imports.startImportForm,
  imports.cancelImportForm,
  exportPages.createExportForm,
  exportPages.deleteExportForm,
  templates.saveTaskTemplateForm,
  templates.saveProjectTemplateForm,
  templates.updateTemplateForm,
  templates.deleteTemplateForm,
  templates.addTemplateTaskForm,
  templates.updateTemplateTaskForm,
  templates.deleteTemplateTaskForm,
  templates.createTaskFromTemplateForm,
  templates.createProjectFromTemplateForm,
  categories.createCategoryForm,
  categories.updateCategoryForm,
  categories.createTypeForm,
  categories.updateTypeForm,
  labels.updateLabelForm,
  customFields.createCustomFieldForm,
  customFields.updateCustomFieldForm,
  customFields.deleteCustomFieldForm,
  customFields.restoreCustomFieldForm,
  customFields.setProjectFieldsForm,
  settings.updateWorkspaceForm,
  settings.deleteWorkspaceForm,
  webhooks.createWebhookForm,
  webhooks.updateWebhookForm,
  webhooks.deleteWebhookForm,
  webhooks.testWebhookForm,
  webhooks.redeliverForm,
  webhooks.rotateSecretForm,
];

export const csvFiles: readonly AnyCsvFile[] = [tasksCsv, timeCsv, timeReportCsv, auditLogCsv];
