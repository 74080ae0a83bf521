import { type SQL, sql } from 'drizzle-orm';
import { bucketList, followedSum, memberNumber } from '../counters/counts.queries.ts';
import type { Caller } from '../kernel/access.ts';
import { isAfter, limitOf, type Range } from '../kernel/pagination.ts';
import { seesWholeWorkspace } from '../visibility/project-visibility.queries.ts';

/*
 * A page is a k-way merge of index ranges: a recursive query is a priority queue that holds the newest unread task of
 * every (source, bucket) pair. It reads about two rows a result and one a pair, however many tasks there are.
 */

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
 * Clients see no more than "mine" (their projects, and what they follow; an assignee always follows). A project that
 * is named comes whole for everyone else, since scope=mine with a project means that project alone.
 */
export function needsMine(caller: Caller, filter: Pick<PageFilter, 'projectId' | 'onlyMine'>): boolean {
  if (!seesWholeWorkspace(caller)) return true;
  return filter.onlyMine && filter.projectId === undefined;
}

/** Where the merge begins: behind the cursor, or at the newest. */
function behindCursor(range: Range, id: SQL): SQL {
  return isAfter(range, [{ column: id, isDescending: true }]);
}

function workspacePage(caller: Caller, filter: PageFilter, range: Range): SQL {
  const { projectId, assigneeId } = filter;
  const byMember = assigneeId === undefined ? null : memberNumber(caller, assigneeId);
  const source =
    projectId !== undefined
      ? sql`SELECT p.id AS no FROM projects p WHERE p.ws = ${caller.workspace} AND p.id = ${projectId}`
      : byMember
        ? sql`SELECT ${byMember} AS no`
        : sql`SELECT ${caller.workspace} AS no`;
  const range_ =
    projectId !== undefined
      ? byMember
        ? sql`tasks t INDEXED BY tasks_by_project_member WHERE t.project = s.source AND t.member = ${byMember}`
        : sql`tasks t INDEXED BY tasks_by_project WHERE t.project = s.source`
      : byMember
        ? sql`tasks t INDEXED BY tasks_by_member WHERE t.member = s.source`
        : sql`tasks t INDEXED BY tasks_by_workspace WHERE t.ws = s.source`;
  const newest = (below: SQL) =>
    sql`(SELECT t.id FROM ${range_} AND t.k = s.k ${below} ORDER BY t.id DESC LIMIT 1)`;

  return sql`
    WITH RECURSIVE sources (source, k) AS MATERIALIZED (
      SELECT so.no, b.value FROM (${source}) so CROSS JOIN json_each(${JSON.stringify(filter.buckets)}) b),
    merged (id, source, k) AS (
      SELECT ${newest(sql`AND ${behindCursor(range, sql`t.id`)}`)}, s.source, s.k FROM sources s
      UNION ALL
      SELECT ${newest(sql`AND t.id < s.id`)}, s.source, s.k FROM merged s WHERE s.id IS NOT NULL
      ORDER BY 1 DESC ${limitOf(range)})
    SELECT id FROM merged WHERE id IS NOT NULL`;
}

function minePage(caller: Caller, filter: PageFilter, range: Range): SQL {
  const member = filter.assigneeId === undefined ? null : memberNumber(caller, filter.assigneeId);
  const inProject = (column: SQL) =>
    filter.projectId === undefined ? sql`` : sql`AND ${column} = ${filter.projectId}`;
  const index = sql.raw(member ? 'tasks_by_project_member' : 'tasks_by_project');
  const assigned = member ? sql`AND t.member = ${member}` : sql``;
  const inProjects = (below: SQL) => sql`(
    SELECT t.id FROM tasks t INDEXED BY ${index}
    WHERE t.project = s.project ${assigned} AND t.k = s.k ${below} ORDER BY t.id DESC LIMIT 1)`;
  // Follows carry no bucket (a status change would have to rewrite them all), so these ranges filter as they go.
  const followed = (below: SQL) => sql`(
    SELECT f.task FROM followers f CROSS JOIN tasks t ON t.id = f.task
    WHERE f.member = ${caller.member} AND f.project = s.project ${below}
    AND t.k IN ${bucketList(filter.buckets)} ${assigned} ORDER BY f.task DESC LIMIT 1)`;
  const next = (belowTask: SQL, belowFollow: SQL) =>
    sql`CASE WHEN s.k >= 0 THEN ${inProjects(belowTask)} ELSE ${followed(belowFollow)} END`;

  return sql`
    WITH RECURSIVE sources (project, k) AS MATERIALIZED (
      SELECT mp.project, b.value FROM project_members mp CROSS JOIN json_each(${JSON.stringify(filter.buckets)}) b
      WHERE mp.member = ${caller.member} ${inProject(sql`mp.project`)}
      UNION ALL
      SELECT fc.project, -1 FROM task_counts fc
      WHERE fc.ws = ${caller.workspace} AND fc.member = ${caller.member} AND fc.project > 0
      ${inProject(sql`fc.project`)} AND ${followedSum(filter.buckets)} > 0
      AND NOT EXISTS (SELECT 1 FROM project_members op WHERE op.project = fc.project AND op.member = fc.member)),
    merged (id, project, k) AS (
      SELECT ${next(sql`AND ${behindCursor(range, sql`t.id`)}`, sql`AND ${behindCursor(range, sql`f.task`)}`)}, s.project, s.k FROM sources s
      UNION ALL
      SELECT ${next(sql`AND t.id < s.id`, sql`AND f.task < s.id`)}, s.project, s.k FROM merged s WHERE s.id IS NOT NULL
      ORDER BY 1 DESC ${limitOf(range)})
    SELECT id FROM merged WHERE id IS NOT NULL`;
}
