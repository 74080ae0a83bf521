import type { Caller } from '../../kernel/access/access.ts';
import { names, type SQL, sql } from '../../kernel/sql/sql.ts';
import { bucketColumns, columnAt, followedColumns } from '../../schema/cell/counters.ts';
import { members } from '../../schema/cell/workspaces.ts';

const mn = names(members, 'mn');

/*
 * Exact totals without counting, with a column per bucket. task_counts holds a row per project (member 0), per person and
 * project (which also counts what the person follows there), and per person (project 0). count-changes updates them.
 */

/** Sum of the buckets in one counter row. */
export function sumBuckets(buckets: readonly number[]): SQL {
  return sql.raw(buckets.map((bucket) => columnAt(bucketColumns, bucket)).join(' + '));
}

/** The same for the tasks that the person of the row follows. */
export function sumFollowedBuckets(buckets: readonly number[]): SQL {
  return sql.raw(buckets.map((bucket) => columnAt(followedColumns, bucket)).join(' + '));
}

/** An SQL list of bucket numbers, which never come from input. */
export function toBucketList(buckets: readonly number[]): SQL {
  return sql.raw(`(${buckets.join(', ')})`);
}

/** Includes former members, so that tasks can be filtered by a person who left. */
export function selectMemberNumber(caller: Caller, userId: string): SQL {
  return sql`(SELECT ${mn.no} FROM ${mn} WHERE ${mn.ws} = ${caller.workspace} AND ${mn.user_id} = ${userId})`;
}
