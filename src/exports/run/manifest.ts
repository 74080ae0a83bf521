import { toTimestamp } from '../../kernel/operation/schema.ts';
import type { Position } from '../model/position.ts';
import { listExportTables } from '../tables/export-tables.ts';
import type { EntryRow, ExporterRow, RunningExport } from './slices.queries.ts';

export const FORMAT = 'edgework-export';
/** Changes when a reader of an earlier version would misread the archive. */
export const FORMAT_VERSION = 1;

export function buildManifestStart(
  { person, created_at, has_files }: RunningExport,
  { workspace_id, workspace_name }: ExporterRow,
  { records }: Position,
): string {
  const counts = listExportTables(person).map(({ name }) => [name, records[name] ?? 0]);
  const start = {
    format: FORMAT,
    formatVersion: FORMAT_VERSION,
    contents: person === 0 ? 'workspace' : 'own',
    workspace: { id: workspace_id, name: workspace_name },
    startedAt: toTimestamp(created_at),
    includesFiles: has_files === 1,
    records: Object.fromEntries(counts),
  };
  return `${JSON.stringify(start, null, 2).slice(0, -2)},\n  "files": [\n`;
}

export const MANIFEST_END = '\n  ]\n}\n';

/** One line per file, so that the manifest can be read with line-based tools too. */
export function toManifestLine({ path, state, records, bytes, sha256 }: EntryRow): string {
  return `    ${JSON.stringify({
    path,
    status: state,
    bytes,
    sha256: state === 'missing' ? null : sha256,
    ...(records !== null && { records }),
  })}`;
}
