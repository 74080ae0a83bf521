import type { Caller } from '../../kernel/access/access.ts';
import {
  assertUnchanged,
  buildInList,
  readFirstRow,
  readRows,
  type Statement,
} from '../../kernel/sql/database.ts';
import { aliasTable, type Row, selectColumns, sql } from '../../kernel/sql/sql.ts';
import { projects } from '../../schema/cell/projects.ts';
import { isProjectVisible } from '../visibility/project-visibility.queries.ts';

const p = aliasTable(projects, 'p');

const projectColumns = selectColumns({ id: p.id, name: p.name });

export function findTargetProject(
  caller: Caller,
  project: number,
): Statement<Row<typeof projectColumns> | null> {
  return readFirstRow(sql`
    SELECT ${projectColumns} FROM ${p}
    WHERE ${p.ws} = ${caller.workspace} AND ${p.id} = ${project} AND ${isProjectVisible(caller, p.id)}`);
}

/** Returns only the projects that the caller can see. */
export function listTargetProjects(
  caller: Caller,
  projects: readonly number[],
): Statement<Row<typeof projectColumns>[]> {
  return readRows(sql`
    SELECT ${projectColumns} FROM ${p} NOT INDEXED
    WHERE ${p.ws} = ${caller.workspace} AND ${p.id} IN ${buildInList(projects)} AND ${isProjectVisible(caller, p.id)}`);
}

export function assertTargetProjectsVisible(caller: Caller, projects: readonly number[]): Statement<void> {
  return assertUnchanged(sql`
    (SELECT count(*) FROM ${p} NOT INDEXED
      WHERE ${p.ws} = ${caller.workspace} AND ${p.id} IN ${buildInList(projects)} AND ${isProjectVisible(caller, p.id)}) = ${projects.length}`);
}
