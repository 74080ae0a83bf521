/** What sqlite, D1 and the migrations keep for themselves. */
const INTERNAL = /^(sqlite_|_cf_|d1_migrations$)/;

/**
 * Every table that holds rows, as the database itself names them. A virtual table is left out: what it stores lies in
 * its shadow tables, which are listed.
 */
export async function tablesOf(db: D1Database): Promise<string[]> {
  const { results } = await db
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name",
    )
    .all<{ name: string }>();
  return results.map(({ name }) => name).filter((name) => !INTERNAL.test(name));
}

/** The columns of a table that can be written; computed ones are not among them. */
export async function columnsOf(db: D1Database, table: string): Promise<{ name: string; pk: number }[]> {
  const { results } = await db.prepare(`PRAGMA table_info(${table})`).all<{ name: string; pk: number }>();
  return results;
}

const columnNames = new WeakMap<D1Database, Map<string, readonly string[]>>();

/** As `columnsOf`, asked once a table. */
async function namesOf(db: D1Database, table: string): Promise<readonly string[]> {
  const known = columnNames.get(db) ?? new Map<string, readonly string[]>();
  columnNames.set(db, known);
  const names = known.get(table) ?? (await columnsOf(db, table)).map(({ name }) => name);
  known.set(table, names);
  return names;
}

/**
 * Every row of these tables as text, sorted: equal where the tables hold the same. The database writes the texts, which
 * takes a fraction of the time of reading each value by itself.
 */
export async function rowsOf(db: D1Database, tables: readonly string[]): Promise<Map<string, string[]>> {
  return textsOf(db, tables, (names) => joined(names.map((name) => `'${name}=' || quote(${name})`)));
}

/** Every row of a table as a JSON object. */
export async function jsonRowsOf(db: D1Database, table: string): Promise<string[]> {
  const toText = (names: readonly string[]) =>
    `'{' || ${joined(names.map((name) => `'"${name}": ' || json_quote(${name})`))} || '}'`;
  return (await textsOf(db, [table], toText)).get(table) ?? [];
}

/** One expression of many, as flat as it can be: D1 allows a depth of 100. */
function joined(expressions: readonly string[]): string {
  if (expressions.length === 1) return `(${expressions[0]})`;
  const half = expressions.length >> 1;
  return `(${joined(expressions.slice(0, half))} || ', ' || ${joined(expressions.slice(half))})`;
}

async function textsOf(
  db: D1Database,
  tables: readonly string[],
  toText: (names: readonly string[]) => string,
): Promise<Map<string, string[]>> {
  const statements = await Promise.all(
    tables.map(async (table) =>
      db.prepare(`SELECT ${toText(await namesOf(db, table))} AS text FROM ${table}`),
    ),
  );
  const results = await db.batch<{ text: string }>(statements);
  return new Map(
    results.map(({ results: rows }, index) => [tables[index] as string, rows.map(({ text }) => text).sort()]),
  );
}
