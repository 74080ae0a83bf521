import { defineRoute } from '../../kernel/http/route.ts';
import { createTasksInBulk } from './create.ts';
import { deleteTasksInBulk, restoreTasksInBulk } from './delete.ts';
import { moveTasksInBulk } from './move.ts';
import { archiveTasksInBulk, unarchiveTasksInBulk, updateTasksInBulk } from './update.ts';

const queryFields = ['mode', 'descriptionFormat'];

export const bulkRoutes = [
  defineRoute('POST', '/tasks/bulk', createTasksInBulk, {
    status: 201,
    inQuery: queryFields,
    okMeans: 'With mode=each, the result of each item.',
  }),
  defineRoute('PATCH', '/tasks/bulk', updateTasksInBulk, { inQuery: queryFields }),
  defineRoute('POST', '/tasks/bulk/archive', archiveTasksInBulk, { inQuery: queryFields }),
  defineRoute('POST', '/tasks/bulk/unarchive', unarchiveTasksInBulk, { inQuery: queryFields }),
  defineRoute('POST', '/tasks/bulk/move', moveTasksInBulk, { inQuery: queryFields }),
  defineRoute('POST', '/tasks/bulk/delete', deleteTasksInBulk, { inQuery: ['mode'] }),
  defineRoute('POST', '/tasks/bulk/restore', restoreTasksInBulk, { inQuery: queryFields }),
];
