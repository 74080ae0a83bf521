import type { Caller } from '../../kernel/access/access.ts';
import { readNumber, readRows, type Statement } from '../../kernel/sql/database.ts';
import { aliasTable, type Row, type SQL, selectColumns, sql, withType } from '../../kernel/sql/sql.ts';
import { projectDeletions } from '../../schema/cell/project-deletions.ts';
import { projects } from '../../schema/cell/projects.ts';

const d = aliasTable(projectDeletions, 'd');
const p = aliasTable(projects, 'p');

const deletionColumns = selectColumns({
  project: d.project,
  /** The workspace number. Hidden tasks store it as a negative number. */
  ws: d.ws,
  is_hidden: withType<0 | 1>(sql`NOT EXISTS (SELECT 1 FROM ${p} WHERE ${p.id} = ${d.project})`),
});
export type ProjectDeletion = Row<typeof deletionColumns>;

export function hasDeletions(): SQL {
  return sql`EXISTS (SELECT 1 FROM ${d})`;
}

export function listDeletions(limit: number): Statement<ProjectDeletion[]> {
  return readRows(sql`
    SELECT ${deletionColumns} FROM ${d} ORDER BY ${d.created_at}, ${d.project}
      LIMIT ${limit}`);
}

export function countDeletions({ workspace }: Caller, project: number): Statement<number> {
  return readNumber(sql`
    SELECT EXISTS (SELECT 1 FROM ${d} WHERE ${d.ws} = ${workspace} AND ${d.project} = ${project}) AS n`);
}

const progressColumns = selectColumns({
  id: d.project,
  name: d.name,
  tasks: d.tasks,
  tasks_left: d.tasks_left,
});
export type DeletionProgress = Row<typeof progressColumns>;

export function listDeletionProgress(caller: Caller): Statement<DeletionProgress[]> {
  return readRows(sql`
    SELECT ${progressColumns}
    FROM ${d} WHERE ${d.ws} = ${caller.workspace} ORDER BY ${d.project}`);
}
