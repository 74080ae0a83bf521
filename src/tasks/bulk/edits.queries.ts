import type { Caller } from '../../kernel/access/access.ts';
import { assertUnchanged, inList, rows, type Statement } from '../../kernel/sql/database.ts';
import { columns, names, sql } from '../../kernel/sql/sql.ts';
import { activeMembers } from '../../schema/cell/workspaces.ts';

const am = names(activeMembers, 'am');
const mn = names(activeMembers, 'mn');

const memberColumns = columns({ id: mn.user_id, no: mn.no });

/** Omits people who aren't members. */
export function listMembers(
  caller: Caller,
  userIds: readonly string[],
): Statement<{ id: string; no: number }[]> {
  return rows(sql`
    SELECT ${memberColumns} FROM ${mn}
    WHERE ${mn.ws} = ${caller.workspace} AND ${mn.user_id} IN ${inList(userIds)}`);
}

/** Aborts the batch unless all of these people are still members. */
export function assertMembers(caller: Caller, numbers: readonly number[]): Statement<void> {
  return assertUnchanged(sql`
    NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(numbers)}) d WHERE NOT EXISTS (
      SELECT 1 FROM ${am} WHERE ${am.no} = d.value AND ${am.ws} = ${caller.workspace}))`);
}
