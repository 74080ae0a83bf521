import type { Caller } from '../../kernel/access/access.ts';
import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { bucketColumns, followedColumns, getColumnAt } from '../../schema/cell/counters.ts';
import { members } from '../../schema/cell/workspaces.ts';

const mn = aliasTable(members, 'mn');

export function sumBuckets(buckets: readonly number[]): SQL {
  return sql.raw(buckets.map((bucket) => getColumnAt(bucketColumns, bucket)).join(' + '));
}

export function sumFollowedBuckets(buckets: readonly number[]): SQL {
  return sql.raw(buckets.map((bucket) => getColumnAt(followedColumns, bucket)).join(' + '));
}

/** The numbers never come from a request, so they are safe as raw SQL. */
export function buildBucketList(buckets: readonly number[]): SQL {
  return sql.raw(`(${buckets.join(', ')})`);
}

/** Includes former members, because tasks can be filtered by them. */
export function selectMemberNumber(caller: Caller, userId: string): SQL {
  return sql`(SELECT ${mn.no} FROM ${mn} WHERE ${mn.ws} = ${caller.workspace} AND ${mn.user_id} = ${userId})`;
}
