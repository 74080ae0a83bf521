import type { Caller } from '../../kernel/access/access.ts';
import { names, type SQL, sql } from '../../kernel/sql/sql.ts';
import { taskCounts } from '../../schema/cell/counters.ts';
import { projectMembers, projects } from '../../schema/cell/projects.ts';
import { followers, tasks } from '../../schema/cell/tasks.ts';
import { assigneeNumbers, numbersOf } from '../counters/assignees.queries.ts';
import { followedSum } from '../counters/counts.queries.ts';
import { archivedStatusesOf } from '../model/buckets.ts';
import { type TaskRanges, taskOrders } from '../model/task-orders.queries.ts';
import { inBuckets, isAssigned, isTimely, needsMine, type PageFilter } from './page-filter.queries.ts';

const f = names(followers, 'f');
const fc = names(taskCounts, 'fc');
const mp = names(projectMembers, 'mp');
const op = names(projectMembers, 'op');
const p = names(projects, 'p');
const t = names(tasks, 't');

/*
 * The tasks of a filter as ranges of the index that divides them best. Owners are selected as `no`. For a caller who sees
 * only "mine", followed tasks outside of their projects have no such ranges.
 */

/** Selects the projects of the tasks. */
export function projectsOf(caller: Caller, filter: PageFilter): SQL {
  const { projectId } = filter;
  if (!needsMine(caller, filter)) {
    const named = projectId === undefined ? sql`` : sql`AND ${p.id} = ${projectId}`;
    return sql`SELECT ${p.id} AS no FROM ${p} WHERE ${p.ws} = ${caller.workspace} ${named}`;
  }
  const named = projectId === undefined ? sql`` : sql`AND ${mp.project} = ${projectId}`;
  return sql`SELECT ${mp.project} AS no FROM ${mp} WHERE ${mp.member} = ${caller.member} ${named}`;
}

/** Ranges by bucket, newest first. */
export function rangesByBucket(caller: Caller, filter: PageFilter): TaskRanges[] {
  const { projectId, assignees } = filter;
  const isMine = needsMine(caller, filter);
  if (isMine && assignees !== undefined && !assignees.orUnassigned) {
    const remaining = sql`${t.project} IN (${projectsOf(caller, filter)})`;
    return [
      {
        owners: numbersOf(caller, assignees),
        isOneOwner: assignees.userIds.length === 1,
        index: 'tasks_by_assignee',
        column: 'assignee',
        remaining,
      },
    ];
  }
  if (isMine || (projectId !== undefined && assignees === undefined)) {
    return [
      {
        owners: projectsOf(caller, filter),
        isOneOwner: projectId !== undefined,
        index: 'tasks_by_project',
        column: 'project',
        remaining: sql`true ${isAssigned(t, caller, filter)}`,
      },
    ];
  }
  const owners = sql`SELECT ${caller.workspace} AS no`;
  if (assignees === undefined)
    return [{ owners, isOneOwner: true, index: 'tasks_by_workspace', column: 'ws' }];
  if (projectId !== undefined) {
    return [
      {
        owners: assigneeNumbers(caller, assignees),
        isOneOwner: assignees.userIds.length + (assignees.orUnassigned ? 1 : 0) === 1,
        index: 'tasks_by_project_assignee',
        column: 'assignee',
        remaining: sql`${t.project} = (${projectsOf(caller, filter)})`,
      },
    ];
  }
  const people = {
    owners: numbersOf(caller, assignees),
    isOneOwner: assignees.userIds.length === 1,
    index: 'tasks_by_assignee',
    column: 'assignee',
  } as const;
  if (!assignees.orUnassigned) return [people];
  const unassigned = {
    owners,
    isOneOwner: true,
    index: 'tasks_unassigned',
    column: 'ws',
    remaining: sql`${t.assignee} = 0`,
  } as const;
  return assignees.userIds.length === 0 ? [unassigned] : [people, unassigned];
}

/** Ranges by status, next deadline first. */
export function rangesByDue(caller: Caller, filter: PageFilter): { ranges: TaskRanges; statuses: number[] } {
  const { assignees, buckets } = filter;
  const { statuses, isWhole } = archivedStatusesOf(buckets);
  const fits = isWhole ? sql`true` : inBuckets(t, buckets);
  const { indexes } = taskOrders.due;
  const isEverywhere = !needsMine(caller, filter) && filter.projectId === undefined;
  const isOfNobody = assignees?.orUnassigned === true && assignees.userIds.length === 0;
  if (isEverywhere && (assignees === undefined || isOfNobody)) {
    const owners = sql`SELECT ${caller.workspace} AS no`;
    const ranges = {
      owners,
      isOneOwner: true,
      index: isOfNobody ? 'tasks_unassigned_due' : indexes.workspace,
      column: 'ws',
      remaining: isOfNobody ? sql`${fits} AND ${t.assignee} = 0` : fits,
    } as const;
    return { ranges, statuses };
  }
  if (assignees === undefined || assignees.orUnassigned) {
    const remaining = sql`${fits} ${isAssigned(t, caller, filter)}`;
    const ranges = {
      owners: projectsOf(caller, filter),
      isOneOwner: filter.projectId !== undefined,
      index: indexes.project,
      column: 'project',
      remaining,
    } as const;
    return { ranges, statuses };
  }
  const remaining = isEverywhere ? fits : sql`${fits} AND ${t.project} IN (${projectsOf(caller, filter)})`;
  const ranges = {
    owners: numbersOf(caller, assignees),
    isOneOwner: assignees.userIds.length === 1,
    index: indexes.assignee,
    column: 'assignee',
    remaining,
  } as const;
  return { ranges, statuses };
}

/** Selects `what` of the tasks that the caller follows outside of their projects. */
export function followedElsewhere(caller: Caller, filter: PageFilter, what: SQL): SQL {
  const { buckets, projectId } = filter;
  const named = projectId === undefined ? sql`` : sql`AND ${fc.project} = ${projectId}`;
  return sql`
    SELECT ${what} FROM ${fc} CROSS JOIN ${f} ON ${f.member} = ${fc.member} AND ${f.project} = ${fc.project}
    CROSS JOIN ${t} ON ${t.id} = ${f.task}
    WHERE ${fc.ws} = ${caller.workspace} AND ${fc.member} = ${caller.member} AND ${fc.project} > 0 ${named}
    AND ${followedSum(buckets)} > 0
    AND NOT EXISTS (SELECT 1 FROM ${op} WHERE ${op.project} = ${fc.project} AND ${op.member} = ${fc.member})
    AND ${inBuckets(t, buckets)} ${isAssigned(t, caller, filter)}${isTimely(t, filter)}`;
}
