import { route } from '../kernel/route.ts';
import { addComment, listComments } from './comments.ts';

export const commentRoutes = [
  route('GET', '/tasks/:id/comments', listComments),
  route('POST', '/tasks/:id/comments', addComment, { status: 201 }),
];
