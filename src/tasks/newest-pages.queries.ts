import { onlyPerson } from '../counters/assignees.queries.ts';
import { taskCounts } from '../counters/counters.sql.ts';
import { bucketList, followedSum, memberNumber } from '../counters/counts.queries.ts';
import type { Caller } from '../kernel/access.ts';
import { type MergeOrder, mergePage, type Walk } from '../kernel/merge-page.queries.ts';
import { isAfter, type Range } from '../kernel/pagination.ts';
import { names, type SQL, sql } from '../kernel/sql.ts';
import { projectMembers, projects } from '../projects/projects.sql.ts';
import { taskOrders, walkTasks } from '../task-model/task-orders.queries.ts';
import { followers, tasks } from '../task-model/tasks.sql.ts';
import { rangesByBucket } from './ranges.queries.ts';
import { isAssigned, isTimely, needsMine, type PageFilter } from './task-filter.queries.ts';

const f = names(followers, 'f');
const fc = names(taskCounts, 'fc');
const mp = names(projectMembers, 'mp');
const op = names(projectMembers, 'op');
const p = names(projects, 'p');
const t = names(tasks, 't');

/** Selects the column `id` of one page of tasks, newest first. */
export function newestPage(caller: Caller, filter: PageFilter, range: Range): SQL {
  if (needsMine(caller, filter)) return minePage(caller, filter, range);
  const { assignees } = filter;
  if (assignees === undefined || onlyPerson(assignees) !== null) return workspacePage(caller, filter, range);
  const until = isTimely(filter);
  return walkTasks(rangesByBucket(caller, filter), taskOrders.created, filter.buckets, range, {
    until,
    mayRepeat: false,
  });
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
  const { projectId, assignees, buckets } = filter;
  const person = assignees && onlyPerson(assignees);
  const byAssignee = person ? memberNumber(caller, person) : null;
  const owner =
    projectId !== undefined
      ? sql`SELECT ${p.id} AS no FROM ${p} WHERE ${p.ws} = ${caller.workspace} AND ${p.id} = ${projectId}`
      : byAssignee
        ? sql`SELECT ${byAssignee} AS no`
        : sql`SELECT ${caller.workspace} AS no`;
  const tasks =
    projectId !== undefined
      ? byAssignee
        ? sql`${t} INDEXED BY tasks_by_project_assignee WHERE ${t.project} = m.owner
          AND ${t.assignee} = ${byAssignee}`
        : sql`${t} INDEXED BY tasks_by_project WHERE ${t.project} = m.owner`
      : byAssignee
        ? sql`${t} INDEXED BY tasks_by_assignee WHERE ${t.assignee} = m.owner`
        : sql`${t} INDEXED BY tasks_by_workspace WHERE ${t.ws} = m.owner`;
  const ranges = sql`
    WITH ranges (kind, owner, bucket) AS MATERIALIZED (
      SELECT 0, o.no, b.value FROM (${owner}) o CROSS JOIN json_each(${JSON.stringify(buckets)}) b)
    SELECT kind, owner, bucket FROM ranges`;
  const newest = (below: SQL) =>
    sql`(SELECT ${t.id} FROM ${tasks} AND ${t.bucket} = m.bucket AND ${below}${isTimely(filter)}
      ORDER BY ${t.id} DESC LIMIT 1)`;
  return mergePage({ ranges, walks: [walk(range, t.id, newest)] }, newestFirst, range);
}

function minePage(caller: Caller, filter: PageFilter, range: Range): SQL {
  const { buckets, projectId, assignees } = filter;
  const person = assignees && onlyPerson(assignees);
  const inProject = (column: SQL) => (projectId === undefined ? sql`` : sql`AND ${column} = ${projectId}`);
  const index = sql.raw(person ? 'tasks_by_project_assignee' : 'tasks_by_project');
  const assigned = isAssigned(caller, filter);
  const ranges = sql`
    WITH ranges (kind, owner, bucket) AS MATERIALIZED (
      SELECT 0, ${mp.project}, b.value FROM ${mp} CROSS JOIN json_each(${JSON.stringify(buckets)}) b
      WHERE ${mp.member} = ${caller.member} ${inProject(mp.project)}
      UNION ALL
      SELECT 1, ${fc.project}, NULL FROM ${fc}
      WHERE ${fc.ws} = ${caller.workspace} AND ${fc.member} = ${caller.member} AND ${fc.project} > 0
      ${inProject(fc.project)} AND ${followedSum(buckets)} > 0
      AND NOT EXISTS (SELECT 1 FROM ${op} WHERE ${op.project} = ${fc.project} AND ${op.member} = ${fc.member}))
    SELECT kind, owner, bucket FROM ranges`;
  const inMyProjects = (below: SQL) => sql`(
    SELECT ${t.id} FROM ${t} INDEXED BY ${index}
    WHERE ${t.project} = m.owner ${assigned} AND ${t.bucket} = m.bucket AND ${below}${isTimely(filter)}
      ORDER BY ${t.id} DESC LIMIT 1)`;
  // Rows of followers have no bucket, because a status change would have to rewrite them all. These ranges filter instead.
  const followed = (below: SQL) => sql`(
    SELECT ${f.task} FROM ${f} CROSS JOIN ${t} ON ${t.id} = ${f.task}
    WHERE ${f.member} = ${caller.member} AND ${f.project} = m.owner AND ${below}
    AND ${t.bucket} IN ${bucketList(buckets)} ${assigned}${isTimely(filter)} ORDER BY ${f.task} DESC LIMIT 1)`;
  const walks = [walk(range, t.id, inMyProjects), walk(range, f.task, followed)];
  return mergePage({ ranges, walks }, newestFirst, range);
}
