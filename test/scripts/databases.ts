import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readSchema, type Schema } from '../../scripts/backup/schema.ts';
import { getDatabaseFile, readDatabases } from '../../scripts/databases.ts';
import type { Database, Statement } from '../../src/kernel/sql/database.ts';

type Row = Record<string, unknown>;

const schemas = new Map(readDatabases().map(({ binding, migrations }) => [binding, readSchema(migrations)]));

export function getSchema(binding: string): Schema {
  const schema = schemas.get(binding);
  assert(schema, `There is no database ${binding}`);
  return schema;
}

export function getFirstCell({ cells }: { cells: ReadonlyMap<number, Database> }): Database {
  const cell = cells.get(0);
  assert(cell, 'There is no cell 0');
  return cell;
}

export function createRawStatement({
  sql,
  params = [],
}: {
  sql: string;
  params?: readonly unknown[];
}): Statement<Row[]> {
  return { sql, params, read: (rows) => rows };
}

export function toBinding(database: Database) {
  return {
    prepare: (sql: string) => ({ bind: (...params: unknown[]) => createRawStatement({ sql, params }) }),
    batch: async (statements: readonly Statement<Row[]>[]) =>
      (await database.batch(statements)).map((results) => ({ results, meta: {} })),
  };
}

/** Reads all rows of all tables except D1's own, including the sequences of ids, without using the code under test. */
export function readContents(state: string): Record<string, unknown[]> {
  const contents: Record<string, unknown[]> = {};
  for (const { binding, id } of readDatabases()) {
    const file = new DatabaseSync(getDatabaseFile(join(state, 'v3'), id), { readOnly: true });
    const tables = file
      .prepare(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT GLOB '_cf_*'",
      )
      .all()
      .map(({ name }) => String(name))
      .filter((name) => !['d1_migrations', 'sqlite_schema'].includes(name));
    for (const table of tables) {
      const columns = file.prepare(`SELECT name FROM pragma_table_xinfo('${table}')`).all();
      const typed = columns.map(({ name }) => `typeof("${name}") || ' ' || hex(CAST("${name}" AS BLOB))`);
      const rows = file.prepare(`SELECT concat_ws(',', ${typed}) AS row FROM "${table}"`).all();
      contents[`${binding} ${table}`] = rows.map(({ row }) => row).sort();
    }
    file.close();
  }
  return contents;
}
