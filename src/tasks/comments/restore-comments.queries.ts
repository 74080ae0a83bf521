import type { Caller } from '../../kernel/access/access.ts';
import { assertUnchanged, type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, nameInsertColumns, sql } from '../../kernel/sql/sql.ts';
import { comments } from '../../schema/cell/comments.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { indexComment } from '../../search/index/comment-search.queries.ts';
import { toSearchKey } from '../../search/index/search-key.ts';
import { changeCommentCount } from '../counters/comment-counts.queries.ts';
import { type CommentKey, hasRoomForComment } from './comments.queries.ts';

const c = aliasTable(comments, 'c');
const t = aliasTable(tasks, 't');

export interface FormerComment {
  author: number;
  content: string;
  day: string;
  created_at: number;
  /** Missing from deletions that were recorded before comments had replies. */
  parent?: number | null;
}

/** Aborts the batch if the comment exists, or if the task already has the maximum number of comments. */
export function reinsertComment(
  caller: Caller,
  { task, id }: CommentKey,
  { author, content, day, created_at, parent = null }: FormerComment,
): Statement<void>[] {
  return [
    write(sql`
      INSERT INTO ${nameInsertColumns(comments, 'id', 'ws', 'task', 'author', 'project', 'assignee', 'archived', 'day', 'created_at', 'content', 'content_key', 'parent')}
      SELECT ${id}, ${t.ws}, ${t.id}, ${author}, ${t.project}, ${t.assignee}, ${t.archived}, ${day}, ${created_at},
        ${content}, ${toSearchKey(content)}, ${parent}
      FROM ${t} WHERE ${t.ws} = ${caller.workspace} AND ${t.id} = ${task} AND ${hasRoomForComment}
        AND NOT EXISTS (SELECT 1 FROM ${c} WHERE ${c.id} = ${id})`),
    assertUnchanged(sql`changes() = 1`),
    changeCommentCount(sql`${id}`, 1),
    indexComment(caller.workspace, sql`${id}`, content),
  ];
}
