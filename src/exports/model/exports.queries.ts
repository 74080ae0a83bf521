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

const isShown = (ws: number) => sql`${x.ws} = ${ws} AND ${x.status} <> 'removed'`;

export function listExports({ workspace }: Caller, range: PageRange): Statement<ExportRow[]> {
  return readRows(sql`
    SELECT ${exportColumns} FROM ${x} INDEXED BY exports_by_workspace CROSS JOIN ${m} ON ${m.no} = ${x.member}
    WHERE ${isShown(workspace)} AND ${isAfter(range, [{ column: x.id, isDescending: true }])}
    ORDER BY ${x.id} DESC ${buildLimit(range)}`);
}

export function countExports({ workspace }: Caller): Statement<number> {
  return readNumber(
    sql`SELECT count(*) AS n FROM ${x} INDEXED BY exports_by_workspace WHERE ${isShown(workspace)}`,
  );
}

export function findExport({ workspace }: Caller, id: number | SQL): Statement<ExportRow | null> {
  return readFirstRow(sql`
    SELECT ${exportColumns} FROM ${x} CROSS JOIN ${m} ON ${m.no} = ${x.member}
    WHERE ${isShown(workspace)} AND ${x.id} = ${id}`);
}

export const newestExportId = sql`(SELECT max(${exports.id}) FROM ${exports})`;

interface ExportDraft {
  readonly hasFiles: boolean;
  readonly objectKey: string;
  readonly partBytes: number;
}

export function insertExport(
  { caller, now }: Pick<Context, 'caller' | 'now'>,
  { hasFiles, objectKey, partBytes }: ExportDraft,
): Statement<void>[] {
  return [
    write(sql`
      INSERT INTO ${nameInsertColumns(
        exports,
        'ws',
        'member',
        'status',
        'has_files',
        'object_key',
        'part_bytes',
        'position',
        'created_at',
      )}
      SELECT ${caller.workspace}, ${caller.member}, 'running', ${Number(hasFiles)}, ${objectKey}, ${partBytes},
        ${JSON.stringify(firstPosition)}, ${now}`),
    // Exports that were just deleted still take up storage, so there can be only a few of them.
    rejectUnless(
      sql`(SELECT count(*) <= ${2 * EXPORTS_MAX} AND sum(${x.status} <> 'removed') <= ${EXPORTS_MAX}
        FROM ${x} INDEXED BY exports_by_workspace WHERE ${x.ws} = ${caller.workspace})`,
      invalidRequestError(
        `A workspace can keep up to ${EXPORTS_MAX} exports. Delete one, or wait until one expires. If you have just deleted several, try again in a few minutes.`,
      ),
    ),
  ];
}

/** Concurrent requests can't both start an export, because the index allows only one running export per workspace. */
export function findRunningExport({ workspace }: Caller): Statement<{ id: number } | null> {
  return readFirstRow(sql`
    SELECT ${selectColumns({ id: x.id })} FROM ${x} INDEXED BY exports_running
    WHERE ${x.ws} = ${workspace} AND ${x.status} = 'running'`);
}

export function assertNoRunningExport({ workspace }: Caller): Statement<void> {
  return assertUnchanged(sql`
    NOT EXISTS (SELECT 1 FROM ${x} INDEXED BY exports_running WHERE ${x.ws} = ${workspace} AND ${x.status} = 'running')`);
}

/** `cleanExports` deletes the file once no run can be working on it anymore. */
export function removeExport({ workspace }: Caller, id: number): Statement<void>[] {
  return [
    write(sql`
      UPDATE ${exports} SET ${exports.status} = 'removed', ${exports.expires_at} = ${exports.leased_until},
        ${exports.version} = ${exports.version} + 1
      WHERE ${exports.ws} = ${workspace} AND ${exports.id} = ${id} AND ${exports.status} <> 'removed'`),
    assertUnchanged(sql`changes() = 1`),
  ];
}
