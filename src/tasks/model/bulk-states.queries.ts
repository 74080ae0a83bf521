import type { Caller } from '../../kernel/access/access.ts';
import { readRows, type SQL, type Statement, selectIdsInOrder } from '../../kernel/sql/database.ts';
import { aliasLeftJoinedTable, aliasTable, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { selectDescriptionBytes, selectShortDescription } from '../texts/task-texts.queries.ts';
import { isTaskVisible } from '../visibility/task-visibility.queries.ts';
import { buildStateFields, type TaskState } from './tasks.queries.ts';

const a = aliasLeftJoinedTable(members, 'a');
const t = aliasTable(tasks, 't');

/** `description` is undefined if it is too long to be read with the other columns. */
export type BulkTaskState = Omit<TaskState, 'description'> & {
  description: string | null | undefined;
  description_bytes: number;
};

/** The limit is low, because a batch can read the descriptions of a hundred tasks. */
const INLINE_DESCRIPTION_BYTES_MAX = 4_000;

/** @param bytesMax the maximum size of a description to read, or 0 to read none. */
export function listTaskStates(
  caller: Caller,
  ids: readonly number[] | SQL,
  bytesMax = INLINE_DESCRIPTION_BYTES_MAX,
): Statement<BulkTaskState[]> {
  const description = selectShortDescription(t, bytesMax);
  const found = readRows(sql`
    SELECT ${selectColumns({ ...buildStateFields(caller), description, description_bytes: selectDescriptionBytes(t) })}
    FROM ${t} NOT INDEXED LEFT JOIN ${a} ON ${a.no} = ${t.assignee}
    WHERE ${t.id} IN (${isIdList(ids) ? selectIdsInOrder(ids) : ids}) AND ${isTaskVisible(t, caller)}`);
  const isLong = (task: { description_bytes: number }) => task.description_bytes > bytesMax;
  return {
    ...found,
    read: (states) =>
      found.read(states).map((task) => (isLong(task) ? { ...task, description: undefined } : task)),
  };
}

function isIdList(ids: readonly number[] | SQL): ids is readonly number[] {
  return Array.isArray(ids);
}
