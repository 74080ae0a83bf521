import type { Caller } from '../../kernel/access/access.ts';
import { invalidRequestError } from '../../kernel/errors/errors.ts';
import { buildLimit, isAfter, type PageRange } from '../../kernel/lists/pagination.ts';
import type { Context } from '../../kernel/operation/operation.ts';
import {
  assertUnchanged,
  readFirstRow,
  readNumber,
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
  withType,
} from '../../kernel/sql/sql.ts';
import { importedTasks, imports } from '../../schema/cell/imports.ts';
import { projects } from '../../schema/cell/projects.ts';
import { tasks } from '../../schema/cell/tasks.ts';
import { activeMembers, members } from '../../schema/cell/workspaces.ts';
import {
  READY_IMPORTS_MAX,
  READY_LIFETIME_MS,
  REPORT_LIFETIME_MS,
  RUNNING_IMPORTS_MAX,
} from './imports.schema.ts';

const a = aliasTable(activeMembers, 'a');
const e = aliasTable(importedTasks, 'e');
const i = aliasTable(imports, 'i');
const m = aliasTable(members, 'm');
const p = aliasTable(projects, 'p');
const t = aliasTable(tasks, 't');

const listed = {
  id: i.id,
  status: i.status,
  project: i.project,
  file_name: i.file_name,
  source: i.source,
  total: i.total,
  existing: i.existing,
  made: i.made,
  problem: i.problem,
  created_at: i.created_at,
  finished_at: i.finished_at,
  author_id: m.user_id,
  author_name: m.name,
  author_email: m.email,
};
const listedColumns = selectColumns(listed);
export type ListedImport = Row<typeof listedColumns>;

const importColumns = selectColumns({
  ...listed,
  attachment: i.attachment,
  object_key: i.object_key,
  etag: i.etag,
  options: i.options,
  report: i.report,
  version: i.version,
});
export type ImportRow = Row<typeof importColumns>;

export function listImports(caller: Caller, range: PageRange): Statement<ListedImport[]> {
  return readRows(sql`
    SELECT ${listedColumns} FROM ${i} INDEXED BY imports_by_workspace CROSS JOIN ${m} ON ${m.no} = ${i.member}
    WHERE ${i.ws} = ${caller.workspace} AND ${isAfter(range, [{ column: i.id, isDescending: true }])}
    ORDER BY ${i.id} DESC ${buildLimit(range)}`);
}

export function countImports(caller: Caller): Statement<number> {
  return readNumber(
    sql`SELECT count(*) AS n FROM ${i} INDEXED BY imports_by_workspace WHERE ${i.ws} = ${caller.workspace}`,
  );
}

export const newestImportId = sql`(SELECT max(${imports.id}) FROM ${imports})`;

export function findImport(caller: Caller, id: number | SQL): Statement<ImportRow | null> {
  return readFirstRow(sql`
    SELECT ${importColumns} FROM ${i} CROSS JOIN ${m} ON ${m.no} = ${i.member}
    WHERE ${i.ws} = ${caller.workspace} AND ${i.id} = ${id}`);
}

export interface ImportFile {
  readonly attachment: number;
  readonly file_name: string;
  readonly object_key: string;
  readonly etag: string;
}

export interface ImportDraft extends ImportFile {
  readonly project: number;
  readonly source: string;
  readonly options: string;
  readonly report: string;
  readonly total: number;
  readonly existing: number;
}

export function insertImport(
  { caller, via, now }: Pick<Context, 'caller' | 'via' | 'now'>,
  draft: ImportDraft,
): Statement<void>[] {
  const { project, attachment, file_name, object_key, etag, source, options, report, total, existing } =
    draft;
  return [
    write(sql`
    INSERT INTO ${nameInsertColumns(
      imports,
      'ws',
      'project',
      'member',
      'via',
      'credential',
      'attachment',
      'file_name',
      'object_key',
      'etag',
      'source',
      'options',
      'report',
      'status',
      'total',
      'existing',
      'created_at',
      'expires_at',
    )}
    VALUES (${caller.workspace}, ${project}, ${caller.member}, ${via}, CAST(${caller.credential.id} AS INTEGER),
      ${attachment}, ${file_name}, ${object_key}, ${etag}, ${source}, ${options}, ${report}, 'ready', ${total},
      ${existing}, ${now}, ${now + READY_LIFETIME_MS})`),
    rejectUnless(
      sql`(SELECT count(*) FROM ${i} INDEXED BY imports_ready WHERE ${i.ws} = ${caller.workspace} AND ${i.status} = 'ready')
        <= ${READY_IMPORTS_MAX}`,
      invalidRequestError(
        `A workspace can have up to ${READY_IMPORTS_MAX} imports that haven't started. Start or cancel one first.`,
      ),
    ),
  ];
}

