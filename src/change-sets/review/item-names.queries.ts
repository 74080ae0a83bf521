import type { Caller } from '../../kernel/access/access.ts';
import { buildInList, readRows, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { projects } from '../../schema/cell/projects.ts';
import { taskCategories, taskTypes } from '../../schema/cell/reference.ts';
import { members } from '../../schema/cell/workspaces.ts';

const c = aliasTable(taskCategories, 'c');
const m = aliasTable(members, 'm');
const p = aliasTable(projects, 'p');
const y = aliasTable(taskTypes, 'y');

const projectColumns = selectColumns({ id: p.id, name: p.name });
const memberColumns = selectColumns({ id: m.no, name: m.name });
const categoryColumns = selectColumns({ id: c.id, name: c.value });
const typeColumns = selectColumns({ id: y.id, name: y.value });
type NameRow = Row<typeof projectColumns>;

export function listProjectNames({ workspace }: Caller, ids: readonly number[]): Statement<NameRow[]> {
  return readRows(
    sql`SELECT ${projectColumns} FROM ${p} WHERE ${p.ws} = ${workspace} AND ${p.id} IN ${buildInList(ids)}`,
  );
}

export function listMemberNames({ workspace }: Caller, numbers: readonly number[]): Statement<NameRow[]> {
  return readRows(
    sql`SELECT ${memberColumns} FROM ${m} WHERE ${m.ws} = ${workspace} AND ${m.no} IN ${buildInList(numbers)}`,
  );
}

export function listCategoryNames({ workspace }: Caller, ids: readonly number[]): Statement<NameRow[]> {
  return readRows(
    sql`SELECT ${categoryColumns} FROM ${c} WHERE ${c.ws} = ${workspace} AND ${c.id} IN ${buildInList(ids)}`,
  );
}

export function listTypeNames({ workspace }: Caller, ids: readonly number[]): Statement<NameRow[]> {
  return readRows(
    sql`SELECT ${typeColumns} FROM ${y} WHERE ${y.ws} = ${workspace} AND ${y.id} IN ${buildInList(ids)}`,
  );
}
