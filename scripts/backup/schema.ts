// Reads a database's tables by running its migrations on an empty database in memory.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { root } from '../databases.ts';

export interface Table {
  readonly name: string;
  /** The stored columns. Includes `rowid` if no other column identifies a row. */
  readonly columns: readonly string[];
  /** The columns that identify a row. Rows are read in this order. */
  readonly key: readonly string[];
  readonly selfReferences: readonly string[];
  /** The number of rows that the migrations write. */
  readonly seeded: number;
  readonly hasSequence: boolean;
}

export interface Schema {
  /** Sorted so that each table comes after the tables it refers to. */
  readonly tables: readonly Table[];
  readonly triggers: readonly { name: string; sql: string }[];
  readonly migrations: Readonly<Record<string, string>>;
}

type Row = Record<string, string | number | null>;

export const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** `folder` is relative to the project root. */
export function readSchema(folder: string): Schema {
  const database = new DatabaseSync(':memory:');
  const migrations: Record<string, string> = {};
  for (const name of readdirSync(join(root, folder)).sort()) {
    const text = readFileSync(join(root, folder, name), 'utf8');
    database.exec(text);
    migrations[name] = createHash('sha256').update(text).digest('hex');
  }
  const all = (sql: string) => database.prepare(sql).all() as Row[];
  // Leaves out virtual tables and their shadow tables, which are rebuilt after a restore.
  const names = all(
    `SELECT l.name, m.sql FROM pragma_table_list l JOIN sqlite_master m ON m.name = l.name AND m.type = 'table'
    WHERE l.schema = 'main' AND l.type = 'table' AND l.name NOT GLOB 'sqlite_*' ORDER BY l.name`,
  );
  const described = names.map(({ name, sql }) => describeTable(all, String(name), String(sql)));
  const triggers = all(`SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name`).map(
    ({ name, sql }) => ({ name: String(name), sql: String(sql) }),
  );
  database.close();
  return { tables: sortParentsFirst(described), triggers, migrations };
}

interface DescribedTable {
  table: Table;
  parents: string[];
}

function describeTable(all: (sql: string) => Row[], name: string, sql: string): DescribedTable {
  const columns = all(`PRAGMA table_xinfo(${quoteName(name)})`);
  const references = all(`PRAGMA foreign_key_list(${quoteName(name)})`);
  const primary = columns.filter(({ pk }) => pk !== 0).sort((a, b) => Number(a.pk) - Number(b.pk));
  const isRowid = primary.length === 1 && /^INTEGER$/i.test(String(primary[0]?.type));
  const isKnown = isRowid || /\bWITHOUT\s+ROWID\b/i.test(sql);
  const stored = columns.filter(({ hidden }) => hidden === 0).map((column) => String(column.name));
  return {
    table: {
      name,
      columns: isKnown ? stored : ['rowid', ...stored],
      key: isKnown ? primary.map((column) => String(column.name)) : ['rowid'],
      selfReferences: references.filter((each) => each.table === name).map(({ from }) => String(from)),
      seeded: Number(all(`SELECT count(*) AS n FROM ${quoteName(name)}`)[0]?.n),
      hasSequence: /\bAUTOINCREMENT\b/i.test(sql),
    },
    parents: references.map((each) => String(each.table)).filter((parent) => parent !== name),
  };
}

function sortParentsFirst(described: readonly DescribedTable[]): Table[] {
  const sorted: Table[] = [];
  let waiting = [...described];
  while (waiting.length > 0) {
    const done = new Set(sorted.map(({ name }) => name));
    const ready = waiting.filter(({ parents }) => parents.every((parent) => done.has(parent)));
    if (ready.length === 0) {
      throw new Error(`Tables have circular references: ${waiting.map(({ table }) => table.name)}`);
    }
    sorted.push(...ready.map(({ table }) => table));
    waiting = waiting.filter((each) => !ready.includes(each));
  }
  return sorted;
}
