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

/** Every row of these tables as text, sorted: equal where the tables hold the same. */
export async function rowsOf(db: D1Database, tables: readonly string[]): Promise<Map<string, string[]>> {
  const results = await db.batch(tables.map((table) => db.prepare(`SELECT * FROM ${table}`)));
  return new Map(
    results.map(({ results: rows }, index) => [
      tables[index] as string,
      rows.map((row) => JSON.stringify(row)).sort(),
    ]),
  );
}
