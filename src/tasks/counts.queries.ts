import { type SQL, sql } from 'drizzle-orm';
import type { Caller } from '../kernel/access.ts';
import { number, type Statement, write } from '../kernel/database.ts';
import { BUCKETS, bucketOf } from './buckets.ts';
import {
  deadlineSteps,
  deadlineSums,
  deadlineTallies,
  moveDueDay,
  withBorders,
} from './deadline-counts.queries.ts';

/*
 * Exact totals without counting: task_counts holds one row a project (member 0) and one a project and assignee,
 * follow_counts one a follower and project, each with a column a bucket. task_counts also holds the deadlines before
 * two borders, a column a status (deadline-counts).
 */

const bucketColumns = Array.from({ length: BUCKETS }, (_, bucket) => `c${bucket}`);

const names = (columns: readonly string[]) => sql.raw(columns.join(', '));
const addExcluded = (columns: readonly string[]) =>
  sql.raw(columns.map((column) => `${column} = ${column} + excluded.${column}`).join(', '));
const bucketTallies = sql.raw(bucketColumns.map((_, bucket) => `sum(t.k = ${bucket})`).join(', '));

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

/** @param selected FROM and WHERE of the tasks `t` to count, such as `newTasks(1)`; all in workspace `ws`. */
export function countTasks(ws: number, selected: SQL): Statement<void> {
  const tallies = sql`${bucketTallies}, ${deadlineTallies(1)}`;
  const columns = [...bucketColumns, ...deadlineSums];
  const tasks = withBorders(ws, selected);
  return write(sql`
    INSERT INTO task_counts (ws, member, project, ${names(columns)})
    SELECT t.ws, 0, t.project, ${tallies} FROM ${tasks} GROUP BY t.ws, t.project
    UNION ALL
    SELECT t.ws, t.member, t.project, ${tallies} FROM ${tasks} AND t.member > 0
    GROUP BY t.ws, t.member, t.project
    ON CONFLICT (ws, member, project) DO UPDATE SET ${addExcluded(columns)}`);
}

/** Counts every follower of the selected tasks. */
export function countFollows(selected: SQL): Statement<void> {
  return write(sql`
    INSERT INTO follow_counts (member, project, ${names(bucketColumns)})
    SELECT f.member, f.project, ${bucketTallies} FROM (SELECT t.id, t.k FROM ${selected}) t
    CROSS JOIN followers f INDEXED BY followers_by_task ON f.task = t.id
    WHERE true GROUP BY f.member, f.project
    ON CONFLICT (member, project) DO UPDATE SET ${addExcluded(bucketColumns)}`);
}

/** Everything that decides where a task is counted. */
export interface CountedPlace {
  ws: number;
  project: number;
  /** Assignee, 0 for none. */
  member: number;
  archived: number;
  status: number;
  priority: number;
  due: string;
}

/** Moves one task from where it was counted to where it belongs now; the project never changes. */
export function moveCounts(taskId: number, from: CountedPlace, to: CountedPlace): Statement<void>[] {
  const movesBucket = bucketOf(from) !== bucketOf(to);
  const movesDeadline = from.due !== to.due || from.status !== to.status || from.archived !== to.archived;
  const stays = movesBucket || movesDeadline ? changeRow(from, [...leave(from), ...enter(to)]) : null;
  return [
    ...(stays ? [stays(0)] : []),
    ...(movesBucket ? [moveFollows(taskId, from, to)] : []),
    ...(movesDeadline ? moveDueDay(from, to) : []),
    ...moveAssignee(),
  ];

  function moveAssignee(): Statement<void>[] {
    if (from.member === to.member) return stays && from.member > 0 ? [stays(from.member)] : [];
    return [
      ...(from.member > 0 ? [changeRow(from, leave(from))(from.member)] : []),
      ...(to.member > 0 ? [changeRow(to, enter(to))(to.member)] : []),
    ];
  }
}

/** A counter column and what to add to it. */
type Step = [column: string, amount: SQL];

function enter(place: CountedPlace): Step[] {
  return [[`c${bucketOf(place)}`, sql`1`], ...deadlineSteps(place)];
}

function leave(place: CountedPlace): Step[] {
  return enter(place).map(([column, amount]) => [column, sql`-${amount}`]);
}

/** Adds the steps to the counter row of a member (0: of the project). */
function changeRow({ ws, project }: CountedPlace, all: readonly Step[]) {
  const added = Map.groupBy(all, ([column]) => column);
  const columns = [...added.keys()];
  const amounts = [...added.values()].map((group) =>
    sql.join(
      group.map(([, amount]) => sql`(${amount})`),
      sql` + `,
    ),
  );
  return (member: number): Statement<void> =>
    write(sql`
      INSERT INTO task_counts (ws, member, project, ${names(columns)})
      SELECT bw.no, ${member}, ${project}, ${sql.join(amounts, sql`, `)} FROM workspaces bw WHERE bw.no = ${ws}
      ON CONFLICT (ws, member, project) DO UPDATE SET ${addExcluded(columns)}`);
}

function moveFollows(taskId: number, from: CountedPlace, to: CountedPlace): Statement<void> {
  const [left, entered] = [`c${bucketOf(from)}`, `c${bucketOf(to)}`];
  return write(sql`
    UPDATE follow_counts SET ${sql.raw(`${left} = ${left} - 1, ${entered} = ${entered} + 1`)}
    WHERE project = ${from.project}
    AND member IN (SELECT f.member FROM followers f INDEXED BY followers_by_task WHERE f.task = ${taskId})`);
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
