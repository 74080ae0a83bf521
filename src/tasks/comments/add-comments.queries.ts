import type { Caller } from '../../kernel/access/access.ts';
import { toWallClock } from '../../kernel/dates/civil-date.ts';
import { assertUnchanged, buildInList, readRows, type Statement, write } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { comments } from '../../schema/cell/comments.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { indexComments } from '../../search/index/comment-search.queries.ts';
import { toSearchKey } from '../../search/index/search-key.ts';
import { addCommentCounts } from '../counters/comment-counts.queries.ts';
import { isTaskVisible } from '../visibility/task-visibility.queries.ts';
import { commentInsertTarget, hasRoomForComment } from './comments.queries.ts';

const c = aliasTable(comments, 'c');
const n = aliasTable(comments, 'n');
const t = aliasTable(tasks, 't');

const commentedTaskColumns = selectColumns({ id: t.id, archived: t.archived, comments: t.comment_count });
export type CommentedTask = Row<typeof commentedTaskColumns>;

export function listCommentedTasks(caller: Caller, ids: readonly number[]): Statement<CommentedTask[]> {
  return readRows(sql`
    SELECT ${commentedTaskColumns} FROM ${t} NOT INDEXED
    WHERE ${t.id} IN ${buildInList(ids)} AND ${isTaskVisible(t, caller)}`);
}

/** Aborts the batch if the caller can no longer see a task, or if a task is archived or has too many comments. */
export function insertComments(
  caller: Caller,
  ids: readonly number[],
  content: string,
  now: number,
): Statement<void>[] {
  const today = toWallClock(now, caller.timezone).date;
  const created = selectNewCommentIds(ids.length);
  return [
    // A comment is never dated before an older one, even if a clock is slow.
    write(sql`
      INSERT INTO ${commentInsertTarget}
      SELECT ${t.ws}, ${t.id}, ${caller.member}, ${t.project}, ${t.assignee}, ${t.archived},
        max(${today}, coalesce(l.day, '')),
        max(${now}, coalesce(l.created_at, 0)), ${content}, ${toSearchKey(content)}, NULL
      FROM json_each(${JSON.stringify(ids)}) d
      CROSS JOIN ${t} NOT INDEXED ON ${t.id} = d.value AND ${t.ws} = ${caller.workspace}
        AND ${t.archived} = 0 AND ${isTaskVisible(t, caller)} AND ${hasRoomForComment}
      LEFT JOIN (
        SELECT ${n.day} AS day, ${n.created_at} AS created_at FROM ${n} INDEXED BY comments_by_day
        WHERE ${n.ws} = ${caller.workspace} ORDER BY ${n.day} DESC, ${n.id} DESC LIMIT 1) l ON true
      ORDER BY d.key`),
    assertUnchanged(sql`changes() = ${ids.length}`),
    addCommentCounts(created),
    indexComments(caller.workspace, created, content),
  ];
}

export function selectNewCommentIds(count: number) {
  return sql`(SELECT ${comments.id} FROM ${comments} ORDER BY ${comments.id} DESC LIMIT ${count})`;
}

const newCommentColumns = selectColumns({ id: c.id, taskId: c.task });

export function listNewComments(
  caller: Caller,
  count: number,
  last = sql`(SELECT max(${comments.id}) FROM ${comments})`,
) {
  return readRows(sql`
    SELECT ${newCommentColumns} FROM ${c} NOT INDEXED
    WHERE ${c.ws} = ${caller.workspace} AND ${c.id} > ${last} - ${count} AND ${c.id} <= ${last} ORDER BY ${c.id}`);
}
