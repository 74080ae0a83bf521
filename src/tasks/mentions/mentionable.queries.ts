import type { Caller } from '../../kernel/access/access.ts';
import { buildInList, readNumber, readRows } from '../../kernel/sql/database.ts';
import { aliasTable, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { activeMembers, members } from '../../schema/cell/workspaces.ts';
import { isTaskVisible, isTaskVisibleTo } from '../visibility/task-visibility.queries.ts';

const m = aliasTable(activeMembers, 'm');
const allMembers = aliasTable(members, 'm');
const t = aliasTable(tasks, 't');

export function countVisibleTasks(caller: Caller, task: number) {
  return readNumber(
    sql`SELECT count(*) AS total FROM ${t} WHERE ${t.id} = ${task} AND ${isTaskVisible(t, caller)}`,
  );
}

const mentionableColumns = selectColumns({ id: m.user_id, name: m.name, email: m.email });

/**
 * Names that start with the given text come first. Takes the text in several spellings, because SQLite ignores case
 * only for A to Z.
 */
export function listMentionablePeople(
  caller: Caller,
  task: number,
  spellings: readonly string[],
  limit: number,
) {
  const asked = JSON.stringify(spellings);
  return readRows(sql`
    SELECT ${mentionableColumns}
    FROM ${t} CROSS JOIN ${m} ON ${m.ws} = ${t.ws}
    WHERE ${t.id} = ${task} AND ${isTaskVisible(t, caller)} AND ${isTaskVisibleTo(t, m)}
      AND EXISTS (SELECT 1 FROM json_each(${asked}) s
        WHERE instr(lower(${m.name}), lower(s.value)) > 0 OR instr(${m.email_key}, lower(s.value)) = 1)
    ORDER BY EXISTS (SELECT 1 FROM json_each(${asked}) s
        WHERE instr(lower(${m.name}), lower(s.value)) = 1) DESC, ${m.name} COLLATE NOCASE, ${m.no}
    LIMIT ${limit}`);
}

const nameColumns = selectColumns({ id: allMembers.user_id, name: allMembers.name });

export function listMemberNames(caller: Caller, ids: readonly string[]) {
  return readRows(sql`
    SELECT ${nameColumns} FROM ${allMembers}
    WHERE ${allMembers.ws} = ${caller.workspace} AND ${allMembers.user_id} IN ${buildInList(ids)}`);
}
