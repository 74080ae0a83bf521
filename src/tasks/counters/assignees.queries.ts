import type { Caller } from '../../kernel/access/access.ts';
import { buildInList, readRows, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { bucketColumns, otherAssigneeCounts } from '../../schema/cell/counters.ts';
import { otherAssignees } from '../../schema/cell/tasks.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { selectMemberNumber, sumBuckets } from './bucket-sums.queries.ts';

const mk = aliasTable(members, 'mk');
const mn = aliasTable(members, 'mn');
const oa = aliasTable(otherAssignees, 'oa');
const oc = aliasTable(otherAssigneeCounts, 'oc');

export interface AssigneeFilter {
  readonly userIds: readonly string[];
  readonly orUnassigned: boolean;
}

export function getSingleAssignee({ userIds, orUnassigned }: AssigneeFilter): string | null {
  const [first = null, ...others] = userIds;
  return others.length > 0 || orUnassigned ? null : first;
}

export function selectMemberNumbers(caller: Caller, { userIds }: Pick<AssigneeFilter, 'userIds'>): SQL {
  return sql`SELECT ${mn.no} AS no FROM ${mn} WHERE ${mn.ws} = ${caller.workspace}
    AND ${mn.user_id} IN ${buildInList(userIds)}`;
}

export function selectAssigneeNumbers(caller: Caller, assignees: AssigneeFilter): SQL {
  const people = selectMemberNumbers(caller, assignees);
  return assignees.orUnassigned ? sql`${people} UNION ALL SELECT 0` : people;
}

interface AssignedTaskColumns {
  readonly id: SQL;
  readonly assignee: SQL;
}

export function isAssignedTo(caller: Caller, assignees: AssigneeFilter, task: AssignedTaskColumns): SQL {
  const isFirst = isFirstAssignee(caller, assignees, task.assignee);
  if (assignees.userIds.length === 0) return isFirst;
  const person = getSingleAssignee(assignees);
  const memberCondition =
    person === null
      ? sql`IN (${selectMemberNumbers(caller, assignees)})`
      : sql`= ${selectMemberNumber(caller, person)}`;
  return sql`(${isFirst} OR EXISTS (
    SELECT 1 FROM ${oa} WHERE ${oa.id} = ${task.id} AND ${oa.assignee} ${memberCondition}))`;
}

/** Searches a string of the filter's member numbers, because a table lookup would read a row per task. */
export function isFirstAssignee(caller: Caller, assignees: AssigneeFilter, assignee: SQL): SQL {
  const person = getSingleAssignee(assignees);
  if (person !== null) return sql`${assignee} = ${selectMemberNumber(caller, person)}`;
  return sql`instr((SELECT coalesce(group_concat('/' || an.no || '/', ''), '')
    FROM (${selectAssigneeNumbers(caller, assignees)}) an), '/' || ${assignee} || '/') > 0`;
}

/**
 * Matches at most one of a task's rows in `other_assignees`, so that each task is counted once. Matches none if the
 * first assignee is in the filter, or if it contains several people who together have more than `OTHER_ASSIGNEES_MAX`
 * rows.
 */
export function isFirstMatchingAssignee(
  caller: Caller,
  assignees: AssigneeFilter,
  row: AssignedTaskColumns & { readonly first_assignee: SQL },
): SQL {
  if (assignees.userIds.length <= 1) return sql`true`;
  return sql`(SELECT total FROM (${selectOtherAssigneeTotal(caller, assignees)})) <= ${sql.raw(String(OTHER_ASSIGNEES_MAX))}
    AND NOT ${isFirstAssignee(caller, assignees, row.first_assignee)} AND NOT EXISTS (
      SELECT 1 FROM ${oa} WHERE ${oa.id} = ${row.id} AND ${oa.assignee} < ${row.assignee}
        AND ${oa.assignee} IN (${selectMemberNumbers(caller, assignees)}))`;
}

export const OTHER_ASSIGNEES_MAX = 20_000;
const everyBucket = sumBuckets([...bucketColumns.keys()]);

function selectOtherAssigneeTotal(caller: Caller, assignees: AssigneeFilter): SQL {
  return sql`SELECT coalesce(sum(${everyBucket}), 0) AS total FROM ${oc}
    WHERE ${oc.ws} = ${caller.workspace} AND ${oc.member} IN (${selectMemberNumbers(caller, assignees)})`;
}

const knownColumns = selectColumns({
  id: mk.user_id,
  /** The number of tasks with this person as an assignee other than the first. */
  shared: withType<number>(sql`coalesce((SELECT sum(${everyBucket}) FROM ${oc}
    WHERE ${oc.ws} = ${mk.ws} AND ${oc.member} = ${mk.no}), 0)`),
});

/** Includes former members. */
export function listKnownAssignees(
  caller: Caller,
  userIds: readonly string[],
): Statement<Row<typeof knownColumns>[]> {
  return readRows(sql`
    SELECT ${knownColumns} FROM ${mk} WHERE ${mk.ws} = ${caller.workspace}
      AND ${mk.user_id} IN ${buildInList(userIds)}`);
}
