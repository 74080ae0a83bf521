import { defineRoute } from '../../kernel/http/route.ts';
import { addReaction, removeReaction } from './reactions.ts';

export const reactionRoutes = [
  defineRoute('PUT', '/tasks/:id/comments/:commentId/reactions/:reaction', addReaction),
  defineRoute('DELETE', '/tasks/:id/comments/:commentId/reactions/:reaction', removeReaction),
];
