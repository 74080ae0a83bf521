import type { Caller } from '../../kernel/access/access.ts';
import { readRows, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { changeSetItems } from '../../schema/cell/change-sets.ts';
import { projects } from '../../schema/cell/projects.ts';
import { taskCategories, taskTypes } from '../../schema/cell/reference.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { isTaskVisible } from '../../tasks/visibility/task-visibility.queries.ts';

const c = aliasTable(taskCategories, 'c');
const i = aliasTable(changeSetItems, 'i');
const m = aliasTable(members, 'm');
const p = aliasTable(projects, 'p');
const t = aliasTable(tasks, 't');
const n = aliasTable(tasks, 'n');
const tt = aliasTable(taskTypes, 'tt');

const projectColumns = selectColumns({ id: p.id, name: p.name });
const memberColumns = selectColumns({ id: m.no, name: m.name });
const categoryColumns = selectColumns({ id: c.id, name: c.value });
const typeColumns = selectColumns({ id: tt.id, name: tt.value });
export type NameRow = Row<typeof projectColumns>;

function selectValues(
  { workspace }: Caller,
  set: number,
  column: 'project' | 'assignee' | 'other_assignees' | 'category' | 'type' | 'parent',
): SQL {
  const isInSet = sql`${i.set_id} = ${set} AND ${i.ws} = ${workspace}`;
  return sql`
    SELECT ${i.changes} ->> ${column} AS value FROM ${i} WHERE ${isInSet}
    UNION SELECT ${t[column]} FROM ${i} CROSS JOIN ${t} NOT INDEXED ON ${t.id} = ${i.task}
    WHERE ${isInSet} AND ${i.version} IS NOT NULL AND ${t.ws} = ${workspace}`;
}

export function listProjectNames(caller: Caller, set: number): Statement<NameRow[]> {
  return readRows(sql`
    SELECT ${projectColumns} FROM ${p} NOT INDEXED
    WHERE ${p.ws} = ${caller.workspace} AND ${p.id} IN (${selectValues(caller, set, 'project')})`);
}

export function listMemberNames(caller: Caller, set: number): Statement<NameRow[]> {
  return readRows(sql`
    SELECT ${memberColumns} FROM ${m} NOT INDEXED
    WHERE ${m.ws} = ${caller.workspace} AND ${m.no} IN (${selectValues(caller, set, 'assignee')}
      UNION SELECT n.value FROM (${selectValues(caller, set, 'other_assignees')}) o CROSS JOIN json_each(coalesce(o.value, '[]')) n)`);
}

export function listCategoryNames(caller: Caller, set: number): Statement<NameRow[]> {
  return readRows(sql`
    SELECT ${categoryColumns} FROM ${c} NOT INDEXED
    WHERE ${c.ws} = ${caller.workspace} AND ${c.id} IN (${selectValues(caller, set, 'category')})`);
}

export function listTypeNames(caller: Caller, set: number): Statement<NameRow[]> {
  return readRows(sql`
    SELECT ${typeColumns} FROM ${tt} NOT INDEXED
    WHERE ${tt.ws} = ${caller.workspace} AND ${tt.id} IN (${selectValues(caller, set, 'type')})`);
}

const parentColumns = selectColumns({ id: n.id, name: n.name });

/** Omits tasks that the caller can't see. */
export function listParentNames(caller: Caller, set: number): Statement<NameRow[]> {
  return readRows(sql`
    SELECT ${parentColumns} FROM ${n} NOT INDEXED
    WHERE ${n.id} IN (${selectValues(caller, set, 'parent')}) AND ${isTaskVisible(n, caller)}`);
}
