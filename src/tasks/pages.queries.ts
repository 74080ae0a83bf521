import { type SQL, sql } from 'drizzle-orm';
import { bucketList, followedSum, memberNumber } from '../counters/counts.queries.ts';
import type { Caller } from '../kernel/access.ts';
import { type MergeOrder, mergePage, type Walk } from '../kernel/merge-page.queries.ts';
import { isAfter, type Range } from '../kernel/pagination.ts';
import { seesEveryTask } from '../visibility/task-visibility.queries.ts';

export interface PageFilter {
  buckets: readonly number[];
  projectId?: number | undefined;
  assigneeId?: string | undefined;
  /** Only tasks of the caller's projects and those they follow. */
  onlyMine: boolean;
}

/** Selects the column `id` of one page of tasks, newest first. */
export function taskPageIds(caller: Caller, filter: PageFilter, range: Range): SQL {
  return needsMine(caller, filter) ? minePage(caller, filter, range) : workspacePage(caller, filter, range);
}

/**
 * Clients see only "mine" (their projects, and what they follow; an assignee always follows). For everyone else a named
 * project is complete, because scope=mine with a project means just that project.
 */
export function needsMine(caller: Caller, filter: Pick<PageFilter, 'projectId' | 'onlyMine'>): boolean {
  if (!seesEveryTask(caller)) return true;
  return filter.onlyMine && filter.projectId === undefined;
}

const newestFirst: MergeOrder = {
  columns: ['owner', 'bucket'],
  isDescending: true,
  end: sql`-1`,
  id: sql`key`,
};

/** Walks a range by the column of ids: to the newest behind the cursor, and from there to the one below. */
function walk(range: Range, id: SQL, newest: (below: SQL) => SQL): Walk {
  return {
    first: newest(isAfter(range, [{ column: id, isDescending: true }])),
    next: newest(sql`${id} < m.key`),
  };
}

function workspacePage(caller: Caller, filter: PageFilter, range: Range): SQL {
  const { projectId, assigneeId, buckets } = filter;
  const byAssignee = assigneeId === undefined ? null : memberNumber(caller, assigneeId);
  const owner =
    projectId !== undefined
      ? sql`SELECT p.id AS no FROM projects p WHERE p.ws = ${caller.workspace} AND p.id = ${projectId}`
      : byAssignee
        ? sql`SELECT ${byAssignee} AS no`
        : sql`SELECT ${caller.workspace} AS no`;
  const tasks =
    projectId !== undefined
      ? byAssignee
        ? sql`tasks t INDEXED BY tasks_by_project_assignee WHERE t.project = m.owner AND t.assignee = ${byAssignee}`
        : sql`tasks t INDEXED BY tasks_by_project WHERE t.project = m.owner`
      : byAssignee
        ? sql`tasks t INDEXED BY tasks_by_assignee WHERE t.assignee = m.owner`
        : sql`tasks t INDEXED BY tasks_by_workspace WHERE t.ws = m.owner`;
  const ranges = sql`
    WITH ranges (kind, owner, bucket) AS MATERIALIZED (
      SELECT 0, o.no, b.value FROM (${owner}) o CROSS JOIN json_each(${JSON.stringify(buckets)}) b)
    SELECT kind, owner, bucket FROM ranges`;
  const newest = (below: SQL) =>
    sql`(SELECT t.id FROM ${tasks} AND t.bucket = m.bucket AND ${below} ORDER BY t.id DESC LIMIT 1)`;
  return mergePage({ ranges, walks: [walk(range, sql`t.id`, newest)] }, newestFirst, range);
}

function minePage(caller: Caller, { buckets, projectId, assigneeId }: PageFilter, range: Range): SQL {
  const assignee = assigneeId === undefined ? null : memberNumber(caller, assigneeId);
  const inProject = (column: SQL) => (projectId === undefined ? sql`` : sql`AND ${column} = ${projectId}`);
  const index = sql.raw(assignee ? 'tasks_by_project_assignee' : 'tasks_by_project');
  const assigned = assignee ? sql`AND t.assignee = ${assignee}` : sql``;
  const ranges = sql`
    WITH ranges (kind, owner, bucket) AS MATERIALIZED (
      SELECT 0, mp.project, b.value FROM project_members mp CROSS JOIN json_each(${JSON.stringify(buckets)}) b
      WHERE mp.member = ${caller.member} ${inProject(sql`mp.project`)}
      UNION ALL
      SELECT 1, fc.project, NULL FROM task_counts fc
      WHERE fc.ws = ${caller.workspace} AND fc.member = ${caller.member} AND fc.project > 0
      ${inProject(sql`fc.project`)} AND ${followedSum(buckets)} > 0
      AND NOT EXISTS (SELECT 1 FROM project_members op WHERE op.project = fc.project AND op.member = fc.member))
    SELECT kind, owner, bucket FROM ranges`;
  const inMyProjects = (below: SQL) => sql`(
    SELECT t.id FROM tasks t INDEXED BY ${index}
    WHERE t.project = m.owner ${assigned} AND t.bucket = m.bucket AND ${below} ORDER BY t.id DESC LIMIT 1)`;
  // Rows of followers have no bucket, because a status change would have to rewrite them all. These ranges filter instead.
  const followed = (below: SQL) => sql`(
    SELECT f.task FROM followers f CROSS JOIN tasks t ON t.id = f.task
    WHERE f.member = ${caller.member} AND f.project = m.owner AND ${below}
    AND t.bucket IN ${bucketList(buckets)} ${assigned} ORDER BY f.task DESC LIMIT 1)`;
  const walks = [walk(range, sql`t.id`, inMyProjects), walk(range, sql`f.task`, followed)];
  return mergePage({ ranges, walks }, newestFirst, range);
}
