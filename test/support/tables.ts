const INTERNAL_TABLE = /^(sqlite_|_cf_|d1_migrations$)/;

/** Omits virtual tables, because other tables in the list store their rows. */
export async function listTables(db: D1Database): Promise<string[]> {
  const { results } = await db
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name",
    )
    .all<{ name: string }>();
  return results.map(({ name }) => name).filter((name) => !INTERNAL_TABLE.test(name));
}

/** Omits generated columns. */
export async function listColumns(db: D1Database, table: string): Promise<{ name: string; pk: number }[]> {
  const { results } = await db.prepare(`PRAGMA table_info(${table})`).all<{ name: string; pk: number }>();
  return results;
}

const columnNames = new WeakMap<D1Database, Map<string, readonly string[]>>();

async function listColumnNames(db: D1Database, table: string): Promise<readonly string[]> {
  const known = columnNames.get(db) ?? new Map<string, readonly string[]>();
  columnNames.set(db, known);
  const names = known.get(table) ?? (await listColumns(db, table)).map(({ name }) => name);
  known.set(table, names);
  return names;
}

/**
 * Returns the rows of these tables as sorted strings, so that equal tables have equal results. The database builds the
 * strings, which is much faster than reading each value.
 */
export async function readRows(db: D1Database, tables: readonly string[]): Promise<Map<string, string[]>> {
  return readRowTexts(db, tables, (names) =>
    joinExpressions(names.map((name) => `'${name}=' || quote(${name})`)),
  );
}

export async function readJsonRows(db: D1Database, table: string): Promise<string[]> {
  const toText = (names: readonly string[]) =>
    `'{' || ${joinExpressions(names.map((name) => `'"${name}": ' || json_quote(${name})`))} || '}'`;
  return (await readRowTexts(db, [table], toText)).get(table) ?? [];
}

/** Combines the expressions as a balanced tree, because D1 limits the depth of an expression to 100. */
function joinExpressions(expressions: readonly string[]): string {
  if (expressions.length === 1) return `(${expressions[0]})`;
  const half = expressions.length >> 1;
  return `(${joinExpressions(expressions.slice(0, half))} || ', ' || ${joinExpressions(expressions.slice(half))})`;
}

async function readRowTexts(
  db: D1Database,
  tables: readonly string[],
  toText: (names: readonly string[]) => string,
): Promise<Map<string, string[]>> {
  const statements = await Promise.all(
    tables.map(async (table) =>
      db.prepare(`SELECT ${toText(await listColumnNames(db, table))} AS text FROM ${table}`),
    ),
  );
  const results = await db.batch<{ text: string }>(statements);
  return new Map(
    results.map(({ results: rows }, index) => [tables[index] as string, rows.map(({ text }) => text).sort()]),
  );
}
