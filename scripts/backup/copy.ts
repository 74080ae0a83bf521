import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../src/kernel/sql/database.ts';
import {
  buildTablePath,
  type DatabaseRecord,
  parseRow,
  readLines,
  serializeRow,
  type TableRecord,
  TableWriter,
} from './files.ts';
import { beginJournal, type ChangedRows, endJournal, formatKey, readMissedChanges } from './journal.ts';
import { readPages, readSequences } from './rows.ts';
import type { Schema, Table } from './schema.ts';

export interface BackupSource {
  readonly binding: string;
  readonly database: Database;
  readonly schema: Schema;
  /** True if every read sees the same state, so no journal is needed. */
  readonly isSnapshot: boolean;
}

/**
 * Writes one file per table. Rows of a live database that change during the copy are read again, so that all files show
 * the database at the same point in time.
 */
export async function copyDatabase(source: BackupSource, folder: string): Promise<DatabaseRecord> {
  const { binding, database, schema, isSnapshot } = source;
  mkdirSync(join(folder, binding), { recursive: true, mode: 0o700 });
  if (isSnapshot) return copySnapshot(source, folder);
  await beginJournal(database, schema);
  try {
    const copied = new Map<Table, TableRecord>();
    for (const table of schema.tables) copied.set(table, await copyTable(source, folder, table));
    const { changes, sequences } = await readMissedChanges(database, schema);
    const takenAt = new Date().toISOString();
    const tables: TableRecord[] = [];
    for (const [table, record] of copied) {
      const changed = changes.get(table) ?? new Map();
      tables.push(
        changed.size === 0
          ? record
          : await rewriteTable(buildTablePath(folder, binding, table.name), table, changed),
      );
    }
    return { binding, migrations: schema.migrations, takenAt, tables, sequences };
  } finally {
    await endJournal(database, schema);
  }
}

async function copySnapshot(source: BackupSource, folder: string): Promise<DatabaseRecord> {
  const { binding, database, schema } = source;
  const hasSequences = schema.tables.some((table) => table.hasSequence);
  const [sequences] = hasSequences ? await database.batch([readSequences()]) : [{}];
  const takenAt = new Date().toISOString();
  const tables: TableRecord[] = [];
  for (const table of schema.tables) tables.push(await copyTable(source, folder, table));
  return { binding, migrations: schema.migrations, takenAt, tables, sequences };
}

async function copyTable(
  { binding, database }: BackupSource,
  folder: string,
  table: Table,
): Promise<TableRecord> {
  const writer = new TableWriter(buildTablePath(folder, binding, table.name));
  for await (const page of readPages(database, table)) writer.write(page.map(serializeRow));
  return writer.close(table.name, table.columns);
}

async function rewriteTable(path: string, table: Table, changed: ChangedRows): Promise<TableRecord> {
  const writer = new TableWriter(`${path}.new`);
  for await (const line of readLines(path)) {
    if (!changed.has(formatKey(table, parseRow(line)))) writer.write([line]);
  }
  for (const row of changed.values()) if (row) writer.write([serializeRow(row)]);
  renameSync(`${path}.new`, path);
  return writer.close(table.name, table.columns);
}
