import { type SQL, sql } from 'drizzle-orm';
import type { Caller } from '../kernel/access.ts';
import { number, type Statement, write } from '../kernel/database.ts';
import { BUCKETS } from './buckets.ts';

/*
 * Exact totals without counting: task_counts holds one row a project (member 0) and one a project and assignee,
 * follow_counts one a follower and project, each with a column a bucket.
 */

const columns = Array.from({ length: BUCKETS }, (_, bucket) => `c${bucket}`);
const columnList = sql.raw(columns.join(', '));
const tallies = sql.raw(columns.map((_, bucket) => `sum(t.k = ${bucket})`).join(', '));
const addExcluded = sql.raw(columns.map((column) => `${column} = ${column} + excluded.${column}`).join(', '));

/** Sum of the named buckets of one counter row. */
export function bucketSum(buckets: readonly number[]): SQL {
  return sql.raw(buckets.map((bucket) => `c${bucket}`).join(' + '));
}

/** SQL list of bucket numbers; they are our own integers. */
export function bucketList(buckets: readonly number[]): SQL {
  return sql.raw(`(${buckets.join(', ')})`);
}

/** Number of a workspace member by user id; no row where they are not one. */
export function memberNumber(caller: Caller, userId: string): SQL {
  return sql`(SELECT mn.no FROM members mn WHERE mn.ws = ${caller.workspace} AND mn.user_id = ${userId})`;
}

/** The counter rows to ask: those of one assignee, or member 0 for everyone. */
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
  const project = projectId === undefined ? sql`` : sql`AND project = ${projectId}`;
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
        SELECT sum(${bucketSum(buckets)}) FROM follow_counts fc
        WHERE fc.member = ${caller.member} ${project(sql`fc.project`)} AND ${elsewhere(sql`fc.project`)}`;
    }
    // An assignee always follows: what is assigned to me elsewhere is followed by me.
    if (assigneeId === caller.userId) {
      return sql`
        SELECT sum(${bucketSum(buckets)}) FROM task_counts ac
        WHERE ac.ws = ${caller.workspace} AND ac.member = ${caller.member} ${project(sql`ac.project`)}
        AND ${elsewhere(sql`ac.project`)}`;
    }
    return sql`
      SELECT count(*) FROM followers f CROSS JOIN tasks t ON t.id = f.task
      WHERE f.member = ${caller.member} ${project(sql`f.project`)} AND ${elsewhere(sql`f.project`)}
      AND t.member = ${member} AND t.k IN ${bucketList(buckets)}`;
  }
}

/** @param selected FROM and WHERE of the tasks `t` to count, such as `newTasks(1)`. */
export function countTasks(selected: SQL): Statement<void> {
  return write(sql`
    INSERT INTO task_counts (ws, member, project, ${columnList})
    SELECT t.ws, 0, t.project, ${tallies} FROM ${selected} GROUP BY t.ws, t.project
    UNION ALL
    SELECT t.ws, t.member, t.project, ${tallies} FROM ${selected} AND t.member > 0
    GROUP BY t.ws, t.member, t.project
    ON CONFLICT (ws, member, project) DO UPDATE SET ${addExcluded}`);
}

/** Counts every follower of the selected tasks. */
export function countFollows(selected: SQL): Statement<void> {
  return write(sql`
    INSERT INTO follow_counts (member, project, ${columnList})
    SELECT f.member, f.project, ${tallies} FROM (SELECT t.id, t.k FROM ${selected}) t
    CROSS JOIN followers f INDEXED BY followers_by_task ON f.task = t.id
    WHERE true GROUP BY f.member, f.project
    ON CONFLICT (member, project) DO UPDATE SET ${addExcluded}`);
}

export interface CountedPlace {
  ws: number;
  project: number;
  /** Assignee, 0 for none. */
  member: number;
  bucket: number;
}

/** Moves one task from where it was counted to where it belongs now; the project never changes. */
export function moveCounts(taskId: number, from: CountedPlace, to: CountedPlace): Statement<void>[] {
  const statements: Statement<void>[] = [];
  if (from.bucket !== to.bucket) {
    statements.push(shift(from.ws, 0, from.project, from.bucket, to.bucket), shiftFollows());
  }
  if (from.member === to.member) {
    if (from.member > 0 && from.bucket !== to.bucket) {
      statements.push(shift(from.ws, from.member, from.project, from.bucket, to.bucket));
    }
    return statements;
  }
  if (from.member > 0) statements.push(add(from, -1));
  if (to.member > 0) statements.push(add(to, 1));
  return statements;

  function shiftFollows(): Statement<void> {
    return write(sql`
      UPDATE follow_counts SET ${movement(from.bucket, to.bucket)}
      WHERE project = ${from.project}
      AND member IN (SELECT f.member FROM followers f INDEXED BY followers_by_task WHERE f.task = ${taskId})`);
  }
}

function shift(ws: number, member: number, project: number, from: number, to: number): Statement<void> {
  return write(sql`
    UPDATE task_counts SET ${movement(from, to)}
    WHERE ws = ${ws} AND member = ${member} AND project = ${project}`);
}

function movement(from: number, to: number): SQL {
  return sql.raw(`c${from} = c${from} - 1, c${to} = c${to} + 1`);
}

function add({ ws, member, project, bucket }: CountedPlace, amount: 1 | -1): Statement<void> {
  const column = sql.raw(`c${bucket}`);
  return write(sql`
    INSERT INTO task_counts (ws, member, project, ${column}) VALUES (${ws}, ${member}, ${project}, ${amount})
    ON CONFLICT (ws, member, project) DO UPDATE SET ${column} = ${column} + ${amount}`);
}

/** Makes a member follow a task; counted only where they did not follow it yet. */
export function follow(
  member: number,
  task: { id: number; project: number; bucket: number },
): Statement<void>[] {
  const column = sql.raw(`c${task.bucket}`);
  return [
    write(sql`
      INSERT OR IGNORE INTO followers (member, project, task) VALUES (${member}, ${task.project}, ${task.id})`),
    write(sql`
      INSERT INTO follow_counts (member, project, ${column}) SELECT ${member}, ${task.project}, 1 WHERE changes() = 1
      ON CONFLICT (member, project) DO UPDATE SET ${column} = ${column} + 1`),
  ];
}
