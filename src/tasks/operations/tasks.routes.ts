import { route } from '../../kernel/http/route.ts';
import { listTasks } from './list-tasks.ts';
import { archiveTask, createTask, duplicateTask, getTask, unarchiveTask, updateTask } from './tasks.ts';

export const taskRoutes = [
  route('GET', '/tasks', listTasks),
  route('GET', '/tasks/:id', getTask),
  route('POST', '/tasks', createTask, { status: 201 }),
  route('PATCH', '/tasks/:id', updateTask),
  route('POST', '/tasks/:id/archive', archiveTask),
  route('POST', '/tasks/:id/unarchive', unarchiveTask),
  route('POST', '/tasks/:id/duplicate', duplicateTask, { status: 201 }),
];