export function assertImportUnchanged(caller: Caller, { id, version }: ImportRow): Statement<void> {
  return assertUnchanged(sql`
    EXISTS (SELECT 1 FROM ${i} WHERE ${i.ws} = ${caller.workspace} AND ${i.id} = ${id} AND ${i.version} = ${version})`);
}

export function updateImportPlan(
  { caller, now }: Pick<Context, 'caller' | 'now'>,
  id: number,
  { source, options, report, total, existing }: Omit<ImportDraft, 'project' | keyof ImportFile>,
): Statement<void> {
  return write(sql`
    UPDATE ${imports} SET ${imports.source} = ${source}, ${imports.options} = ${options}, ${imports.report} = ${report}, ${imports.total} = ${total},
      ${imports.existing} = ${existing}, ${imports.expires_at} = ${now + READY_LIFETIME_MS}, ${imports.version} = ${imports.version} + 1
    WHERE ${imports.ws} = ${caller.workspace} AND ${imports.id} = ${id}`);
}

/** The person who starts the import becomes the creator of its tasks, even if someone else prepared the import. */
export function startImport({ caller, via }: Pick<Context, 'caller' | 'via'>, id: number): Statement<void>[] {
  const { workspace } = caller;
  return [
    write(sql`
      UPDATE ${imports} SET ${imports.status} = 'running', ${imports.member} = ${caller.member}, ${imports.via} = ${via},
        ${imports.credential} = CAST(${caller.credential.id} AS INTEGER), ${imports.expires_at} = NULL,
        ${imports.version} = ${imports.version} + 1
      WHERE ${imports.ws} = ${workspace} AND ${imports.id} = ${id}`),
    rejectUnless(
      sql`(SELECT count(*) FROM ${i} INDEXED BY imports_running WHERE ${i.ws} = ${workspace} AND ${i.status} = 'running')
        <= ${RUNNING_IMPORTS_MAX}`,
      invalidRequestError(
        `A workspace can run up to ${RUNNING_IMPORTS_MAX} imports at a time. Wait for one to finish, or cancel one.`,
      ),
    ),
  ];
}

export function cancelImport(
  { caller, now }: Pick<Context, 'caller' | 'now'>,
  { id, status }: Pick<ImportRow, 'id' | 'status'>,
): Statement<void> {
  const report =
    status === 'ready'
      ? sql`${imports.report} = NULL, ${imports.expires_at} = NULL`
      : sql`${imports.expires_at} = ${now + REPORT_LIFETIME_MS}`;
  return write(sql`
    UPDATE ${imports} SET ${imports.status} = 'canceled', ${imports.finished_at} = ${now}, ${report},
      ${imports.version} = ${imports.version} + 1
    WHERE ${imports.ws} = ${caller.workspace} AND ${imports.id} = ${id}`);
}

const importedColumns = selectColumns({ external_id: e.external_id, task: e.task });

export function listImportedTasks(
  ws: number,
  project: number,
  source: string,
): Statement<Row<typeof importedColumns>[]> {
  return readRows(sql`
    SELECT ${importedColumns} FROM ${e} WHERE ${e.ws} = ${ws} AND ${e.project} = ${project} AND ${e.source} = ${source}`);
}

const namedColumns = selectColumns({ external_id: e.external_id, name: withType<string | null>(t.name) });

export function listImportedNames(
  ws: number,
  project: number,
  source: string,
): Statement<Row<typeof namedColumns>[]> {
  return readRows(sql`
    SELECT ${namedColumns} FROM ${e} LEFT JOIN ${t} ON ${t.id} = ${e.task} AND ${t.ws} = ${e.ws}
    WHERE ${e.ws} = ${ws} AND ${e.project} = ${project} AND ${e.source} = ${source}`);
}

const personColumns = selectColumns({
  no: a.no,
  user_id: a.user_id,
  name: a.name,
  email: a.email,
  role: a.role,
});
export type ImportMember = Row<typeof personColumns>;

export function listMembersForImport(ws: number): Statement<ImportMember[]> {
  return readRows(sql`SELECT ${personColumns} FROM ${a} WHERE ${a.ws} = ${ws}`);
}

const projectColumns = selectColumns({ task_columns: p.task_columns });

export function findTaskColumns(
  ws: number,
  project: number,
): Statement<{ task_columns: string | null } | null> {
  return readFirstRow(sql`SELECT ${projectColumns} FROM ${p} WHERE ${p.ws} = ${ws} AND ${p.id} = ${project}`);
}
