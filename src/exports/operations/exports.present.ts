import { toTimestamp } from '../../kernel/operation/schema.ts';
import type { ExportRow } from '../model/exports.queries.ts';
import type { Position } from '../model/position.ts';
import { listExportTables } from '../tables/export-tables.ts';

export function toListedExport(row: ExportRow) {
  const { id, problem, bytes } = row;
  return {
    id,
    // Removed exports are never read.
    status: row.status as Exclude<ExportRow['status'], 'removed'>,
    contents: row.person === 0 ? ('workspace' as const) : ('own' as const),
    includesFiles: row.has_files === 1,
    progress: toProgress(row, JSON.parse(row.position)),
    ...{ bytes, problem },
    createdBy: { id: row.author_id, name: row.author_name, email: row.author_email },
    createdAt: toTimestamp(row.created_at),
    finishedAt: row.finished_at === null ? null : toTimestamp(row.finished_at),
    expiresAt: row.expires_at === null ? null : toTimestamp(row.expires_at),
  };
}

/** The tables are steps, and so are the README, the files, the manifest and the directory of the archive. */
function toProgress({ person }: ExportRow, { step, table, records, files }: Position) {
  const exportTables = listExportTables(person);
  const tables = exportTables.length;
  const stepsDone = {
    readme: 0,
    tables: 1 + table,
    files: 1 + tables,
    manifest: 2 + tables,
    directory: 3 + tables,
  };
  return {
    step: step === 'tables' ? (exportTables[table]?.name ?? 'files') : step,
    stepsDone: step === 'done' ? 4 + tables : stepsDone[step],
    stepsTotal: 4 + tables,
    records: Object.values(records).reduce((sum, count) => sum + count, 0),
    files,
  };
}
