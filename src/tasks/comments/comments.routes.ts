import { defineRoute } from '../../kernel/http/route.ts';
import { addComment, deleteComment, listComments, updateComment } from './comments.ts';

export const commentRoutes = [
  defineRoute('GET', '/tasks/:id/comments', listComments),
  defineRoute('POST', '/tasks/:id/comments', addComment, { status: 201 }),
  defineRoute('PATCH', '/tasks/:id/comments/:commentId', updateComment),
  defineRoute('DELETE', '/tasks/:id/comments/:commentId', deleteComment),
];
