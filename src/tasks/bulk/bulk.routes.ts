import { route } from '../../kernel/http/route.ts';
import { createTasksInBulk } from './create.ts';
import { archiveTasksInBulk, unarchiveTasksInBulk, updateTasksInBulk } from './update.ts';

const inQuery = ['mode'];

export const bulkRoutes = [
  route('POST', '/tasks/bulk', createTasksInBulk, {
    status: 201,
    inQuery,
    okMeans: 'With mode=each: what became of each item.',
  }),
  route('PATCH', '/tasks/bulk', updateTasksInBulk, { inQuery }),
  route('POST', '/tasks/bulk/archive', archiveTasksInBulk, { inQuery }),
  route('POST', '/tasks/bulk/unarchive', unarchiveTasksInBulk, { inQuery }),
];
