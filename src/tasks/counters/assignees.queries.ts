import type { Caller } from '../../kernel/access/access.ts';
import { buildInList, readRows, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type SQL, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { selectMemberNumber } from './counts.queries.ts';

const mk = aliasTable(members, 'mk');
const mn = aliasTable(members, 'mn');

export interface AssigneeFilter {
  readonly userIds: readonly string[];
  readonly orUnassigned: boolean;
}

/** Returns null if the filter names several people or includes unassigned tasks. */
export function getOnlyAssignee({ userIds, orUnassigned }: AssigneeFilter): string | null {
  const [first = null, ...others] = userIds;
  return others.length > 0 || orUnassigned ? null : first;
}

/** Selects member numbers as `no`, including those of former members. */
export function selectMemberNumbers(caller: Caller, { userIds }: Pick<AssigneeFilter, 'userIds'>): SQL {
  return sql`SELECT ${mn.no} AS no FROM ${mn} WHERE ${mn.ws} = ${caller.workspace}
    AND ${mn.user_id} IN ${buildInList(userIds)}`;
}

/** Selects member numbers as `no`. 0 means unassigned. */
export function selectAssigneeNumbers(caller: Caller, assignees: AssigneeFilter): SQL {
  const people = selectMemberNumbers(caller, assignees);
  return assignees.orUnassigned ? sql`${people} UNION ALL SELECT 0` : people;
}

/** Searches for the numbers of several people in a text, because a table lookup would cost a row read per task. */
export function isAssignedTo(caller: Caller, assignees: AssigneeFilter, assignee: SQL): SQL {
  const person = getOnlyAssignee(assignees);
  if (person !== null) return sql`${assignee} = ${selectMemberNumber(caller, person)}`;
  return sql`instr((SELECT coalesce(group_concat('/' || an.no || '/', ''), '')
    FROM (${selectAssigneeNumbers(caller, assignees)}) an), '/' || ${assignee} || '/') > 0`;
}

const idColumn = selectColumns({ id: mk.user_id });

/** Includes former members. */
export function listKnownUserIds(caller: Caller, userIds: readonly string[]): Statement<{ id: string }[]> {
  return readRows(sql`
    SELECT ${idColumn} FROM ${mk} WHERE ${mk.ws} = ${caller.workspace}
      AND ${mk.user_id} IN ${buildInList(userIds)}`);
}
