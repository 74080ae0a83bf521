import type { Caller } from '../../kernel/access/access.ts';
import { readRows } from '../../kernel/sql/database.ts';
import { aliasTable, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { projectMembers, projects } from '../../schema/cell/projects.ts';
import { savedFilters } from '../../schema/cell/saved-filters.ts';
import { isProjectVisible } from '../../tasks/visibility/project-visibility.queries.ts';

const p = aliasTable(projects, 'p');
const pm = aliasTable(projectMembers, 'pm');
const f = aliasTable(savedFilters, 'f');

const projectColumns = selectColumns({ id: p.id, name: p.name });

/** Returns those of `ids` that the caller can see, in no particular order. */
export function findProjectNames(caller: Caller, ids: readonly number[]) {
  return readRows(sql`
    SELECT ${projectColumns} FROM json_each(${JSON.stringify(ids)}) i CROSS JOIN ${p} ON ${p.id} = i.value
    WHERE ${p.ws} = ${caller.workspace} AND ${isProjectVisible(caller, p.id)}`);
}

export function listNewestJoinedProjects({ workspace, member }: Caller, limit: number) {
  return readRows(sql`
    SELECT ${projectColumns} FROM ${pm} INDEXED BY project_members_by_member CROSS JOIN ${p} ON ${p.id} = ${pm.project}
    WHERE ${p.ws} = ${workspace} AND ${pm.member} = ${member} ORDER BY ${pm.project} DESC LIMIT ${limit}`);
}

/** Returns the newest filters of the caller, and then those that others share. */
export function listNewestFilters({ workspace, member }: Caller, limit: number) {
  const columns = selectColumns({ id: f.id, name: f.name, filter: f.filter });
  return readRows(sql`
    SELECT * FROM (SELECT ${columns} FROM ${f} INDEXED BY saved_filters_by_member
      WHERE ${f.ws} = ${workspace} AND ${f.member} = ${member} ORDER BY ${f.id} DESC LIMIT ${limit})
    UNION ALL
    SELECT * FROM (SELECT ${columns} FROM ${f} INDEXED BY saved_filters_shared
      WHERE ${f.ws} = ${workspace} AND ${f.is_shared} = 1 AND ${f.member} <> ${member} ORDER BY ${f.id} DESC LIMIT ${limit})
    LIMIT ${limit}`);
}
