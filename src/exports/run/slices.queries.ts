import type { SortKey } from '../../kernel/lists/pagination.ts';
import { assertUnchanged, readRows, type Statement, write } from '../../kernel/sql/database.ts';
import {
  aliasTable,
  nameInsertColumns,
  type Row,
  type SQL,
  selectColumns,
  sql,
} from '../../kernel/sql/sql.ts';
import { customFields } from '../../schema/cell/custom-fields.ts';
import { exportEntries, exportParts, exports } from '../../schema/cell/exports.ts';
import { activeMembers, members, workspaces } from '../../schema/cell/workspaces.ts';
import { isLimitedReader } from '../../tasks/visibility/project-visibility.queries.ts';
import type { WrittenEntry } from '../archive/archive-writer.ts';
import { EXPORT_LIFETIME_MS } from '../model/exports.schema.ts';

const a = aliasTable(activeMembers, 'a');
const f = aliasTable(customFields, 'f');
const m = aliasTable(members, 'm');
const n = aliasTable(exportEntries, 'n');
const p = aliasTable(exportParts, 'p');
const w = aliasTable(workspaces, 'w');
const x = aliasTable(exports, 'x');

export function hasDueExports({ now }: { now: number }): SQL {
  return sql`EXISTS (
    SELECT 1 FROM ${x} INDEXED BY exports_due WHERE ${x.status} = 'running' AND ${x.leased_until} <= ${now})`;
}

const idColumns = selectColumns({ id: x.id, ws: x.ws });

export function listDueExports(now: number, limit: number): Statement<{ id: number; ws: number }[]> {
  return readRows(sql`
    SELECT ${idColumns} FROM ${x} INDEXED BY exports_due
    WHERE ${x.status} = 'running' AND ${x.leased_until} <= ${now} ORDER BY ${x.leased_until}, ${x.id} LIMIT ${limit}`);
}

const runningColumns = selectColumns({
  id: exports.id,
  ws: exports.ws,
  member: exports.member,
  person: exports.person,
  has_files: exports.has_files,
  object_key: exports.object_key,
  upload_id: exports.upload_id,
  part_bytes: exports.part_bytes,
  position: exports.position,
  version: exports.version,
  failures: exports.failures,
  created_at: exports.created_at,
});
export type RunningExport = Row<typeof runningColumns>;

/** Returns no row if another run has the export. Counts the run as failed until it has stored a slice. */
export function claimExport(
  { id, ws }: { id: number; ws: number },
  now: number,
  leasedUntil: number,
): Statement<RunningExport[]> {
  return readRows(sql`
    UPDATE ${exports} SET ${exports.leased_until} = ${leasedUntil}, ${exports.failures} = ${exports.failures} + 1,
      ${exports.version} = ${exports.version} + 1
    WHERE ${exports.ws} = ${ws} AND ${exports.id} = ${id} AND ${exports.status} = 'running'
      AND ${exports.leased_until} <= ${now}
    RETURNING ${runningColumns}`);
}

type Claim = Pick<RunningExport, 'id' | 'ws' | 'member' | 'person' | 'version'>;

/** Aborts the batch if the export was deleted or continued by another run, or if the person may no longer export. */
export function assertExportClaimed({ id, ws, member, person, version }: Claim): Statement<void> {
  const mayExport = person === 0 ? sql`NOT ${isLimitedReader(a, 'exportWorkspace')}` : sql`true`;
  return assertUnchanged(sql`
    EXISTS (SELECT 1 FROM ${x} WHERE ${x.ws} = ${ws} AND ${x.id} = ${id} AND ${x.status} = 'running'
      AND ${x.version} = ${version})
    AND EXISTS (SELECT 1 FROM ${a} WHERE ${a.no} = ${member} AND ${a.ws} = ${ws} AND ${mayExport})`);
}

export function saveUpload({ id, ws }: Claim, uploadId: string): Statement<void> {
  return write(sql`
    UPDATE ${exports} SET ${exports.upload_id} = ${uploadId} WHERE ${exports.ws} = ${ws} AND ${exports.id} = ${id}`);
}

/** Lets another run continue the export immediately. */
export function releaseExport({ id, ws, version }: Claim): Statement<void> {
  return write(sql`
    UPDATE ${exports} SET ${exports.leased_until} = 0
    WHERE ${exports.ws} = ${ws} AND ${exports.id} = ${id} AND ${exports.version} = ${version}`);
}

export interface SavedSlice {
  readonly position: string;
  readonly bytes: number;
  readonly entries: readonly WrittenEntry[];
  readonly parts: readonly R2UploadedPart[];
}

