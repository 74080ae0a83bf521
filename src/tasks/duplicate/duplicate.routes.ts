import { defineRoute } from '../../kernel/http/route.ts';
import { duplicateTask } from './duplicate.ts';

export const duplicateRoutes = [
  defineRoute('POST', '/tasks/:id/duplicate', duplicateTask, {
    status: 201,
    inQuery: ['include', 'descriptionFormat'],
  }),
];
