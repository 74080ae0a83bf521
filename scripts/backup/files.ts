// A backup is a folder with one file per table, one line per row, and a manifest that is written last.
import { createHash } from 'node:crypto';
import { closeSync, createReadStream, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { TextRow } from './rows.ts';
import { type FileValue, toFileValue, toTextValue } from './values.ts';

export const BACKUP_FORMAT = 'edgework-backup-1';
const MANIFEST_FILE = 'manifest.json';
/** Backups contain personal data, and hashes of passwords and keys. */
const OWNER_ONLY_MODE = 0o600;
const DIGEST_RANGE = 2n ** 256n;
const LINE_END_BYTE = 0x0a;

export interface TableRecord {
  name: string;
  columns: readonly string[];
  rows: number;
  sha256: string;
  /** The sum of the checksums of all lines, which doesn't depend on their order. */
  content: string;
}

export interface DatabaseRecord {
  binding: string;
  migrations: Readonly<Record<string, string>>;
  takenAt: string;
  tables: TableRecord[];
  sequences: Readonly<Record<string, string>>;
}

export interface Manifest {
  format: string;
  databases: DatabaseRecord[];
}

export class RowChecksum {
  rows = 0;
  #content = 0n;

  add(line: string) {
    this.rows += 1;
    const digest = createHash('sha256').update(line).digest('hex');
    this.#content = (this.#content + BigInt(`0x${digest}`)) % DIGEST_RANGE;
  }

  get content(): string {
    return this.#content.toString(16).padStart(64, '0');
  }
}

export function serializeRow(row: TextRow): string {
  return JSON.stringify(row.map(toFileValue));
}

export function parseRow(line: string): TextRow {
  return (JSON.parse(line) as FileValue[]).map(toTextValue);
}

export const buildTablePath = (folder: string, binding: string, table: string) =>
  join(folder, binding, `${table}.jsonl`);

export class TableWriter {
  readonly #file: number;
  readonly #hash = createHash('sha256');
  readonly #tally = new RowChecksum();

  constructor(path: string) {
    this.#file = openSync(path, 'w', OWNER_ONLY_MODE);
  }

  write(lines: readonly string[]) {
    if (lines.length === 0) return;
    for (const line of lines) this.#tally.add(line);
    const bytes = Buffer.from(`${lines.join('\n')}\n`, 'utf8');
    this.#hash.update(bytes);
    for (let written = 0; written < bytes.length; ) written += writeSync(this.#file, bytes, written);
  }

  close(name: string, columns: readonly string[]): TableRecord {
    closeSync(this.#file);
    const { rows, content } = this.#tally;
    return { name, columns, rows, sha256: this.#hash.digest('hex'), content };
  }
}

/** Reads the lines of a file. `readline` would also split lines at U+2028, which JSON doesn't escape. */
export async function* readLines(path: string): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_END_BYTE); end >= 0; end = chunk.indexOf(LINE_END_BYTE, from)) {
      yield Buffer.concat([...rest, chunk.subarray(from, end)]).toString('utf8');
      rest = [];
      from = end + 1;
    }
    rest.push(chunk.subarray(from));
  }
}

export async function verifyChecksum(path: string, { name, sha256, rows }: TableRecord): Promise<void> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) hash.update(chunk);
  if (hash.digest('hex') !== sha256) {
    throw new Error(`${path} has changed since the backup (${name}, ${rows} rows): its checksum differs.`);
  }
}

export function writeManifest(folder: string, manifest: Manifest): void {
  const file = openSync(join(folder, MANIFEST_FILE), 'w', OWNER_ONLY_MODE);
  writeSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
  closeSync(file);
}

export function readManifest(folder: string): Manifest {
  let manifest: Manifest;
  try {
    manifest = JSON.parse(readFileSync(join(folder, MANIFEST_FILE), 'utf8'));
  } catch (error) {
    throw new Error(
      `${folder} is not a complete backup: ${MANIFEST_FILE}, which is written last, can't be read.`,
      {
        cause: error,
      },
    );
  }
  if (manifest.format !== BACKUP_FORMAT) {
    throw new Error(`${folder} has the format ${manifest.format}; this version reads ${BACKUP_FORMAT}.`);
  }
  return manifest;
}
