import { defineRoute } from '../../kernel/http/route.ts';
import { deleteTask } from './delete-task.ts';
import { listTrash } from './list-trash.ts';
import { restoreTask } from './restore-task.ts';

export const trashRoutes = [
  defineRoute('GET', '/tasks/trash', listTrash),
  defineRoute('DELETE', '/tasks/:id', deleteTask),
  defineRoute('POST', '/tasks/:id/restore', restoreTask, { inQuery: ['descriptionFormat'] }),
];
