import { type SQL, sql } from 'drizzle-orm';
import type { Caller } from '../kernel/access.ts';
import { number, type Statement } from '../kernel/database.ts';

/*
 * Exact totals without counting, a column for each bucket. task_counts holds a row for each project (member 0), for each
 * person and project (which also counts what the person follows there), and for each person (project 0). count-changes
 * updates them.
 */

/** Sum of the named buckets of one counter row. */
export function bucketSum(buckets: readonly number[]): SQL {
  return sql.raw(buckets.map((bucket) => `bucket${bucket}`).join(' + '));
}

/** The same for the tasks that the person of the row follows. */
export function followedSum(buckets: readonly number[]): SQL {
  return sql.raw(buckets.map((bucket) => `followed${bucket}`).join(' + '));
}

/** SQL list of bucket numbers; they are our own integers. */
export function bucketList(buckets: readonly number[]): SQL {
  return sql.raw(`(${buckets.join(', ')})`);
}

/** Number of a present or former member, by user id, so that tasks of a person who left can be found by that person. */
export function memberNumber(caller: Caller, userId: string): SQL {
  return sql`(SELECT mn.no FROM members mn WHERE mn.ws = ${caller.workspace} AND mn.user_id = ${userId})`;
}

/** The counter rows to read: those of one assignee, or member 0 for everyone. */
export function memberOrAll(caller: Caller, userId: string | undefined): SQL {
  return userId === undefined ? sql`0` : memberNumber(caller, userId);
}

/** Tasks of the whole workspace, or of one project; of everyone (member 0) or of one assignee. */
export function countInWorkspace(
  caller: Caller,
  buckets: readonly number[],
  member: SQL,
  projectId?: number,
): Statement<number> {
  // For everyone there is a row for each project; for one person there is one row for all projects.
  const project =
    projectId !== undefined
      ? sql`AND project = ${projectId}`
      : sql`AND ((member = 0 AND project > 0) OR (member > 0 AND project = 0))`;
  return number(sql`
    SELECT coalesce(sum(${bucketSum(buckets)}), 0) AS total FROM task_counts
    WHERE ws = ${caller.workspace} AND member = ${member} ${project}`);
}

export interface MineFilter {
  buckets: readonly number[];
  assigneeId?: string | undefined;
  projectId?: number | undefined;
}

/** Tasks of the caller's projects, plus those they follow elsewhere. */
export function countMine(caller: Caller, filter: MineFilter): Statement<number> {
  const { buckets, assigneeId, projectId } = filter;
  const member = memberOrAll(caller, assigneeId);
  const project = (column: SQL) => (projectId === undefined ? sql`` : sql`AND ${column} = ${projectId}`);
  const inMyProjects = sql`
    SELECT sum(${bucketSum(buckets)}) FROM project_members mp
    CROSS JOIN task_counts tc ON tc.ws = ${caller.workspace} AND tc.member = ${member} AND tc.project = mp.project
    WHERE mp.member = ${caller.member} ${project(sql`mp.project`)}`;
  return number(sql`
    SELECT coalesce((${inMyProjects}), 0) + coalesce((${followedElsewhere()}), 0) AS total`);

  function followedElsewhere(): SQL {
    const elsewhere = (column: SQL) => sql`
      NOT EXISTS (SELECT 1 FROM project_members op WHERE op.project = ${column} AND op.member = ${caller.member})`;
    if (assigneeId === undefined) {
      return sql`
        SELECT sum(${followedSum(buckets)}) FROM task_counts fc
        WHERE fc.ws = ${caller.workspace} AND fc.member = ${caller.member} AND fc.project > 0
        ${project(sql`fc.project`)} AND ${elsewhere(sql`fc.project`)}`;
    }
    // An assignee always follows, so the follows include what is assigned to the caller elsewhere.
    if (assigneeId === caller.userId) {
      return sql`
        SELECT sum(${bucketSum(buckets)}) FROM task_counts ac
        WHERE ac.ws = ${caller.workspace} AND ac.member = ${caller.member} AND ac.project > 0
        ${project(sql`ac.project`)}
        AND ${elsewhere(sql`ac.project`)}`;
    }
    return sql`
      SELECT count(*) FROM followers f CROSS JOIN tasks t ON t.id = f.task
      WHERE f.member = ${caller.member} ${project(sql`f.project`)} AND ${elsewhere(sql`f.project`)}
      AND t.assignee = ${member} AND t.bucket IN ${bucketList(buckets)}`;
  }
}
