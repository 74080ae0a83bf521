import type { Database } from '../../kernel/sql/database.ts';
import type { ArchiveWriter } from '../archive/archive-writer.ts';
import { buildDirectoryEnd, buildDirectoryHeader } from '../archive/zip.ts';
import type { Position } from '../model/position.ts';
import { listExportTables } from '../tables/export-tables.ts';
import { buildFilePath } from '../tables/file-path.ts';
import { listStoredFiles, type StoredFile } from '../tables/file-tables.queries.ts';
import type { Lookups } from '../tables/table.ts';
import { buildManifestStart, MANIFEST_END, toManifestLine } from './manifest.ts';
import { buildReadme } from './readme.ts';
import { type ExporterRow, listEntries, type RunningExport } from './slices.queries.ts';

/** The calls that one step makes at most: it reads a page of rows, and a piece of a file. */
export const STEP_COST = 2;
const FILES_PER_PAGE = 20;
/** Small enough for several copies in memory. */
const PIECE_BYTES = 8 * 1024 ** 2;
const ENTRIES_PER_PAGE = 500;
/** A large table is split, so that every program can read its files. */
const TABLE_FILE_BYTES_MAX = 1_000_000_000;

export interface StepContext {
  readonly cell: Database;
  readonly bucket: R2Bucket;
  readonly running: RunningExport;
  readonly exporter: ExporterRow;
  readonly lookups: Lookups;
  readonly writer: ArchiveWriter;
  /** The next files to copy, which one statement reads for several steps. */
  files: StoredFile[];
}

const encoder = new TextEncoder();
const toLines = (values: readonly object[]) =>
  encoder.encode(values.map((value) => `${JSON.stringify(value)}\n`).join(''));

/** Writes a bounded part of the archive, and returns the position after it. */
export function runStep(position: Position, ctx: StepContext): Promise<Position> {
  return steps[position.step](position, ctx);
}

const steps: Record<Position['step'], (position: Position, ctx: StepContext) => Promise<Position>> = {
  readme: async (position, { writer, running, exporter }) => {
    writer.openEntry('README.md');
    writer.write(encoder.encode(buildReadme(running, exporter)), 'text');
    writer.closeEntry('file');
    return { ...position, step: 'tables' };
  },
  tables: writeTable,
  files: copyFile,
  manifest: writeManifest,
  directory: writeDirectory,
  done: async (position) => position,
};

async function writeTable(
  position: Position,
  { cell, running, writer, lookups }: StepContext,
): Promise<Position> {
  const table = listExportTables(running.person)[position.table];
  if (!table) return { ...position, step: running.has_files === 1 ? 'files' : 'manifest', after: null };
  const { ws, member, person } = running;
  const [rows] = await cell.batch([table.read({ ws, member, person, after: position.after })]);
  const open = writer.state.open;
  if (!open) writer.openEntry(toTablePath(table.name, position.tableFile));
  const last = rows.at(-1);
  if (last === undefined) {
    writer.closeEntry('table');
    return { ...position, table: position.table + 1, tableFile: 1, after: null };
  }
  const { isOwn } = table;
  const kept = person === 0 || !isOwn ? rows : rows.filter((row) => isOwn(row as never, member));
  const lines = toLines(kept.map((row) => table.show(row as never, lookups)));
  writer.write(lines, 'text', kept.length);
  const isFull = (open?.bytes ?? 0) + lines.length > TABLE_FILE_BYTES_MAX;
  if (isFull) writer.closeEntry('table');
  const written = (position.records[table.name] ?? 0) + kept.length;
  return {
    ...position,
    tableFile: position.tableFile + Number(isFull),
    after: table.key(last as never),
    records: { ...position.records, [table.name]: written },
  };
}

function toTablePath(name: string, file: number): string {
  return file === 1 ? `${name}.jsonl` : `${name}-${file}.jsonl`;
}

async function copyFile(position: Position, ctx: StepContext): Promise<Position> {
  const { cell, bucket, running, writer } = ctx;
  const { after, offset } = position;
  if (ctx.files.length === 0)
    [ctx.files] = await cell.batch([listStoredFiles(running, Number(after?.[0] ?? 0), FILES_PER_PAGE)]);
  const file = ctx.files[0];
  const open = writer.state.open;
  // The file may have been deleted after a part of it was copied.
  if (open && (!file || open.path !== buildFilePath(file))) {
    writer.closeEntry('file', 'partial');
    return { ...position, offset: 0 };
  }
  if (!file) return { ...position, step: 'manifest', after: null };
  const length = Math.min(PIECE_BYTES, file.file_size - offset);
  const bytes = await readPiece(bucket, file, offset, length);
  const next: Position = { ...position, after: [file.id], offset: 0 };
  if (!bytes) {
    if (open) writer.closeEntry('file', 'partial');
    else writer.addMissing(buildFilePath(file));
    ctx.files.shift();
    return next;
  }
  if (!open) writer.openEntry(buildFilePath(file), file.file_size);
  writer.write(bytes, 'file');
  if (offset + length < file.file_size) return { ...position, offset: offset + length };
  writer.closeEntry('file');
  ctx.files.shift();
  return { ...next, files: position.files + 1 };
}

async function readPiece(
  bucket: R2Bucket,
  { object_key, etag }: StoredFile,
  offset: number,
  length: number,
): Promise<Uint8Array | null> {
  const object = await bucket.get(object_key, {
    onlyIf: { etagMatches: etag },
    // R2 rejects an empty range.
    ...(length > 0 && { range: { offset, length } }),
  });
  return object && 'body' in object ? new Uint8Array(await object.arrayBuffer()) : null;
}

async function writeManifest(
  position: Position,
  { cell, running, exporter, writer }: StepContext,
): Promise<Position> {
  const [entries] = await cell.batch([listEntries(running, position.after, ENTRIES_PER_PAGE)]);
  if (!writer.state.open) {
    writer.openEntry('manifest.json');
    writer.write(encoder.encode(buildManifestStart(running, exporter, position)), 'text');
  }
  const last = entries.at(-1);
  if (!last) {
    writer.write(encoder.encode(MANIFEST_END), 'text');
    writer.closeEntry('file');
    return { ...position, step: 'directory', after: null };
  }
  const lines = entries.map(toManifestLine).join(',\n');
  writer.write(encoder.encode(position.after === null ? lines : `,\n${lines}`), 'text');
  return { ...position, after: [last.no] };
}

async function writeDirectory(position: Position, { cell, running, writer }: StepContext): Promise<Position> {
  const directory = position.directory ?? { start: writer.state.bytes, entries: 0 };
  const [entries] = await cell.batch([listEntries(running, position.after, ENTRIES_PER_PAGE)]);
  const last = entries.at(-1);
  if (!last) {
    writer.append(buildDirectoryEnd({ ...directory, end: writer.state.bytes }));
    return { ...position, step: 'done', directory };
  }
  const stored = entries.filter(({ state }) => state !== 'missing');
  for (const entry of stored) writer.append(buildDirectoryHeader(entry, writer.time));
  return {
    ...position,
    after: [last.no],
    directory: { ...directory, entries: directory.entries + stored.length },
  };
}
