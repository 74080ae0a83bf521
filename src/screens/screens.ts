import type { AnyForm, AnyPage } from '../web/page-model/page.ts';
import { boardPage, moveTask, quickAdd } from './board/board.tsx';
import { dashboardPage } from './dashboard/dashboard.tsx';
import * as inbox from './inbox/inbox.tsx';
import { myWorkPage } from './my-work/my-work.tsx';
import { projectsPage } from './projects/projects.tsx';
import { searchPage } from './search/search.tsx';
import * as task from './task/task.tsx';
import { taskListPage } from './task-list/task-list.tsx';
import { timePage } from './time/time.tsx';

/** Every page of a workspace. The first one that an address fits is shown. */
export const screens: readonly AnyPage[] = [
  myWorkPage,
  inbox.inboxPage,
  searchPage,
  projectsPage,
  boardPage,
  taskListPage,
  task.taskPage,
  task.download,
  dashboardPage,
  timePage,
];

/** Every form of a workspace. */
export const forms: readonly AnyForm[] = [
  moveTask,
  quickAdd,
  task.changeTask,
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
  inbox.openNotification,
  inbox.readNotification,
  inbox.readAll,
  inbox.removeNotification,
];
