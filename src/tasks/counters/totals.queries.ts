import type { Caller } from '../../kernel/access/access.ts';
import { buildInList } from '../../kernel/sql/database.ts';
import { type AliasedTable, aliasTable, type SQL, sql } from '../../kernel/sql/sql.ts';
import { otherAssigneeCounts, subtaskCounts, taskCounts } from '../../schema/cell/counters.ts';
import { projectMembers } from '../../schema/cell/projects.ts';
import { followers, otherAssignees, tasks } from '../../schema/cell/tasks.ts';
import { members } from '../../schema/cell/workspaces.ts';
import type { TaskExpression } from '../model/selection.queries.ts';
import {
  type AssigneeFilter,
  getSingleAssignee,
  isAssignedTo,
  isFirstMatchingAssignee,
  selectMemberNumbers,
} from './assignees.queries.ts';
import {
  buildBucketList,
  selectMemberNumber,
  sumBuckets,
  sumFollowedBuckets,
} from './bucket-sums.queries.ts';

const ac = aliasTable(taskCounts, 'ac');
const em = aliasTable(members, 'em');
const f = aliasTable(followers, 'f');
const fc = aliasTable(taskCounts, 'fc');
const mp = aliasTable(projectMembers, 'mp');
const o = aliasTable(otherAssignees, 'o');
const oc = aliasTable(otherAssigneeCounts, 'oc');
const op = aliasTable(projectMembers, 'op');
const t = aliasTable(tasks, 't');

export interface TaskTotalFilter {
  buckets: readonly number[];
  projectIds?: readonly number[] | undefined;
  assignees?: AssigneeFilter | undefined;
  hasNoParent?: TaskExpression | undefined;
}

type CounterTable = typeof taskCounts | typeof subtaskCounts;

/**
 * Counts the tasks whose first assignee isn't in the filter, but that have another assignee who is. `isIn` is a
 * condition on the task's project.
 */
function selectOtherAssigneeTasksTotal(
  caller: Caller,
  { buckets, assignees, hasNoParent }: TaskTotalFilter,
  isIn: (project: SQL) => SQL,
): SQL {
  if (assignees === undefined || assignees.userIds.length === 0) return sql`0`;
  const [person = '', ...others] = assignees.userIds;
  if (others.length === 0) {
    const isTopLevel = hasNoParent === undefined ? sql`` : sql`AND ${oc.is_subtask} = 0`;
    return sql`coalesce((SELECT sum(${sumBuckets(buckets)}) FROM ${oc}
      WHERE ${oc.ws} = ${caller.workspace} AND ${oc.member} = ${selectMemberNumber(caller, person)}
        ${isIn(oc.project)} ${isTopLevel}), 0)`;
  }
  const isTopLevel = hasNoParent === undefined ? sql`` : sql`AND ${o.parent} IS NULL`;
  return sql`(SELECT count(*) FROM (${selectMemberNumbers(caller, assignees)}) an
    CROSS JOIN ${o} INDEXED BY other_assignees_by_bucket ON ${o.assignee} = an.no AND ${o.ws} = ${caller.workspace}
    WHERE ${o.bucket} IN ${buildBucketList(buckets)} ${isIn(o.project)} ${isTopLevel}
      AND ${isFirstMatchingAssignee(caller, assignees, o)})`;
}

function selectCounterMember(caller: Caller, assignees: AssigneeFilter | undefined): SQL | null {
  if (assignees === undefined) return sql`0`;
  const person = getSingleAssignee(assignees);
  return person === null ? null : selectMemberNumber(caller, person);
}

export function selectWorkspaceTotal(caller: Caller, filter: TaskTotalFilter): SQL {
  const all = selectWorkspaceSum(caller, filter, taskCounts);
  const isUnshared = !filter.assignees?.userIds.length;
  if (filter.hasNoParent === undefined && isUnshared) return all;
  const { projectIds } = filter;
  const buildProjectCondition = (project: SQL) =>
    projectIds === undefined ? sql`` : sql`AND ${project} IN ${buildInList(projectIds)}`;
  const shared = selectOtherAssigneeTasksTotal(caller, filter, buildProjectCondition);
  const subtasks =
    filter.hasNoParent === undefined ? sql`` : sql`- (${selectWorkspaceSum(caller, filter, subtaskCounts)})`;
  return sql`SELECT (${all}) ${subtasks} + ${shared} AS total`;
}

function selectWorkspaceSum(caller: Caller, filter: TaskTotalFilter, counters: CounterTable): SQL {
  const { buckets, projectIds, assignees } = filter;
  const ac = aliasTable<CounterTable>(counters, 'ac');
  const member = selectCounterMember(caller, assignees);
  // Only `task_counts` has a person's total over all projects, in a row with project 0.
  const isTotalOf = counters === taskCounts ? sql`AND ${ac.project} = 0` : sql``;
  const everyone =
    projectIds === undefined
      ? sql`AND ((${ac.member} = 0 AND ${ac.project} > 0) OR (${ac.member} > 0 ${isTotalOf}))`
      : sql`AND ${ac.project} IN ${buildInList(projectIds)}`;
  const sumForMember = (holder: SQL) => sql`
    SELECT coalesce(sum(${sumBuckets(buckets)}), 0) AS total FROM ${ac}
    WHERE ${ac.ws} = ${caller.workspace} AND ${ac.member} = ${holder} ${everyone}`;
  if (member !== null) return sumForMember(member);
  const sumForPeople = (people: SQL) => sql`
    SELECT sum(${sumBuckets(buckets)}) FROM (${people}) an
    CROSS JOIN ${ac} ON ${ac.ws} = ${caller.workspace} AND ${ac.member} = an.no
      ${projectIds === undefined ? isTotalOf : sql`AND ${ac.project} IN ${buildInList(projectIds)}`}`;
  return selectAssigneeTotal(caller, assignees as AssigneeFilter, {
    everyone: sumForMember(sql`0`),
    sumForPeople,
  });
}

