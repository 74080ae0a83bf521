import { toTimestamp } from '../../kernel/operation/schema.ts';
import type { Comment } from '../summaries/summaries.schema.ts';
import type { CommentRow } from './comments.queries.ts';

type ShownComment = Omit<CommentRow, 'task' | 'parent' | 'bytes'>;

export function toComment(row: ShownComment): Comment {
  return {
    id: row.id,
    content: row.content,
    author: { id: row.author_id, name: row.author_name, email: row.author_email },
    createdAt: toTimestamp(row.created_at),
  };
}
