import type { Caller } from '../../kernel/access/access.ts';
import { aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { taskCounts } from '../../schema/cell/counters.ts';
import { projectMembers, projects } from '../../schema/cell/projects.ts';
import { followers, tasks } from '../../schema/cell/tasks.ts';
import {
  type AssigneeFilter,
  selectAssigneeNumbers,
  selectMemberNumbers,
} from '../counters/assignees.queries.ts';
import { sumFollowedBuckets } from '../counters/bucket-sums.queries.ts';
import { ASSIGNEES_MAX } from '../fields.ts';
import { toArchivedStatuses } from '../model/buckets.ts';
import { type TaskRanges, taskOrders } from '../model/task-orders.queries.ts';
import {
  buildAssigneeCondition,
  buildProjectCondition,
  buildRowConditions,
  isInBuckets,
  isLimitedToMine,
  type PageFilter,
} from './page-filter.queries.ts';

const f = aliasTable(followers, 'f');
const fc = aliasTable(taskCounts, 'fc');
const mp = aliasTable(projectMembers, 'mp');
const op = aliasTable(projectMembers, 'op');
const p = aliasTable(projects, 'p');
const t = aliasTable(tasks, 't');

/*
 * This file picks the index whose ranges exclude the most unwanted tasks. Each range contains the tasks of one owner: a
 * person, a project or the workspace. Subqueries return owners in the column `no`.
 */

type PeopleRanges = TaskRanges & { column: 'assignee' };

/**
 * The maximum number of ranges that contain the same task: one for each person in the filter, up to a task's maximum
 * number of assignees.
 */
export function getRepeatsMax({ assignees }: PageFilter): number {
  return Math.max(1, Math.min(assignees?.userIds.length ?? 0, ASSIGNEES_MAX));
}

function addOtherAssigneeRanges(
  caller: Caller,
  assignees: AssigneeFilter,
  people: PeopleRanges,
  index: 'by_bucket' | 'by_project' | 'by_due',
): TaskRanges[] {
  const others: PeopleRanges = {
    ...people,
    owners: selectMemberNumbers(caller, assignees),
    index: `other_assignees_${index}`,
    readsOtherAssignees: true,
  };
  return assignees.userIds.length === 0 ? [people] : [people, others];
}

export function selectProjects(caller: Caller, filter: PageFilter): SQL {
  if (!isLimitedToMine(caller, filter)) {
    const named = buildProjectCondition(p.id, filter);
    return sql`SELECT ${p.id} AS no FROM ${p} WHERE ${p.ws} = ${caller.workspace} ${named}`;
  }
  const named = buildProjectCondition(mp.project, filter);
  return sql`SELECT ${mp.project} AS no FROM ${mp} WHERE ${mp.member} = ${caller.member} ${named}`;
}

/** Within each bucket of a range, tasks are in creation order. */
export function buildBucketRanges(caller: Caller, filter: PageFilter): TaskRanges[] {
  const { projectIds, assignees } = filter;
  const isOneProject = projectIds?.length === 1;
  const isOfSomeProjects = isLimitedToMine(caller, filter) || (projectIds !== undefined && !isOneProject);
  if (isOfSomeProjects && assignees !== undefined && !assignees.orUnassigned) {
    const remaining = sql`${t.project} IN (${selectProjects(caller, filter)})`;
    const people: PeopleRanges = {
      owners: selectMemberNumbers(caller, assignees),
      isOneOwner: assignees.userIds.length === 1,
      index: 'tasks_by_assignee',
      column: 'assignee',
      remaining,
    };
    return addOtherAssigneeRanges(caller, assignees, people, 'by_bucket');
  }
  if (isOfSomeProjects || (isOneProject && assignees === undefined)) {
    return [
      {
        owners: selectProjects(caller, filter),
        isOneOwner: isOneProject,
        index: 'tasks_by_project',
        column: 'project',
        remaining: sql`true ${buildAssigneeCondition(t, caller, filter)}`,
      },
    ];
  }
  const owners = sql`SELECT ${caller.workspace} AS no`;
  if (assignees === undefined)
    return [{ owners, isOneOwner: true, index: 'tasks_by_workspace', column: 'ws' }];
  if (isOneProject) {
    const people: PeopleRanges = {
      owners: selectAssigneeNumbers(caller, assignees),
      isOneOwner: assignees.userIds.length + (assignees.orUnassigned ? 1 : 0) === 1,
      index: 'tasks_by_project_assignee',
      column: 'assignee',
      remaining: sql`${t.project} = (${selectProjects(caller, filter)})`,
    };
    return addOtherAssigneeRanges(caller, assignees, people, 'by_project');
  }
  const people = addOtherAssigneeRanges(
    caller,
    assignees,
    {
      owners: selectMemberNumbers(caller, assignees),
      isOneOwner: assignees.userIds.length === 1,
      index: 'tasks_by_assignee',
      column: 'assignee',
    },
    'by_bucket',
  );
  if (!assignees.orUnassigned) return people;
  const unassigned = {
    owners,
    isOneOwner: true,
    index: 'tasks_unassigned',
    column: 'ws',
    remaining: sql`${t.assignee} = 0`,
  } as const;
  return assignees.userIds.length === 0 ? [unassigned] : [...people, unassigned];
}

/** Within each status of a range, tasks are in order of deadline. */
export function buildDueRanges(
  caller: Caller,
  filter: PageFilter,
): { ranges: TaskRanges[]; statuses: number[] } {
  const { assignees, buckets } = filter;
  const { statuses, isWhole } = toArchivedStatuses(buckets);
  const fits = isWhole ? sql`true` : isInBuckets(t, buckets);
  const { indexes } = taskOrders.due;
  const isEverywhere = !isLimitedToMine(caller, filter) && filter.projectIds === undefined;
  const isUnassigned = assignees?.orUnassigned === true && assignees.userIds.length === 0;
  if (isEverywhere && (assignees === undefined || isUnassigned)) {
    const owners = sql`SELECT ${caller.workspace} AS no`;
    const ranges = {
      owners,
      isOneOwner: true,
      index: isUnassigned ? 'tasks_unassigned_due' : indexes.workspace,
      column: 'ws',
      remaining: isUnassigned ? sql`${fits} AND ${t.assignee} = 0` : fits,
    } as const;
    return { ranges: [ranges], statuses };
  }
  if (assignees === undefined || assignees.orUnassigned) {
    const remaining = sql`${fits} ${buildAssigneeCondition(t, caller, filter)}`;
    const ranges = {
      owners: selectProjects(caller, filter),
      isOneOwner: filter.projectIds?.length === 1,
      index: indexes.project,
      column: 'project',
      remaining,
    } as const;
    return { ranges: [ranges], statuses };
  }
  const remaining = isEverywhere
    ? fits
    : sql`${fits} AND ${t.project} IN (${selectProjects(caller, filter)})`;
  const ranges = {
    owners: selectMemberNumbers(caller, assignees),
    isOneOwner: assignees.userIds.length === 1,
    index: indexes.assignee,
    column: 'assignee',
    remaining,
  } as const;
  return { ranges: addOtherAssigneeRanges(caller, assignees, ranges, 'by_due'), statuses };
}

export function selectFollowedTasksOutsideMyProjects(caller: Caller, filter: PageFilter, what: SQL): SQL {
  const { buckets } = filter;
  const named = buildProjectCondition(fc.project, filter);
  return sql`
    SELECT ${what} FROM ${fc} CROSS JOIN ${f} ON ${f.member} = ${fc.member} AND ${f.project} = ${fc.project}
    CROSS JOIN ${t} ON ${t.id} = ${f.task}
    WHERE ${fc.ws} = ${caller.workspace} AND ${fc.member} = ${caller.member} AND ${fc.project} > 0 ${named}
    AND ${sumFollowedBuckets(buckets)} > 0
    AND NOT EXISTS (SELECT 1 FROM ${op} WHERE ${op.project} = ${fc.project} AND ${op.member} = ${fc.member})
    AND ${isInBuckets(t, buckets)} ${buildAssigneeCondition(t, caller, filter)}${buildRowConditions(t, filter)}`;
}