export function selectMyTasksTotal(caller: Caller, filter: TaskTotalFilter): SQL {
  const { buckets, projectIds, assignees, hasNoParent } = filter;
  const member = selectCounterMember(caller, assignees);
  const buildProjectCondition = (column: SQL) =>
    projectIds === undefined ? sql`` : sql`AND ${column} IN ${buildInList(projectIds)}`;
  const sumInMyProjects = (tc: AliasedTable<CounterTable>, holder: SQL) => sql`
    SELECT sum(${sumBuckets(buckets)}) FROM ${mp}
    CROSS JOIN ${tc} ON ${tc.ws} = ${caller.workspace} AND ${tc.member} = ${holder}
      AND ${tc.project} = ${mp.project}
    WHERE ${mp.member} = ${caller.member} ${buildProjectCondition(mp.project)}`;
  const sumForPeople = (tc: AliasedTable<CounterTable>) => (people: SQL) =>
    sql`
    SELECT sum(${sumBuckets(buckets)}) FROM ${mp} CROSS JOIN (${people}) an
    CROSS JOIN ${tc} ON ${tc.ws} = ${caller.workspace} AND ${tc.member} = an.no AND ${tc.project} = ${mp.project}
    WHERE ${mp.member} = ${caller.member} ${buildProjectCondition(mp.project)}`;
  const sumMine = (counters: CounterTable) => {
    const tc = aliasTable<CounterTable>(counters, 'tc');
    if (member !== null) return sumInMyProjects(tc, member);
    const sums = { everyone: sumInMyProjects(tc, sql`0`), sumForPeople: sumForPeople(tc) };
    return selectAssigneeTotal(caller, assignees as AssigneeFilter, sums);
  };
  // If the caller sees a task's project, they also see the task's parent, because both are in the same project.
  const subtasks = hasNoParent === undefined ? sql`` : sql`- coalesce((${sumMine(subtaskCounts)}), 0)`;
  const shared = selectOtherAssigneeTasksTotal(
    caller,
    filter,
    (column) => sql`${buildProjectCondition(column)} AND EXISTS (
      SELECT 1 FROM ${op} WHERE ${op.project} = ${column} AND ${op.member} = ${caller.member})`,
  );
  return sql`
    SELECT coalesce((${sumMine(taskCounts)}), 0) ${subtasks} + ${shared} + coalesce((${countFollowedTasksOutsideMyProjects()}), 0) AS total`;

  function countFollowedTasksOutsideMyProjects(): SQL {
    const isElsewhere = (column: SQL) => sql`
      NOT EXISTS (SELECT 1 FROM ${op} WHERE ${op.project} = ${column} AND ${op.member} = ${caller.member})`;
    if (assignees === undefined && hasNoParent === undefined) {
      return sql`
        SELECT sum(${sumFollowedBuckets(buckets)}) FROM ${fc}
        WHERE ${fc.ws} = ${caller.workspace} AND ${fc.member} = ${caller.member} AND ${fc.project} > 0
        ${buildProjectCondition(fc.project)} AND ${isElsewhere(fc.project)}`;
    }
    // The caller follows, and therefore sees, every task assigned to them.
    if (assignees && hasNoParent === undefined && getSingleAssignee(assignees) === caller.userId) {
      const shared = selectOtherAssigneeTasksTotal(
        caller,
        filter,
        (column) => sql`${buildProjectCondition(column)} AND ${isElsewhere(column)}`,
      );
      return sql`
        SELECT coalesce(sum(${sumBuckets(buckets)}), 0) + ${shared} FROM ${ac}
        WHERE ${ac.ws} = ${caller.workspace} AND ${ac.member} = ${caller.member} AND ${ac.project} > 0
        ${buildProjectCondition(ac.project)}
        AND ${isElsewhere(ac.project)}`;
    }
    return sql`
      SELECT count(*) FROM ${f} CROSS JOIN ${t} ON ${t.id} = ${f.task}
      WHERE ${f.member} = ${caller.member} ${buildProjectCondition(f.project)} AND ${isElsewhere(f.project)}
      ${assignees === undefined ? sql`` : sql`AND ${isAssignedTo(caller, assignees, t)}`}
      ${hasNoParent === undefined ? sql`` : sql`AND ${hasNoParent(t)}`} AND ${t.bucket} IN ${buildBucketList(buckets)}`;
  }
}

interface TaskSums {
  everyone: SQL;
  sumForPeople: (people: SQL) => SQL;
}

/** Unassigned tasks have no counters. Their number is the total minus the number of assigned tasks. */
function selectAssigneeTotal(
  caller: Caller,
  assignees: AssigneeFilter,
  { everyone, sumForPeople }: TaskSums,
): SQL {
  const named = sql`coalesce((${sumForPeople(selectMemberNumbers(caller, assignees))}), 0)`;
  if (!assignees.orUnassigned) return sql`SELECT ${named} AS total`;
  const assigned = sumForPeople(sql`SELECT ${em.no} AS no FROM ${em} WHERE ${em.ws} = ${caller.workspace}`);
  return sql`SELECT ${named} + coalesce((${everyone}), 0) - coalesce((${assigned}), 0) AS total`;
}
