import { defineRoute } from '../../kernel/http/route.ts';
import { moveTask } from './move-task.ts';

export const movingRoutes = [
  defineRoute('POST', '/tasks/:id/move', moveTask, { inQuery: ['descriptionFormat'] }),
];
