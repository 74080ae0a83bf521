import type { Caller } from '../../kernel/access/access.ts';
import { assertUnchanged, buildInList, readRows, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { activeMembers } from '../../schema/cell/workspaces.ts';

const am = aliasTable(activeMembers, 'am');
const mn = aliasTable(activeMembers, 'mn');

const memberColumns = selectColumns({ id: mn.user_id, no: mn.no });

export function listActiveMembersByUserId(
  caller: Caller,
  userIds: readonly string[],
): Statement<{ id: string; no: number }[]> {
  return readRows(sql`
    SELECT ${memberColumns} FROM ${mn}
    WHERE ${mn.ws} = ${caller.workspace} AND ${mn.user_id} IN ${buildInList(userIds)}`);
}

export function assertStillMembers(caller: Caller, numbers: readonly number[]): Statement<void> {
  return assertUnchanged(sql`
    NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(numbers)}) d WHERE NOT EXISTS (
      SELECT 1 FROM ${am} WHERE ${am.no} = d.value AND ${am.ws} = ${caller.workspace}))`);
}
