import type { AnyForm, AnyPage } from '../web/page-model/page.ts';
import { boardPage, moveTask, quickAdd } from './board/board.tsx';
import * as task from './task/task.tsx';

/** Every page of a workspace. The first one that an address fits is shown. */
export const screens: readonly AnyPage[] = [boardPage, task.taskPage, task.download];

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
];