export function saveSlice(
  { id, ws }: Claim,
  { position, bytes, entries, parts }: SavedSlice,
): Statement<void>[] {
  return [
    write(sql`
      UPDATE ${exports} SET ${exports.position} = ${position}, ${exports.bytes} = ${bytes}, ${exports.failures} = 0,
        ${exports.version} = ${exports.version} + 1
      WHERE ${exports.ws} = ${ws} AND ${exports.id} = ${id}`),
    ...(entries.length === 0
      ? []
      : [
          write(sql`
            INSERT INTO ${nameInsertColumns(
              exportEntries,
              'ws',
              'export',
              'no',
              'path',
              'state',
              'records',
              'bytes',
              'packed_bytes',
              'crc',
              'sha256',
              'start',
            )}
            SELECT ${ws}, ${id}, e.value ->> 'no', e.value ->> 'path', e.value ->> 'state', e.value ->> 'records',
              e.value ->> 'bytes', e.value ->> 'packed_bytes', e.value ->> 'crc', e.value ->> 'sha256',
              e.value ->> 'start'
            FROM json_each(${JSON.stringify(entries)}) e`),
        ]),
    ...(parts.length === 0
      ? []
      : [
          write(sql`
            INSERT INTO ${nameInsertColumns(exportParts, 'ws', 'export', 'no', 'etag')}
            SELECT ${ws}, ${id}, e.value ->> 'partNumber', e.value ->> 'etag'
            FROM json_each(${JSON.stringify(parts)}) e`),
        ]),
  ];
}

export function completeExport(
  { id, ws }: Claim,
  { etag, bytes }: { etag: string; bytes: number },
  now: number,
): Statement<void> {
  return write(sql`
    UPDATE ${exports} SET ${exports.status} = 'completed', ${exports.etag} = ${etag}, ${exports.bytes} = ${bytes},
      ${exports.upload_id} = NULL, ${exports.finished_at} = ${now}, ${exports.expires_at} = ${now + EXPORT_LIFETIME_MS},
      ${exports.version} = ${exports.version} + 1
    WHERE ${exports.ws} = ${ws} AND ${exports.id} = ${id}`);
}

export function failExport(
  { id, ws }: Pick<Claim, 'id' | 'ws'>,
  problem: string,
  now: number,
): Statement<void> {
  return write(sql`
    UPDATE ${exports} SET ${exports.status} = 'failed', ${exports.problem} = ${problem},
      ${exports.finished_at} = ${now}, ${exports.expires_at} = ${now + EXPORT_LIFETIME_MS},
      ${exports.version} = ${exports.version} + 1
    WHERE ${exports.ws} = ${ws} AND ${exports.id} = ${id} AND ${exports.status} = 'running'`);
}

const personColumns = selectColumns({ no: m.no, user_id: m.user_id });

export function listPeopleNumbers(ws: number): Statement<Row<typeof personColumns>[]> {
  return readRows(
    sql`SELECT ${personColumns} FROM ${m} INDEXED BY members_by_workspace WHERE ${m.ws} = ${ws}`,
  );
}

const fieldColumns = selectColumns({ id: f.id });

export function listFieldIds(ws: number): Statement<{ id: number }[]> {
  return readRows(sql`
    SELECT ${fieldColumns} FROM ${f} INDEXED BY custom_fields_by_workspace
    WHERE ${f.ws} = ${ws} AND ${f.deleted_at} IS NULL`);
}

const accessColumns = selectColumns({ role: a.role, workspace_id: w.id, workspace_name: w.name });
export type ExporterRow = Row<typeof accessColumns>;

/** Returns no row if the person has left the workspace. */
export function findExporter({ ws, member }: Pick<Claim, 'ws' | 'member'>): Statement<ExporterRow[]> {
  return readRows(sql`
    SELECT ${accessColumns} FROM ${a} CROSS JOIN ${w} ON ${w.no} = ${a.ws} WHERE ${a.no} = ${member} AND ${a.ws} = ${ws}`);
}

const entryColumns = selectColumns({
  no: n.no,
  path: n.path,
  state: n.state,
  records: n.records,
  bytes: n.bytes,
  packed_bytes: n.packed_bytes,
  crc: n.crc,
  sha256: n.sha256,
  start: n.start,
});
export type EntryRow = Row<typeof entryColumns>;

export function listEntries(
  { id, ws }: Pick<Claim, 'id' | 'ws'>,
  after: SortKey | null,
  limit: number,
): Statement<EntryRow[]> {
  return readRows(sql`
    SELECT ${entryColumns} FROM ${n}
    WHERE ${n.ws} = ${ws} AND ${n.export} = ${id} AND ${n.no} > ${after?.[0] ?? -1} ORDER BY ${n.no} LIMIT ${limit}`);
}

const partColumns = selectColumns({ partNumber: p.no, etag: p.etag });

export function listParts({ id, ws }: Pick<Claim, 'id' | 'ws'>): Statement<R2UploadedPart[]> {
  return readRows(sql`
    SELECT ${partColumns} FROM ${p} WHERE ${p.ws} = ${ws} AND ${p.export} = ${id} ORDER BY ${p.no}`);
}
