import { withContents } from '../comment-contents/long-pages.ts';
import { toComment } from '../comments/comments.present.ts';
import { listCommentsOfPage } from '../comments/comments.queries.ts';
import type { SQL, Statement } from '../kernel/database.ts';
import type { Context } from '../kernel/operation.ts';
import { toTaskDetail } from '../task-model/tasks.present.ts';
import { listFollowersOf, listTaskDetails } from '../task-model/tasks.queries.ts';
import { COMMENTS_IN_DETAIL, type TaskDetail } from '../task-model/tasks.schema.ts';

/** Bytes of comments in one answer, over all of its tasks; each task shows at least one comment. */
const COMMENT_BYTES_MAX = 2_000_000;

/** Runs the statements and reads the tasks afterwards, in one transaction. @param ids a SELECT of their ids, as `id`. */
export async function readDetails(
  { db, caller }: Context,
  ids: SQL,
  tasks: number,
  writes: Statement<void>[] = [],
): Promise<Map<number, TaskDetail>> {
  const bytes = Math.floor(COMMENT_BYTES_MAX / Math.max(1, tasks));
  const [rows, followers, comments] = await db.writeThenRead(writes, [
    listTaskDetails(caller, ids),
    listFollowersOf(caller, ids),
    listCommentsOfPage(caller, ids, {
      tasks,
      comments: COMMENTS_IN_DETAIL,
      contentBytes: bytes,
      allBytes: bytes,
    }),
  ]);
  const followersOf = Map.groupBy(followers, (row) => row.task);
  const commentsOf = Map.groupBy(await withContents(db, caller, comments), (row) => row.task);
  return new Map(
    rows.map((row) => [
      row.id,
      toTaskDetail(row, followersOf.get(row.id) ?? [], (commentsOf.get(row.id) ?? []).map(toComment)),
    ]),
  );
}
