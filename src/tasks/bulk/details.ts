import type { Context } from '../../kernel/operation/operation.ts';
import type { SQL, Statement } from '../../kernel/sql/database.ts';
import { indexWaitingTextsAfterResponse } from '../../search/index/index-waiting-texts.ts';
import { getInlineBytesMax, readLongContents } from '../comment-contents/long-contents.ts';
import { toComment } from '../comments/comments.present.ts';
import { listTaskComments } from '../comments/comments.queries.ts';
import { toTaskDetail } from '../model/tasks.present.ts';
import {
  listTaskDetails,
  listTaskFollowers,
  listTaskVersions,
  type TaskVersion,
} from '../model/tasks.queries.ts';
import { DETAIL_COMMENTS_MAX, type TaskDetail } from '../model/tasks.schema.ts';

/** The maximum total size of the comments in a response, except that each task's newest comment is always included. */
const RESPONSE_COMMENTS_BYTES_MAX = 2_000_000;

export interface BulkDetails {
  results: Map<number, { task: TaskDetail } | TaskVersion>;
  /** The size of each long description in bytes, by task id. In `results`, these descriptions are null. */
  long: Map<number, number>;
}

export async function writeAndReadDetails(
  ctx: Context,
  ids: SQL,
  tasks: number,
  writes: Statement<void>[] = [],
): Promise<BulkDetails> {
  const { db, caller } = ctx;
  if (ctx.prefersMinimal) {
    const [versions] = await db.writeThenRead(writes, [listTaskVersions(caller, ids)]);
    indexWaitingTextsAfterResponse(ctx, writes);
    return { results: new Map(versions.map((each) => [each.id, each])), long: new Map() };
  }
  const bytes = Math.floor(RESPONSE_COMMENTS_BYTES_MAX / Math.max(1, tasks));
  const [rows, followers, comments] = await db.writeThenRead(writes, [
    listTaskDetails(caller, ids, getInlineBytesMax(tasks)),
    listTaskFollowers(caller, ids),
    listTaskComments(caller, ids, {
      tasks,
      comments: DETAIL_COMMENTS_MAX,
      contentBytes: bytes,
      allBytes: bytes,
    }),
  ]);
  indexWaitingTextsAfterResponse(ctx, writes);
  const followersOf = Map.groupBy(followers, (row) => row.task);
  const commentsOf = Map.groupBy(await readLongContents(db, caller, comments), (row) => row.task);
  const results = rows.map((row): [number, { task: TaskDetail }] => [
    row.id,
    {
      task: toTaskDetail(row, followersOf.get(row.id) ?? [], (commentsOf.get(row.id) ?? []).map(toComment)),
    },
  ]);
  const long = rows.filter((row) => row.description === null && row.description_bytes > 0);
  return {
    results: new Map(results),
    long: new Map(long.map((row) => [row.id, row.description_bytes])),
  };
}
