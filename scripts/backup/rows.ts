// Statements that read and write rows of any table. Every parameter is text, because D1's HTTP API accepts nothing
// else.
import type { Database, Statement } from '../../src/kernel/sql/database.ts';
import { quoteName, type Table } from './schema.ts';
import { buildTextSql, buildValueSql, isDamaged, type TextValue } from './values.ts';

export type TextRow = readonly TextValue[];

/** A page ends at either limit, but always contains at least one row. */
const ROWS_PER_PAGE = 2_000;
const BYTES_PER_PAGE = 1_000_000;
/** Larger rows are written separately, with one parameter per column, because D1 accepts up to 2 MB per parameter. */
const BYTES_PER_INSERT_MAX = 500_000;

const qualifyColumn = (column: string) => `t.${quoteName(column)}`;

export const getKey = (table: Table, row: TextRow): TextValue[] =>
  table.key.map((column) => row[table.columns.indexOf(column)] ?? null);

export function selectTextColumns(table: Table, isHex = false): string {
  return table.columns
    .map((column, index) => `${buildTextSql(qualifyColumn(column), isHex)} AS v${index}`)
    .join(', ');
}

export function readTextRow(row: Record<string, unknown>, table: Table): TextRow {
  return table.columns.map((_, index) => row[`v${index}`] as TextValue);
}

/** Adds terms in groups of ten, because D1 limits the depth of expressions to 100. */
function buildSum(terms: readonly string[]): string {
  const groups = Array.from({ length: Math.ceil(terms.length / 10) }, (_, group) =>
    terms.slice(group * 10, group * 10 + 10).join(' + '),
  );
  return groups.map((group) => `(${group})`).join(' + ');
}

function selectPage(table: Table, after: readonly TextValue[] | null, isHex: boolean): Statement<TextRow[]> {
  const key = table.key.map(qualifyColumn);
  const own = key.map((_, index) => `own${index}`);
  const bytes = table.columns.map((column) => `coalesce(octet_length(${qualifyColumn(column)}), 0) + 2`);
  const start = after ? `WHERE (${key}) > (${key.map((_, index) => buildValueSql(`?${index + 1}`))})` : '';
  const sql = `
    WITH sizes AS (
      SELECT ${key.map((column, index) => `${column} AS own${index}`)}, ${buildSum(bytes)} AS bytes
      FROM ${quoteName(table.name)} t ${start} ORDER BY ${key} LIMIT ${ROWS_PER_PAGE}),
    sums AS (
      SELECT ${own}, sum(bytes) OVER (ORDER BY ${own} ROWS UNBOUNDED PRECEDING) - bytes AS bytes_before FROM sizes)
    SELECT ${selectTextColumns(table, isHex)} FROM sums CROSS JOIN ${quoteName(table.name)} t
      ON ${key.map((column, index) => `${column} = own${index}`).join(' AND ')}
    WHERE bytes_before < ${BYTES_PER_PAGE} ORDER BY ${key}`;
  return { sql, params: after ?? [], read: (rows) => rows.map((row) => readTextRow(row, table)) };
}

export async function* readPages(database: Database, table: Table): AsyncGenerator<readonly TextRow[]> {
  for (let after: readonly TextValue[] | null = null; ; ) {
    let [page]: readonly [TextRow[]] = await database.batch([selectPage(table, after, false)]);
    if (page.some((row) => row.some(isDamaged))) {
      [page] = await database.batch([selectPage(table, after, true)]);
    }
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = getKey(table, last);
  }
}

function createWriteStatement(sql: string, params: readonly unknown[] = []): Statement<void> {
  return { sql, params, read: () => undefined };
}

const countBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

export async function* splitIntoBatches(rows: AsyncIterable<TextRow>): AsyncGenerator<TextRow[]> {
  let part: TextRow[] = [];
  let bytes = 0;
  for await (const row of rows) {
    const size = countBytes(row);
    if (part.length > 0 && bytes + size > BYTES_PER_INSERT_MAX) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push(row);
    bytes += size;
  }
  if (part.length > 0) yield part;
}

/** Leaves out references to the same table, because the referenced rows may not exist yet. */
export function insertRows(table: Table, part: readonly TextRow[]): Statement<void> {
  const rows = part.map((row) =>
    row.map((value, index) => (table.selfReferences.includes(table.columns[index] ?? '') ? null : value)),
  );
  const into = `INSERT INTO ${quoteName(table.name)} (${table.columns.map(quoteName)})`;
  const [only] = rows;
  if (only && rows.length === 1 && countBytes(only) > BYTES_PER_INSERT_MAX) {
    // NULL is part of the SQL, because every parameter is text.
    const given = only.flatMap((value, index) => (value === null ? [] : [index]));
    const places = only.map((_, index) =>
      given.includes(index) ? buildValueSql(`?${given.indexOf(index) + 1}`) : 'NULL',
    );
    return createWriteStatement(
      `${into} VALUES (${places})`,
      given.map((index) => only[index]),
    );
  }
  const values = table.columns.map((_, index) => buildValueSql(`json_extract(d.value, '$[${index}]')`));
  return createWriteStatement(`${into} SELECT ${values} FROM json_each(?1) d`, [JSON.stringify(rows)]);
}

/** Writes the references that `insertRows` omitted. All rows must exist by then. */
export function updateSelfReferences(table: Table, part: readonly TextRow[]): Statement<void>[] {
  const own = (name: string) => `${quoteName(table.name)}.${quoteName(name)}`;
  const from = (index: number) => buildValueSql(`json_extract(d.value, '$[${index}]')`);
  const isRow = table.key.map((name, index) => `${own(name)} = ${from(index)}`).join(' AND ');
  return table.selfReferences.map((column) => {
    const at = table.columns.indexOf(column);
    const references = part.filter((row) => row[at] !== null).map((row) => [...getKey(table, row), row[at]]);
    return createWriteStatement(
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
  return createWriteStatement(`DELETE FROM ${quoteName(table.name)}`);
}

/** Reads the highest id that each table with AUTOINCREMENT has used, so that a restored table reuses no id. */
export function readSequences(): Statement<Record<string, string>> {
  return {
    sql: 'SELECT name, CAST(seq AS TEXT) AS seq FROM sqlite_sequence ORDER BY name',
    params: [],
    read: (rows) => Object.fromEntries(rows.map(({ name, seq }) => [String(name), String(seq)])),
  };
}

export function saveSequence(name: string, seq: string): Statement<void>[] {
  return [
    createWriteStatement('DELETE FROM sqlite_sequence WHERE name = ?1', [name]),
    createWriteStatement('INSERT INTO sqlite_sequence (name, seq) VALUES (?1, CAST(?2 AS INTEGER))', [
      name,
      seq,
    ]),
  ];
}
