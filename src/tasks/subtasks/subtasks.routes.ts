import { defineRoute } from '../../kernel/http/route.ts';
import { listSubtasks, orderSubtasks } from './subtasks.ts';

export const subtaskRoutes = [
  defineRoute('GET', '/tasks/:id/subtasks', listSubtasks),
  defineRoute('POST', '/tasks/:id/subtasks/order', orderSubtasks),
];
