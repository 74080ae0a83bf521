import type { Caller } from '../../kernel/access/access.ts';
import { readRows, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { projectMembers, projects } from '../../schema/cell/projects.ts';
import { savedFilters } from '../../schema/cell/saved-filters.ts';
import { isProjectVisible } from '../../tasks/visibility/project-visibility.queries.ts';

const p = aliasTable(projects, 'p');
const pm = aliasTable(projectMembers, 'pm');
const f = aliasTable(savedFilters, 'f');

type SidebarItemKind = 'recent' | 'joined' | 'filter';

const buildProjectColumns = (kind: SQL) =>
  selectColumns({
    kind: withType<SidebarItemKind>(kind),
    id: p.id,
    name: p.name,
    filter: withType<string | null>(sql`NULL`),
  });
const filterColumns = selectColumns({ kind: sql`'filter'`, id: f.id, name: f.name, filter: f.filter });

/**
 * Lists the `recent` projects that the caller can see, the newest projects that the caller joined, and the newest
 * filters, starting with the caller's own. Uses a single statement, because every page shows the sidebar.
 */
export function listSidebarItems(
  caller: Caller,
  recent: readonly number[],
  limit: number,
): Statement<Row<ReturnType<typeof buildProjectColumns>>[]> {
  const { workspace, member } = caller;
  return readRows(sql`
    SELECT ${buildProjectColumns(sql`'recent'`)} FROM json_each(${JSON.stringify(recent)}) i CROSS JOIN ${p} ON ${p.id} = i.value
    WHERE ${p.ws} = ${workspace} AND ${isProjectVisible(caller, p.id)}
    UNION ALL
    SELECT * FROM (SELECT ${buildProjectColumns(sql`'joined'`)}
      FROM ${pm} INDEXED BY project_members_by_member CROSS JOIN ${p} ON ${p.id} = ${pm.project}
      WHERE ${p.ws} = ${workspace} AND ${pm.member} = ${member} ORDER BY ${pm.project} DESC LIMIT ${limit})
    UNION ALL
    SELECT * FROM (SELECT ${filterColumns} FROM ${f} INDEXED BY saved_filters_by_member
      WHERE ${f.ws} = ${workspace} AND ${f.member} = ${member} ORDER BY ${f.id} DESC LIMIT ${limit})
    UNION ALL
    SELECT * FROM (SELECT ${filterColumns} FROM ${f} INDEXED BY saved_filters_shared
      WHERE ${f.ws} = ${workspace} AND ${f.is_shared} = 1 AND ${f.member} <> ${member} ORDER BY ${f.id} DESC LIMIT ${limit})`);
}
