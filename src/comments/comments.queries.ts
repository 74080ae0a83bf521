import { type SQL, sql } from 'drizzle-orm';
import type { Caller } from '../kernel/access.ts';
import { build, number, row, rows, type Statement, write } from '../kernel/database.ts';
import { isAfter, limitOf, type Range } from '../kernel/pagination.ts';
import { fold } from '../tasks/fold.ts';
import { taskVisible } from '../tasks/visibility.queries.ts';
import { comments } from './comments.sql.ts';

export interface CommentRow {
  id: number;
  task: number;
  content: string;
  author_id: string;
  author_name: string;
  author_email: string;
  created_at: number;
}

const columns = sql`
  c.id AS id, c.task AS task, c.content AS content, m.user_id AS author_id, m.name AS author_name,
  m.email AS author_email, c.created_at AS created_at`;

/** Oldest first. */
export function listComments(caller: Caller, task: number, range: Range): Statement<CommentRow[]> {
  return rows<CommentRow>(sql`
    SELECT ${columns} FROM comments c INDEXED BY comments_by_task CROSS JOIN members m ON m.no = c.author
    WHERE c.ws = ${caller.workspace} AND c.task = ${task}
    AND ${isAfter(range, [{ column: sql`c.id` }])} ORDER BY c.id ${limitOf(range)}`);
}

/** How many comments a task has; -1 where the caller may not see the task. */
export function countComments(caller: Caller, task: number): Statement<number> {
  return number(sql`
    SELECT coalesce((SELECT t.comment_count FROM tasks t WHERE t.id = ${task} AND ${taskVisible(caller)}), -1) AS total`);
}

/** The last comments of one task, oldest first. */
export function listLastComments(caller: Caller, task: SQL, limit: number): Statement<CommentRow[]> {
  const newestFirst = rows<CommentRow>(sql`
    SELECT ${columns} FROM comments c INDEXED BY comments_by_task CROSS JOIN members m ON m.no = c.author
    WHERE c.ws = ${caller.workspace} AND c.task = ${task} ORDER BY c.id DESC LIMIT ${limit}`);
  return { ...newestFirst, read: (found) => newestFirst.read(found).reverse() };
}

/** The last comments of each task of a page, oldest first. */
export function listCommentsOfPage(
  caller: Caller,
  pageIds: SQL,
  limitPerTask: number,
): Statement<CommentRow[]> {
  return rows<CommentRow>(sql`
    SELECT ${columns} FROM (${pageIds}) page
    CROSS JOIN comments c INDEXED BY comments_by_task ON c.task = page.id
    CROSS JOIN members m ON m.no = c.author
    WHERE c.ws = ${caller.workspace} AND c.id >= coalesce((
      SELECT o.id FROM comments o INDEXED BY comments_by_task WHERE o.task = page.id
      ORDER BY o.id DESC LIMIT 1 OFFSET ${limitPerTask - 1}), 0)
    ORDER BY c.id`);
}

export function insertComment(caller: Caller, task: number, content: string, now: number): Statement<void>[] {
  return [
    write(
      build.insert(comments).values({
        ws: caller.workspace,
        task,
        author: caller.member,
        content,
        content_key: fold(content),
        created_at: sql`max(${now}, coalesce((SELECT nc.created_at FROM comments nc ORDER BY nc.id DESC LIMIT 1), 0))`,
      }),
    ),
    write(sql`
      UPDATE tasks SET comment_count = comment_count + 1, activity_count = activity_count + 1, updated_at = ${now}
      WHERE ws = ${caller.workspace} AND id = ${task}`),
  ];
}

/** Id of the comment that the same batch inserted. */
export const newestComment = sql`(SELECT max(id) FROM comments)`;

export function findComment(caller: Caller, id: SQL): Statement<CommentRow> {
  return row<CommentRow>(sql`
    SELECT ${columns} FROM comments c CROSS JOIN members m ON m.no = c.author
    WHERE c.ws = ${caller.workspace} AND c.id = ${id}`);
}
