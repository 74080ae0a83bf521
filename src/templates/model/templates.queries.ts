import type { Caller } from '../../kernel/access/access.ts';
import { getReach } from '../../kernel/access/capabilities.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { buildLimit, isAfter, type PageRange } from '../../kernel/lists/pagination.ts';
import {
  assertUnchanged,
  readFirstRow,
  readNumber,
  readRow,
  readRows,
  rejectUnless,
  type Statement,
  write,
} from '../../kernel/sql/database.ts';
import {
  aliasTable,
  nameInsertColumns,
  type Row,
  type SQL,
  selectColumns,
  sql,
} from '../../kernel/sql/sql.ts';
import { projects } from '../../schema/cell/projects.ts';
import { templates } from '../../schema/cell/templates.ts';
import { isProjectVisible } from '../../tasks/visibility/project-visibility.queries.ts';
import { TEMPLATES_MAX } from './templates.schema.ts';

const p = aliasTable(projects, 'p');
const t = aliasTable(templates, 't');

const listedColumns = selectColumns({
  id: t.id,
  kind: t.kind,
  name: t.name,
  description: t.description,
  project: t.project,
});
export type ListedTemplate = Row<typeof listedColumns>;

const templateColumns = selectColumns({
  id: t.id,
  kind: t.kind,
  name: t.name,
  description: t.description,
  project: t.project,
  content: t.content,
  creator: t.creator,
  version: t.version,
});
export type TemplateRow = Row<typeof templateColumns>;

function isTemplateVisible(caller: Caller): SQL {
  const inWorkspace = sql`${t.ws} = ${caller.workspace}`;
  if (getReach(caller, 'seeProjects') === 'all') return inWorkspace;
  return sql`${inWorkspace} AND ${t.project} IS NOT NULL AND ${isProjectVisible(caller, t.project)}`;
}

const isOfKind = (kind: TemplateRow['kind'] | undefined) =>
  kind === undefined ? sql`true` : sql`${t.kind} = ${kind}`;

export function listTemplates(
  caller: Caller,
  kind: TemplateRow['kind'] | undefined,
  range: PageRange,
): Statement<ListedTemplate[]> {
  return readRows(sql`
    SELECT ${listedColumns} FROM ${t} INDEXED BY templates_by_workspace
    WHERE ${isTemplateVisible(caller)} AND ${isOfKind(kind)} AND ${isAfter(range, [{ column: t.id }])}
    ORDER BY ${t.id} ${buildLimit(range)}`);
}

export function countTemplates(caller: Caller, kind: TemplateRow['kind'] | undefined): Statement<number> {
  return readNumber(sql`
    SELECT count(*) AS n FROM ${t} INDEXED BY templates_by_workspace
    WHERE ${isTemplateVisible(caller)} AND ${isOfKind(kind)}`);
}

export function findTemplate(caller: Caller, id: number): Statement<TemplateRow | null> {
  return readFirstRow(sql`
    SELECT ${templateColumns} FROM ${t} NOT INDEXED WHERE ${t.id} = ${id} AND ${isTemplateVisible(caller)}`);
}

export function assertTemplateUnchanged(
  caller: Caller,
  { id, version }: Pick<TemplateRow, 'id' | 'version'>,
): Statement<void> {
  return assertUnchanged(sql`
    EXISTS (SELECT 1 FROM ${t} NOT INDEXED
      WHERE ${t.id} = ${id} AND ${t.version} = ${version} AND ${isTemplateVisible(caller)})`);
}

export const newestTemplate = sql`(SELECT max(${templates.id}) FROM ${templates})`;

export type TemplateDraft = Pick<TemplateRow, 'kind' | 'name' | 'description' | 'project' | 'content'>;

export function insertTemplate(
  { workspace, member }: Caller,
  { kind, name, description, project, content }: TemplateDraft,
  now: number,
): Statement<void>[] {
  const values = sql`${workspace}, ${kind}, ${name}, ${description}, ${project}, ${content}, ${member}, ${now}`;
  return [
    write(sql`
      INSERT INTO ${nameInsertColumns(templates, 'ws', 'kind', 'name', 'description', 'project', 'content', 'creator', 'created_at')}
      VALUES (${values})`),
    rejectUnless(
      sql`(SELECT count(*) FROM ${t} INDEXED BY templates_by_workspace WHERE ${t.ws} = ${workspace}) <= ${TEMPLATES_MAX}`,
      invalidRequestError(`A workspace can have up to ${TEMPLATES_MAX} templates. Delete one first.`),
    ),
  ];
}

const idColumn = selectColumns({ id: t.id });

/** Must run in the batch that inserts the template. */
export function findNewestTemplate({ workspace }: Caller): Statement<{ id: number }> {
  return readRow(
    sql`SELECT ${idColumn} FROM ${t} WHERE +${t.ws} = ${workspace} ORDER BY ${t.id} DESC LIMIT 1`,
  );
}

export type TemplateChanges = Partial<Pick<TemplateRow, 'name' | 'description' | 'project' | 'content'>>;

export function updateTemplate({ workspace }: Caller, id: number, changes: TemplateChanges): Statement<void> {
  const columns = Object.keys(changes) as (keyof TemplateChanges)[];
  const set = columns.map((column) => sql`${templates[column]} = ${changes[column] ?? null}`);
  return write(sql`
    UPDATE ${templates} NOT INDEXED SET ${sql.join(set, sql`, `)}, ${templates.version} = ${templates.version} + 1
    WHERE ${templates.ws} = ${workspace} AND ${templates.id} = ${id}`);
}

export function deleteTemplate({ workspace }: Caller, id: number): Statement<void> {
  return write(
    sql`DELETE FROM ${templates} WHERE ${templates.ws} = ${workspace} AND ${templates.id} = ${id}`,
  );
}

const projectColumn = selectColumns({ id: p.id });

export function findVisibleProject(caller: Caller, id: number): Statement<{ id: number } | null> {
  return readFirstRow(sql`
    SELECT ${projectColumn} FROM ${p} NOT INDEXED
    WHERE ${p.id} = ${id} AND ${p.ws} = ${caller.workspace} AND ${isProjectVisible(caller, p.id)}`);
}
