import type { Caller } from '../../kernel/access/access.ts';
import { getReach } from '../../kernel/access/capabilities.ts';
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
} from '../../kernel/sql/sql.ts';
import { exports } from '../../schema/cell/exports.ts';
import { members } from '../../schema/cell/workspaces.ts';
import { EXPORTS_MAX } from './exports.schema.ts';
import { firstPosition } from './position.ts';

const m = aliasTable(members, 'm');
const x = aliasTable(exports, 'x');

const exportColumns = selectColumns({
  id: x.id,
  status: x.status,
  person: x.person,
  has_files: x.has_files,
  problem: x.problem,
  object_key: x.object_key,
  etag: x.etag,
  bytes: x.bytes,
  position: x.position,
  created_at: x.created_at,
  finished_at: x.finished_at,
  expires_at: x.expires_at,
  author_id: m.user_id,
  author_name: m.name,
  author_email: m.email,
});
export type ExportRow = Row<typeof exportColumns>;

/** An export of a person's own data is shown only to that person. */
function isShown(caller: Caller): SQL {
  const isOfWorkspace = getReach(caller, 'exportWorkspace') === 'all' ? sql`${x.person} = 0 OR ` : sql``;
  return sql`${x.ws} = ${caller.workspace} AND ${x.status} <> 'removed'
    AND (${isOfWorkspace}${x.person} = ${caller.member})`;
}

export function listExports(caller: Caller, range: PageRange): Statement<ExportRow[]> {
  return readRows(sql`
    SELECT ${exportColumns} FROM ${x} INDEXED BY exports_by_workspace CROSS JOIN ${m} ON ${m.no} = ${x.member}
    WHERE ${isShown(caller)} AND ${isAfter(range, [{ column: x.id, isDescending: true }])}
    ORDER BY ${x.id} DESC ${buildLimit(range)}`);
}

export function countExports(caller: Caller): Statement<number> {
  return readNumber(
    sql`SELECT count(*) AS n FROM ${x} INDEXED BY exports_by_workspace WHERE ${isShown(caller)}`,
  );
}

export function findExport(caller: Caller, id: number | SQL): Statement<ExportRow | null> {
  return readFirstRow(sql`
    SELECT ${exportColumns} FROM ${x} CROSS JOIN ${m} ON ${m.no} = ${x.member}
    WHERE ${isShown(caller)} AND ${x.id} = ${id}`);
}

export const newestExportId = sql`(SELECT max(${exports.id}) FROM ${exports})`;

interface ExportDraft {
  /** The member whose own data to export, or 0 for the whole workspace. */
  readonly person: number;
  readonly hasFiles: boolean;
  readonly objectKey: string;
  readonly partBytes: number;
}

export function insertExport(
  { caller, now }: Pick<Context, 'caller' | 'now'>,
  { person, hasFiles, objectKey, partBytes }: ExportDraft,
): Statement<void>[] {
  return [
    write(sql`
      INSERT INTO ${nameInsertColumns(
        exports,
        'ws',
        'member',
        'person',
        'status',
        'has_files',
        'object_key',
        'part_bytes',
        'position',
        'created_at',
      )}
      SELECT ${caller.workspace}, ${caller.member}, ${person}, 'running', ${Number(hasFiles)}, ${objectKey}, ${partBytes},
        ${JSON.stringify(firstPosition)}, ${now}`),
    // Exports that were just deleted still take up storage, so there can be only a few of them.
    rejectUnless(
      sql`(SELECT count(*) <= ${2 * EXPORTS_MAX} AND sum(${x.status} <> 'removed') <= ${EXPORTS_MAX}
        FROM ${x} INDEXED BY exports_by_workspace WHERE ${x.ws} = ${caller.workspace} AND ${x.person} = ${person})`,
      invalidRequestError(
        `${person === 0 ? 'A workspace' : 'A person'} can keep up to ${EXPORTS_MAX} exports. Delete one, or wait until one expires. If you have just deleted several, try again in a few minutes.`,
      ),
    ),
  ];
}

const isRunning = (ws: number, person: number) =>
  sql`${x.ws} = ${ws} AND ${x.person} = ${person} AND ${x.status} = 'running'`;

/** Concurrent requests can't both start an export, because the index allows only one running export per workspace and person. */
export function findRunningExport({ workspace }: Caller, person: number): Statement<{ id: number } | null> {
  return readFirstRow(sql`
    SELECT ${selectColumns({ id: x.id })} FROM ${x} INDEXED BY exports_running
    WHERE ${isRunning(workspace, person)}`);
}

export function assertNoRunningExport({ workspace }: Caller, person: number): Statement<void> {
  return assertUnchanged(sql`
    NOT EXISTS (SELECT 1 FROM ${x} INDEXED BY exports_running WHERE ${isRunning(workspace, person)})`);
}

/** `cleanExports` deletes the file as soon as no run can be working on it anymore. */
export function removeExport({ workspace }: Caller, id: number): Statement<void>[] {
  return [
    write(sql`
      UPDATE ${exports} SET ${exports.status} = 'removed', 
        ${exports.expires_at} = CASE ${exports.status} WHEN 'running' THEN ${exports.leased_until} ELSE 0 END,
        ${exports.version} = ${exports.version} + 1
      WHERE ${exports.ws} = ${workspace} AND ${exports.id} = ${id} AND ${exports.status} <> 'removed'`),
    assertUnchanged(sql`changes() = 1`),
  ];
}
