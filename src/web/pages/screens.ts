import type { AnyCsvFile } from '../page-model/csv-file.ts';
import type { AnyForm, AnyPage } from '../page-model/page.ts';
import { boardPage, moveTask, quickAdd } from './board/board.tsx';
import { filterBoardPage } from './board/filter-board.tsx';
import * as calendar from './calendar/calendar.tsx';
import * as categories from './categories/categories.tsx';
import { dashboardPage } from './dashboard/dashboard.tsx';
import * as projectFiles from './files/project-files.tsx';
import * as inbox from './inbox/inbox.tsx';
import { mailPage, saveMailPreferences } from './inbox/mail-preferences.tsx';
import * as meetings from './meetings/meetings.tsx';
import { myWorkPage } from './my-work/my-work.tsx';
import { addTask, quickAddPage } from './my-work/quick-add.tsx';
import { newTask, newTaskPage } from './new-task/new-task.tsx';
import { findPeoplePage } from './people/find-people.tsx';
import * as people from './people/people.tsx';
import * as project from './project-settings/project-settings.tsx';
import { findProjectsPage } from './projects/find-projects.tsx';
import { projectsPage } from './projects/projects.tsx';
import * as savedFilters from './saved-filters/saved-filters.tsx';
import { searchPage } from './search/search.tsx';
import { shortcutsPage } from './shortcuts/shortcuts.tsx';
import * as category from './task/category.tsx';
import { mentionablePage } from './task/mentionable.tsx';
import * as task from './task/task.tsx';
import { archiveTasks, changeTasks, restoreTasks } from './task-list/bulk.ts';
import { tasksCsv } from './task-list/task-csv.ts';
import { taskListPage } from './task-list/task-list.tsx';
import { undo } from './task-list/undo.ts';
import * as teams from './teams/teams.tsx';
import { timePage } from './time/time.tsx';
import { timeCsv } from './time/time-csv.ts';
import { changeEntry, logTime, removeEntry } from './time/time-forms.ts';
import { timeReportCsv, timeReportPage } from './time-report/time-report.tsx';
import * as webhooks from './webhooks/webhooks.tsx';
import * as settings from './workspace-settings/workspace-settings.tsx';

/** The first page that matches an address is displayed. */
export const screens: readonly AnyPage[] = [
  myWorkPage,
  inbox.inboxPage,
  mailPage,
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
  // Must precede the task page, which would match `add` and `new` as ids.
  quickAddPage,
  newTaskPage,
  task.taskPage,
  category.taskCategoryPage,
  mentionablePage,
  projectFiles.projectFilesPage,
  projectFiles.downloadFromProject,
  task.download,
  dashboardPage,
  calendar.calendarPage,
  meetings.newMeetingPage,
  meetings.meetingPage,
  timePage,
  timeReportPage,
  people.peoplePage,
  findPeoplePage,
  teams.teamsPage,
  categories.categoriesPage,
  settings.settingsPage,
  webhooks.webhooksPage,
  webhooks.webhookPage,
  shortcutsPage,
];

export const forms: readonly AnyForm[] = [
  moveTask,
  quickAdd,
  // Must precede the task forms, which would match `add`, `new` and `bulk` as ids.
  addTask,
  newTask,
  changeTasks,
  archiveTasks,
  restoreTasks,
  undo,
  savedFilters.newFilter,
  // Must precede the forms with ids, which would match `again` as one.
  savedFilters.filterAgain,
  savedFilters.replaceFilter,
  savedFilters.changeFilter,
  savedFilters.removeFilter,
  task.changeTask,
  task.tagTask,
  category.categorizeTask,
  task.follow,
  task.unfollow,
  task.writeDescription,
  task.comment,
  task.rewriteComment,
  task.removeComment,
  task.startTaskTimer,
  task.stopRunningTimer,
  task.archive,
  task.restore,
  task.duplicate,
  task.removeFile,
  task.restoreFile,
  calendar.renewFeed,
  calendar.endFeed,
  meetings.createMeetingForm,
  meetings.moveMeeting,
  meetings.cancelMeetingForm,
  meetings.restoreMeetingForm,
  logTime,
  changeEntry,
  removeEntry,
  projectFiles.removeProjectFile,
  projectFiles.restoreProjectFile,
  inbox.openNotification,
  saveMailPreferences,
  inbox.readNotification,
  inbox.readAll,
  inbox.removeNotification,
  inbox.restoreNotification,
  project.newProject,
  project.changeProject,
  project.addPeople,
  project.removePersonFromProject,
  project.handOver,
  project.removeProject,
  people.invite,
  people.resendInvite,
  people.withdraw,
  people.changeRoleForm,
  people.removePersonForm,
  people.transferOwnership,
  people.leave,
  teams.newTeam,
  teams.changeTeam,
  teams.removeTeam,
  teams.putIntoTeam,
  teams.takeFromTeam,
  categories.newCategory,
  categories.changeCategory,
  categories.newType,
  categories.changeType,
  settings.changeWorkspace,
  settings.removeWorkspace,
  webhooks.newWebhook,
  webhooks.changeWebhook,
  webhooks.removeWebhook,
  webhooks.tryWebhook,
  webhooks.sendAgain,
  webhooks.newSecret,
];

export const files: readonly AnyCsvFile[] = [tasksCsv, timeCsv, timeReportCsv];
