import { route } from '../../kernel/http/route.ts';
import { addComment, deleteComment, listComments, updateComment } from './comments.ts';

export const commentRoutes = [
  route('GET', '/tasks/:id/comments', listComments),
  route('POST', '/tasks/:id/comments', addComment, { status: 201 }),
  route('PATCH', '/tasks/:id/comments/:commentId', updateComment),
  route('DELETE', '/tasks/:id/comments/:commentId', deleteComment),
];
