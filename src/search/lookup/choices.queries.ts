import type { Caller } from '../../kernel/access/access.ts';
import { readFirstRow, readRows } from '../../kernel/sql/database.ts';
import { aliasTable, selectColumns, sql } from '../../kernel/sql/sql.ts';
import type { ProjectScope } from '../../projects/operations/projects.schema.ts';
import { projects } from '../../schema/cell/projects.ts';
import { type projectStatusRows, taskStatusRows, teams } from '../../schema/cell/reference.ts';
import { activeMembers } from '../../schema/cell/workspaces.ts';
import { hasJoinedProject, isProjectVisible } from '../../tasks/visibility/project-visibility.queries.ts';

const m = aliasTable(activeMembers, 'm');
const p = aliasTable(projects, 'p');
const s = aliasTable(taskStatusRows, 's');
const t = aliasTable(teams, 't');

export function listProjectNames(caller: Caller, scope: ProjectScope, limit: number) {
  const isOffered = scope === 'mine' ? hasJoinedProject(caller, p.id) : isProjectVisible(caller, p.id);
  return readRows(sql`
    SELECT ${selectColumns({ id: p.id, name: p.name })} FROM ${p} WHERE ${p.ws} = ${caller.workspace} AND ${isOffered}
    ORDER BY ${p.id} DESC LIMIT ${limit}`);
}

export function listTeamNames(caller: Caller, limit: number) {
  return readRows(sql`
    SELECT ${selectColumns({ id: t.id, name: t.name })} FROM ${t} WHERE ${t.ws} = ${caller.workspace}
    ORDER BY ${t.name} COLLATE NOCASE, ${t.id} LIMIT ${limit}`);
}

export function findTeamName(caller: Caller, id: number) {
  return readFirstRow(sql`
    SELECT ${selectColumns({ id: t.id, name: t.name })} FROM ${t} WHERE ${t.ws} = ${caller.workspace} AND ${t.id} = ${id}`);
}

/** Doesn't sort, because sorting would read each row twice. */
export function listPeopleNames(caller: Caller, limit: number) {
  return readRows(sql`
    SELECT ${selectColumns({ id: m.user_id, name: m.name })} FROM ${m} WHERE ${m.ws} = ${caller.workspace}
    LIMIT ${limit}`);
}

export function listStatusNames(table: typeof taskStatusRows | typeof projectStatusRows) {
  return readRows(sql`
    SELECT ${selectColumns({ value: s.value, label: s.label, position: s.position })} FROM ${table} s
    WHERE ${s.is_active} = 1`);
}
