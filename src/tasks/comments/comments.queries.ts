// This file is long because the statements that read, add, edit and delete comments share their columns and conditions.
import { and, eq } from 'drizzle-orm';
import type { Caller } from '../../kernel/access/access.ts';
import { toWallClock } from '../../kernel/dates/civil-date.ts';
import { buildLimit, isAfter, type PageRange } from '../../kernel/lists/pagination.ts';
import {
  assertUnchanged,
  buildInList,
  readFirstRow,
  readNumber,
  readRow,
  readRows,
  type Statement,
  write,
} from '../../kernel/sql/database.ts';
import { type Argument, prepared, query } from '../../kernel/sql/prepared.ts';
import {
  aliasLeftJoinedTable,
  aliasTable,
  nameInsertColumns,
  type Row,
  type SQL,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { comments } from '../../schema/cell/comments.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { indexComment, unindexComment, unindexComments } from '../../search/index/comment-search.queries.ts';
import { toSearchKey } from '../../search/index/search-key.ts';
import { buildContentColumns } from '../comment-contents/long-contents.queries.ts';
import { type CommentContentRow, getInlineBytesMax } from '../comment-contents/long-contents.ts';
import { changeCommentCount, subtractCommentCounts } from '../counters/comment-counts.queries.ts';
import { buildReactionsColumn } from '../reactions/reactions.queries.ts';
import { isTaskVisible } from '../visibility/task-visibility.queries.ts';
import { COMMENTS_PER_TASK_MAX } from './comments.policy.ts';

const c = aliasTable(comments, 'c');
const joinedComment = aliasLeftJoinedTable(comments, 'c');
const m = aliasTable(members, 'm');
const n = aliasTable(comments, 'n');
const o = aliasTable(comments, 'o');
const t = aliasTable(tasks, 't');
export const commentInsertTarget = nameInsertColumns(
  comments,
  'ws',
  'task',
  'author',
  'project',
  'assignee',
  'archived',
  'day',
  'created_at',
  'content',
  'content_key',
  'parent',
);

const commentColumns = selectColumns({
  id: c.id,
  task: c.task,
  author_id: m.user_id,
  author_name: m.name,
  author_email: m.email,
  created_at: c.created_at,
  parent: c.parent,
});
export type PagedCommentRow = Row<typeof commentColumns> & CommentContentRow;
export type CommentRow = PagedCommentRow & { content: string };

const buildShortContentColumns = (bytes: number) => buildContentColumns(sql`${c.bytes} <= ${bytes}`);

const noReactionsColumn = selectColumns({ reactions: withType<string | null>(sql`NULL`) });

export function listComments(
  caller: Caller,
  task: number,
  range: PageRange,
  hasReactions: boolean,
): Statement<(PagedCommentRow & { reactions: string | null })[]> {
  const reactionsColumn = hasReactions ? buildReactionsColumn(caller, c.id) : noReactionsColumn;
  return readRows(sql`
    SELECT ${commentColumns}, ${buildShortContentColumns(getInlineBytesMax(range.limit + 1))}, ${reactionsColumn}
    FROM ${c} INDEXED BY comments_by_task
      CROSS JOIN ${m} ON ${m.no} = ${c.author}
    WHERE ${c.ws} = ${caller.workspace} AND ${c.task} = ${task}
    AND ${isAfter(range, [{ column: c.id }])} ORDER BY ${c.id} ${buildLimit(range)}`);
}

/** Returns -1 if the caller can't see the task. */
export function countComments(caller: Caller, task: number): Statement<number> {
  return readNumber(sql`
    SELECT coalesce((SELECT ${t.comment_count}
      FROM ${t} WHERE ${t.id} = ${task} AND ${isTaskVisible(t, caller)}), -1) AS total`);
}

export function listLastComments(caller: Caller, task: SQL, limit: number): Statement<PagedCommentRow[]> {
  const newestFirst = readRows(sql`
    SELECT ${commentColumns}, ${buildShortContentColumns(getInlineBytesMax(limit))} FROM ${c} INDEXED BY comments_by_task
      CROSS JOIN ${m} ON ${m.no} = ${c.author}
    WHERE ${c.ws} = ${caller.workspace} AND ${c.task} = ${task} ORDER BY ${c.id} DESC LIMIT ${limit}`);
  return { ...newestFirst, read: (found) => newestFirst.read(found).reverse() };
}

export interface CommentLimits {
  tasks: number;
  comments: number;
  /** Limits the contents alone, in bytes of JSON. `allBytes` also counts authors and dates. */
  contentBytes: number;
  allBytes: number;
}

/** The maximum number of bytes that the id, the date, the field names and the comma add to a comment. */
const COMMENT_OVERHEAD_BYTES = 120;

/** Returns each task's newest comment, and as many earlier ones as fit within the limits, oldest first. */
export function listTaskComments(
  caller: Caller,
  pageIds: SQL,
  limits: CommentLimits,
): Statement<PagedCommentRow[]> {
  const author = sql`octet_length(json_quote(${m.name})) + octet_length(${m.email}) + octet_length(${m.user_id})`;
  const content = buildContentColumns(sql`n.content_bytes <= ${getInlineBytesMax(limits.tasks)}`);
  return readRows(sql`
    WITH newest (id, place, content_bytes, all_bytes) AS MATERIALIZED (
      SELECT ${c.id}, row_number() OVER newest_first, sum(${c.bytes}) OVER newest_first,
        sum(${c.bytes} + ${author} + ${COMMENT_OVERHEAD_BYTES}) OVER newest_first
      FROM (${pageIds}) page
      CROSS JOIN ${c} INDEXED BY comments_by_task ON ${c.task} = page.id
      CROSS JOIN ${m} ON ${m.no} = ${c.author}
      WHERE ${c.ws} = ${caller.workspace} AND ${c.id} >= coalesce((
        SELECT ${o.id} FROM ${o} INDEXED BY comments_by_task WHERE ${o.task} = page.id
        ORDER BY ${o.id} DESC LIMIT 1 OFFSET ${limits.comments - 1}), 0)
      WINDOW newest_first AS (PARTITION BY ${c.task} ORDER BY ${c.id} DESC ROWS UNBOUNDED PRECEDING))
    SELECT ${commentColumns}, ${content} FROM newest n CROSS JOIN ${c} ON ${c.id} = n.id CROSS JOIN ${m} ON ${m.no} = ${c.author}
    WHERE n.place = 1 OR (n.content_bytes <= ${limits.contentBytes} AND n.all_bytes <= ${limits.allBytes})
    ORDER BY ${c.id}`);
}

export const hasRoomForComment = sql`${t.comment_count} < ${sql.raw(String(COMMENTS_PER_TASK_MAX))}`;

interface NewComment {
  task: number;
  content: string;
  /** An existing comment on the task. If it is a reply, the new comment joins its thread. */
  replyTo: number | null;
}

/**
 * Aborts the batch if the task has too many comments, or if `replyTo` no longer exists. A comment is never dated before
 * an older one, even if a clock is slow.
 */
export function insertComment(
  caller: Caller,
  { task, content, replyTo }: NewComment,
  now: number,
): Statement<void>[] {
  const today = toWallClock(now, caller.timezone).date;
  return [
    write(sql`
      INSERT INTO ${commentInsertTarget}
      SELECT ${t.ws}, ${t.id}, ${caller.member}, ${t.project}, ${t.assignee}, ${t.archived},
        max(${today}, coalesce(l.day, '')),
        max(${now}, coalesce(l.created_at, 0)), ${content}, ${toSearchKey(content)}, coalesce(${o.parent}, ${o.id})
      FROM ${t} LEFT JOIN ${o} ON ${o.id} = ${replyTo} AND ${o.task} = ${t.id} AND ${o.ws} = ${t.ws} LEFT JOIN (
        SELECT ${n.day} AS day, ${n.created_at} AS created_at FROM ${n} INDEXED BY comments_by_day
        WHERE ${n.ws} = ${caller.workspace} ORDER BY ${n.day} DESC, ${n.id} DESC LIMIT 1) l ON true
      WHERE ${t.ws} = ${caller.workspace} AND ${t.id} = ${task} AND ${hasRoomForComment}
        AND ${o.id} IS ${replyTo}`),
    assertUnchanged(sql`changes() = 1`),
    changeCommentCount(newestComment, 1),
    indexComment(caller.workspace, newestComment, content),
  ];
}

const commentStateColumns = selectColumns({
  archived: t.archived,
  author: joinedComment.author,
  content: joinedComment.content,
  day: joinedComment.day,
  created_at: joinedComment.created_at,
  parent: joinedComment.parent,
});
export type CommentState = Row<typeof commentStateColumns>;

export function findCommentState(caller: Caller, task: number, id: number): Statement<CommentState | null> {
  return readFirstRow(sql`
    SELECT ${commentStateColumns} FROM ${t} LEFT JOIN ${joinedComment} ON ${joinedComment.id} = ${id} AND ${joinedComment.task} = ${t.id} AND ${joinedComment.ws} = ${t.ws}
    WHERE ${t.id} = ${task} AND ${isTaskVisible(t, caller)}`);
}

export interface CommentKey {
  task: number;
  id: number;
}

const matchesCommentKey = (caller: Argument<Caller>, { task, id }: Argument<CommentKey>) =>
  and(eq(comments.ws, caller.workspace), eq(comments.task, task), eq(comments.id, id));

const updateOwnContent = prepared.write(
  (
    caller: Argument<Caller>,
    comment: Argument<CommentKey>,
    content: Argument<{ from: string; to: string; key: string }>,
  ) =>
    query
      .update(comments)
      .set({ content: content.to, content_key: content.key })
      .where(
        and(
          matchesCommentKey(caller, comment),
          eq(comments.author, caller.member),
          eq(comments.content, content.from),
        ),
      ),
);

/** Aborts the batch if the comment has changed since it was read, or belongs to someone else. */
export function updateComment(
  caller: Caller,
  comment: CommentKey,
  { from, to }: { from: string; to: string },
): Statement<void>[] {
  return [
    updateOwnContent(caller, comment, { from, to, key: toSearchKey(to) }),
    assertUnchanged(sql`changes() = 1`),
    unindexComment(caller.workspace, sql`${comment.id}`),
    indexComment(caller.workspace, sql`${comment.id}`, to),
  ];
}

const deleteAnyComment = prepared.write((caller: Argument<Caller>, comment: Argument<CommentKey>) =>
  query.delete(comments).where(matchesCommentKey(caller, comment)),
);

const deleteOwnComment = prepared.write((caller: Argument<Caller>, comment: Argument<CommentKey>) =>
  query.delete(comments).where(and(matchesCommentKey(caller, comment), eq(comments.author, caller.member))),
);

/** Aborts the batch if the comment no longer exists, or if someone else wrote it and `allowsAnyAuthor` is false. */
export function deleteComment(
  caller: Caller,
  comment: CommentKey,
  allowsAnyAuthor: boolean,
): Statement<void>[] {
  const { id } = comment;
  return [
    changeCommentCount(sql`${id}`, -1),
    allowsAnyAuthor ? deleteAnyComment(caller, comment) : deleteOwnComment(caller, comment),
    assertUnchanged(sql`changes() = 1`),
    unindexComment(caller.workspace, sql`${id}`),
  ];
}

/** Aborts the batch unless all comments exist and `author` wrote all of them. */
export function deleteCommentsOfAuthor(
  ws: number,
  author: number,
  ids: readonly number[],
): Statement<void>[] {
  const list = buildInList(ids);
  return [
    subtractCommentCounts(list),
    write(sql`
      DELETE FROM ${comments}
      WHERE ${comments.ws} = ${ws} AND ${comments.author} = ${author} AND ${comments.id} IN ${list}`),
    assertUnchanged(sql`changes() = ${ids.length}`),
    unindexComments(ws, JSON.stringify(ids)),
  ];
}

export const newestComment = sql`(SELECT max(${comments.id}) FROM ${comments})`;

const wholeContentColumns = selectColumns({ bytes: withType<number>(c.bytes), content: c.content });

export function findComment(caller: Caller, id: SQL): Statement<CommentRow> {
  return readRow(sql`
    SELECT ${commentColumns}, ${wholeContentColumns} FROM ${c} CROSS JOIN ${m} ON ${m.no} = ${c.author}
    WHERE ${c.ws} = ${caller.workspace} AND ${c.id} = ${id}`);
}
