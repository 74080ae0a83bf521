import { readFirstRow, type Statement, write } from '../../kernel/sql/database.ts';
import {
  aliasLeftJoinedTable,
  aliasTable,
  type Row,
  selectColumns,
  sql,
  withType,
} from '../../kernel/sql/sql.ts';
import { projectDeletions } from '../../schema/cell/project-deletions.ts';
import { projects } from '../../schema/cell/projects.ts';
import { savedFilters } from '../../schema/cell/saved-filters.ts';
import { publicLinks } from '../../schema/cell/sharing.ts';
import { workspaceDeletions } from '../../schema/cell/workspace-deletions.ts';
import { workspaces } from '../../schema/cell/workspaces.ts';

const d = aliasTable(projectDeletions, 'd');
const f = aliasLeftJoinedTable(savedFilters, 'f');
const l = aliasTable(publicLinks, 'l');
const p = aliasLeftJoinedTable(projects, 'p');
const w = aliasTable(workspaces, 'w');
const wd = aliasTable(workspaceDeletions, 'wd');

const openLinkColumns = selectColumns({
  id: l.id,
  ws: l.ws,
  project: l.project,
  shows_names: l.shows_names,
  expires_on: l.expires_on,
  last_used_at: l.last_used_at,
  name: withType<string>(sql`coalesce(${p.name}, ${f.name})`),
  project_status: p.status,
  task_columns: p.task_columns,
  published_filter: l.published_filter,
  is_shared: f.is_shared,
  workspace_id: w.id,
  workspace_name: w.name,
  plan: w.plan,
  timezone: w.timezone,
});
export type OpenLinkRow = Row<typeof openLinkColumns>;

/** Returns null if the project or the workspace is being deleted. */
export function findLinkByHash(hash: string): Statement<OpenLinkRow | null> {
  return readFirstRow(sql`
    SELECT ${openLinkColumns} FROM ${l} CROSS JOIN ${w} ON ${w.no} = ${l.ws}
    LEFT JOIN ${p} ON ${p.id} = ${l.project} AND ${p.ws} = ${l.ws}
    LEFT JOIN ${f} ON ${f.id} = ${l.filter} AND ${f.ws} = ${l.ws}
    WHERE ${l.hash} = ${hash} AND coalesce(${p.id}, ${f.id}) IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM ${d} WHERE ${d.project} = ${l.project})
      AND NOT EXISTS (SELECT 1 FROM ${wd} WHERE ${wd.ws} = ${l.ws})`);
}

export function recordLinkUse({ ws, id }: Pick<OpenLinkRow, 'ws' | 'id'>, now: number): Statement<void> {
  return write(sql`
    UPDATE ${publicLinks} SET ${publicLinks.last_used_at} = ${now}
    WHERE ${publicLinks.ws} = ${ws} AND ${publicLinks.id} = ${id}`);
}
