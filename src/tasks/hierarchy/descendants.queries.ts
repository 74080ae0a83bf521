import { readRows, type Statement } from '../../kernel/sql/database.ts';
import {
  aliasLeftJoinedTable,
  aliasTable,
  type Row,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { activeMembers, members } from '../../schema/cell/workspaces.ts';
import { stateFields } from '../model/tasks.queries.ts';
import { selectDescriptionBytes } from '../texts/task-texts.queries.ts';
import { selectDescendants } from './hierarchy.queries.ts';

const a = aliasLeftJoinedTable(members, 'a');
const am = aliasTable(activeMembers, 'am');
const t = aliasTable(tasks, 't');

const copiedColumns = selectColumns({
  ...stateFields,
  description: withType<string | null>(sql`NULL`),
  bytes: selectDescriptionBytes(t),
  /** A JSON list of the assignees' member numbers, in order. Leaves out people who have left the workspace. */
  active_assignees: withType<string>(sql`(SELECT json_group_array(${am.no} ORDER BY n.key)
    FROM (SELECT -1 AS key, ${t.assignee} AS value UNION ALL SELECT key, value FROM json_each(${t.other_assignees})) n
    CROSS JOIN ${am} ON ${am.no} = n.value AND ${am.ws} = ${t.ws})`),
  /** The requested task that this one descends from, or this task itself. */
  top: withType<number>(sql`d.top`),
});
export type CopiedTaskRow = Row<typeof copiedColumns>;

const readCopiedTaskRows = (ws: number, found: ReturnType<typeof sql>) =>
  readRows<CopiedTaskRow>(sql`
    SELECT ${copiedColumns} FROM (${found}) d CROSS JOIN ${t} NOT INDEXED ON ${t.id} = d.id
    LEFT JOIN ${a} ON ${a.no} = ${t.assignee}
    WHERE ${t.ws} = ${ws} ORDER BY d.level, ${t.parent_place}, ${t.id}`);

/** Returns parents before their subtasks, and subtasks in manual order. */
export function listDescendants(ws: number, ids: readonly number[]): Statement<CopiedTaskRow[]> {
  const tops = sql`SELECT j.value AS id FROM json_each(${JSON.stringify(ids)}) j`;
  return readCopiedTaskRows(ws, selectDescendants(tops));
}

export function listTasksToCopy(ws: number, ids: readonly number[]): Statement<CopiedTaskRow[]> {
  return readCopiedTaskRows(
    ws,
    sql`SELECT j.value AS id, j.value AS top, 1 AS level FROM json_each(${JSON.stringify(ids)}) j`,
  );
}

export function excludeArchived<T extends Pick<CopiedTaskRow, 'id' | 'archived' | 'parent'>>(
  roots: readonly number[],
  descendants: readonly T[],
): T[] {
  const ids = new Set(roots);
  return descendants.filter(({ id, archived, parent }) => {
    const isKept = archived === 0 && ids.has(parent ?? 0);
    if (isKept) ids.add(id);
    return isKept;
  });
}
