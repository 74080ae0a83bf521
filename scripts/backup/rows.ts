// Statements that read and write rows of any table. Every parameter is a text, because D1's HTTP API accepts only texts.
import type { Database, Statement } from '../../src/kernel/sql/database.ts';
import { quoteName, type Table } from './schema.ts';
import { type Carried, carry, isDamaged, unpack } from './values.ts';

/** The values of a row, in the order of the table's columns. */
export type CarriedRow = readonly Carried[];

/** A page ends at either limit, but has at least one row. */
const ROWS_A_PAGE = 2_000;
const BYTES_A_PAGE = 1_000_000;
/** A larger row is written separately, with one parameter per column, because D1 accepts 2 MB per parameter. */
const BYTES_TOGETHER_MAX = 500_000;

const qualified = (column: string) => `t.${quoteName(column)}`;

export const keyOf = (table: Table, row: CarriedRow): Carried[] =>
  table.key.map((column) => row[table.columns.indexOf(column)] ?? null);

/** Selects the values of rows `t` for `readCarried`. */
export function carriedColumns(table: Table, isHex = false): string {
  return table.columns.map((column, index) => `${carry(qualified(column), isHex)} AS v${index}`).join(', ');
}

export function readCarried(row: Record<string, unknown>, table: Table): CarriedRow {
  return table.columns.map((_, index) => row[`v${index}`] as Carried);
}

/** Sums terms in groups of ten, because D1 limits the depth of expressions to 100. */
function sumOf(terms: readonly string[]): string {
  const groups = Array.from({ length: Math.ceil(terms.length / 10) }, (_, group) =>
    terms.slice(group * 10, group * 10 + 10).join(' + '),
  );
  return groups.map((group) => `(${group})`).join(' + ');
}

function selectPage(table: Table, after: readonly Carried[] | null, isHex: boolean): Statement<CarriedRow[]> {
  const key = table.key.map(qualified);
  const own = key.map((_, index) => `own${index}`);
  const bytes = table.columns.map((column) => `coalesce(octet_length(${qualified(column)}), 0) + 2`);
  const start = after ? `WHERE (${key}) > (${key.map((_, index) => unpack(`?${index + 1}`))})` : '';
  const sql = `
    WITH sizes AS (
      SELECT ${key.map((column, index) => `${column} AS own${index}`)}, ${sumOf(bytes)} AS bytes
      FROM ${quoteName(table.name)} t ${start} ORDER BY ${key} LIMIT ${ROWS_A_PAGE}),
    sums AS (
      SELECT ${own}, sum(bytes) OVER (ORDER BY ${own} ROWS UNBOUNDED PRECEDING) - bytes AS before FROM sizes)
    SELECT ${carriedColumns(table, isHex)} FROM sums CROSS JOIN ${quoteName(table.name)} t
      ON ${key.map((column, index) => `${column} = own${index}`).join(' AND ')}
    WHERE before < ${BYTES_A_PAGE} ORDER BY ${key}`;
  return { sql, params: after ?? [], read: (rows) => rows.map((row) => readCarried(row, table)) };
}

/** Reads all rows in the order of their key, page by page. */
export async function* readPages(database: Database, table: Table): AsyncGenerator<readonly CarriedRow[]> {
  for (let after: readonly Carried[] | null = null; ; ) {
    let [page]: readonly [CarriedRow[]] = await database.batch([selectPage(table, after, false)]);
    if (page.some((row) => row.some(isDamaged))) {
      [page] = await database.batch([selectPage(table, after, true)]);
    }
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = keyOf(table, last);
  }
}

function statement(sql: string, params: readonly unknown[] = []): Statement<void> {
  return { sql, params, read: () => undefined };
}

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/** Splits rows into parts that one statement can write. */
export async function* inParts(rows: AsyncIterable<CarriedRow>): AsyncGenerator<CarriedRow[]> {
  let part: CarriedRow[] = [];
  let bytes = 0;
  for await (const row of rows) {
    const size = bytesOf(row);
    if (part.length > 0 && bytes + size > BYTES_TOGETHER_MAX) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(row);
    bytes += size;
  }
  if (part.length > 0) yield part;
}

/** Writes a part without references to the same table, because the referenced rows may not exist yet. */
export function insertRows(table: Table, part: readonly CarriedRow[]): Statement<void> {
  const rows = part.map((row) =>
    row.map((value, index) => (table.selfReferences.includes(table.columns[index] ?? '') ? null : value)),
  );
  const into = `INSERT INTO ${quoteName(table.name)} (${table.columns.map(quoteName)})`;
  const [only] = rows;
  if (only && rows.length === 1 && bytesOf(only) > BYTES_TOGETHER_MAX) {
    // NULL is part of the SQL, because every parameter is a text.
    const given = only.flatMap((value, index) => (value === null ? [] : [index]));
    const places = only.map((_, index) =>
      given.includes(index) ? unpack(`?${given.indexOf(index) + 1}`) : 'NULL',
    );
    return statement(
      `${into} VALUES (${places})`,
      given.map((index) => only[index]),
    );
  }
  const values = table.columns.map((_, index) => unpack(`json_extract(d.value, '$[${index}]')`));
  return statement(`${into} SELECT ${values} FROM json_each(?1) d`, [JSON.stringify(rows)]);
}

/** Writes the references that `insertRows` has left out, once all rows exist. */
export function referToItself(table: Table, part: readonly CarriedRow[]): Statement<void>[] {
  const own = (name: string) => `${quoteName(table.name)}.${quoteName(name)}`;
  const from = (index: number) => unpack(`json_extract(d.value, '$[${index}]')`);
  const isRow = table.key.map((name, index) => `${own(name)} = ${from(index)}`).join(' AND ');
  return table.selfReferences.map((column) => {
    const at = table.columns.indexOf(column);
    const references = part.filter((row) => row[at] !== null).map((row) => [...keyOf(table, row), row[at]]);
    return statement(
      `UPDATE ${quoteName(table.name)} SET ${quoteName(column)} = ${from(table.key.length)}
      FROM json_each(?1) d WHERE ${isRow}`,
      [JSON.stringify(references)],
    );
  });
}

export function countRows(table: Table): Statement<number> {
  return {
    sql: `SELECT count(*) AS n FROM ${quoteName(table.name)}`,
    params: [],
    read: ([row]) => Number(row?.n),
  };
}

export function deleteRows(table: Table): Statement<void> {
  return statement(`DELETE FROM ${quoteName(table.name)}`);
}

/** Reads the highest id that each table has used, so that no id is reused. */
export function readSequences(): Statement<Record<string, string>> {
  return {
    sql: 'SELECT name, CAST(seq AS TEXT) AS seq FROM sqlite_sequence ORDER BY name',
    params: [],
    read: (rows) => Object.fromEntries(rows.map(({ name, seq }) => [String(name), String(seq)])),
  };
}

export function saveSequence(name: string, seq: string): Statement<void>[] {
  return [
    statement('DELETE FROM sqlite_sequence WHERE name = ?1', [name]),
    statement('INSERT INTO sqlite_sequence (name, seq) VALUES (?1, CAST(?2 AS INTEGER))', [name, seq]),
  ];
}
