// Fills an empty, migrated database from a backup's files, and then compares the rows.
import type { Database, Statement } from '../../src/kernel/sql/database.ts';
import {
  buildTablePath,
  type DatabaseRecord,
  parseRow,
  RowChecksum,
  readLines,
  serializeRow,
  type TableRecord,
  verifyChecksum,
} from './files.ts';
import {
  countRows,
  deleteRows,
  insertRows,
  readPages,
  saveSequence,
  splitIntoBatches,
  type TextRow,
  updateSelfReferences,
} from './rows.ts';
import { quoteName, type Schema, type Table } from './schema.ts';

const createWriteStatement = (sql: string): Statement<void> => ({ sql, params: [], read: () => undefined });

/** Throws if the files don't match the schema or have changed. Doesn't change the database. */
export async function checkBackup(folder: string, record: DatabaseRecord, schema: Schema): Promise<void> {
  const { binding, migrations } = record;
  if (JSON.stringify(migrations) !== JSON.stringify(schema.migrations)) {
    throw new Error(
      `The backup of ${binding} was created with other migrations (${Object.keys(migrations)}) than this version has ` +
        `(${Object.keys(schema.migrations)}, by checksum). Restore it with the version that created it, then deploy this version.`,
    );
  }
  for (const table of schema.tables) {
    const found = getTableRecord(record, table);
    if (JSON.stringify(found.columns) !== JSON.stringify(table.columns)) {
      throw new Error(`The backup of ${binding} has other columns in ${table.name}: ${found.columns}`);
    }
    await verifyChecksum(buildTablePath(folder, binding, table.name), found);
  }
}

export async function requireNoRows(binding: string, database: Database, { tables }: Schema): Promise<void> {
  const counts = await database.batch(tables.map(countRows));
  const full = tables.filter((table, index) => counts[index] !== table.seeded).map(({ name }) => name);
  if (full.length === 0) return;
  throw new Error(
    `${binding} is not empty: ${full.join(', ')}. A restore never overwrites data; use a new database (docs/operations.md).`,
  );
}

/** Writes all rows without triggers, because the backup already contains the rows that triggers would write. */
export async function loadDatabase(
  folder: string,
  record: DatabaseRecord,
  { database, schema }: { database: Database; schema: Schema },
): Promise<void> {
  const { tables, triggers } = schema;
  await database.batch([
    ...triggers.map(({ name }) => createWriteStatement(`DROP TRIGGER IF EXISTS ${quoteName(name)}`)),
    ...tables
      .filter(({ seeded }) => seeded > 0)
      .toReversed()
      .map(deleteRows),
  ]);
  for (const table of tables) {
    const path = buildTablePath(folder, record.binding, table.name);
    for await (const part of splitIntoBatches(readRows(path)))
      await database.batch([insertRows(table, part)]);
    if (table.selfReferences.length === 0) continue;
    for await (const part of splitIntoBatches(readRows(path)))
      await database.batch(updateSelfReferences(table, part));
  }
  await database.batch([
    ...Object.entries(record.sequences)
      .filter(([name]) => tables.some((table) => table.name === name))
      .flatMap(([name, seq]) => saveSequence(name, seq)),
    ...triggers.map(({ sql }) => createWriteStatement(sql)),
  ]);
}

async function* readRows(path: string): AsyncGenerator<TextRow> {
  for await (const line of readLines(path)) yield parseRow(line);
}

export async function compareDatabase(
  record: DatabaseRecord,
  { database, schema }: { database: Database; schema: Schema },
): Promise<string[]> {
  const wrong: string[] = [];
  for (const table of schema.tables) {
    const tally = new RowChecksum();
    for await (const page of readPages(database, table)) for (const row of page) tally.add(serializeRow(row));
    const { rows, content } = getTableRecord(record, table);
    if (tally.rows !== rows || tally.content !== content) {
      wrong.push(`${record.binding} ${table.name}: ${tally.rows} of ${rows} rows, or different values`);
    }
  }
  return wrong;
}

function getTableRecord({ binding, tables }: DatabaseRecord, table: Table): TableRecord {
  const found = tables.find(({ name }) => name === table.name);
  if (!found) throw new Error(`The backup of ${binding} has no table ${table.name}.`);
  return found;
}
