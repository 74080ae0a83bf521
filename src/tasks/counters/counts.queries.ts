import type { Caller } from '../../kernel/access/access.ts';
import { names, type SQL, sql } from '../../kernel/sql/sql.ts';
import { bucketColumns, columnAt, followedColumns } from '../../schema/cell/counters.ts';
import { members } from '../../schema/cell/workspaces.ts';

const mn = names(members, 'mn');

/*
 * Exact totals without counting, a column for each bucket. task_counts holds a row for each project (member 0), for each
 * person and project (which also counts what the person follows there), and for each person (project 0). count-changes
 * updates them.
 */

/** Sum of the named buckets of one counter row. */
export function bucketSum(buckets: readonly number[]): SQL {
  return sql.raw(buckets.map((bucket) => columnAt(bucketColumns, bucket)).join(' + '));
}

/** The same for the tasks that the person of the row follows. */
export function followedSum(buckets: readonly number[]): SQL {
  return sql.raw(buckets.map((bucket) => columnAt(followedColumns, bucket)).join(' + '));
}

/** SQL list of bucket numbers; they are our own integers. */
export function bucketList(buckets: readonly number[]): SQL {
  return sql.raw(`(${buckets.join(', ')})`);
}

/** Number of a present or former member, by user id, so that tasks of a person who left can be found by that person. */
export function memberNumber(caller: Caller, userId: string): SQL {
  return sql`(SELECT ${mn.no} FROM ${mn} WHERE ${mn.ws} = ${caller.workspace} AND ${mn.user_id} = ${userId})`;
}
