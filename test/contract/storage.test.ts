/// <reference types="vite/client" />
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { describe, expect, it } from 'vitest';
import { env } from '../support/env.ts';
import { meterDatabase, takeViolations } from '../support/metered-d1.ts';

const modules = import.meta.glob('../../src/**/*.sql.ts', { eager: true }) as Record<
  string,
  Record<string, unknown>
>;
const tables = Object.entries(modules).flatMap(([path, exported]) =>
  Object.values(exported)
    .filter((value) => value instanceof SQLiteTable)
    .map((table) => [`${getTableConfig(table).name} in ${path.replace('../../', '')}`, table] as const),
);

interface Column {
  name: string;
  type: string;
  notnull: number;
  pk: number;
}

/** `workspaces` stands in both kinds of database, with different columns. */
async function columnsOf(database: D1Database, table: string): Promise<Column[]> {
  const { results } = await database
    .prepare(`SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?)`)
    .bind(table)
    .all<Column>();
  return results;
}

const shapeOf = (columns: Column[]) =>
  columns
    .map(
      ({ name, type, notnull, pk }) =>
        `${name} ${type.toUpperCase() || 'ANY'}${notnull || pk ? ' NOT NULL' : ''}`,
    )
    .sort();

describe('the tables that the code knows', () => {
  it.each(tables)('%s have the columns of the migrated database', async (_name, table) => {
    const { name, columns, primaryKeys } = getTableConfig(table);
    const keyed = new Set(primaryKeys.flatMap((key) => key.columns.map((column) => column.name)));
    const known = shapeOf(
      columns.map((column) => ({
        name: column.name,
        type: column.getSQLType(),
        notnull: column.notNull ? 1 : 0,
        pk: column.primary || keyed.has(column.name) ? 1 : 0,
      })),
    );
    const migrated = [
      shapeOf(await columnsOf(env.DIRECTORY, name)),
      shapeOf(await columnsOf(env.CELL_0, name)),
    ];
    expect(migrated).toContainEqual(known);
  });
});

describe('D1', () => {
  it('loses one of two columns of the same name, which is why every column has an alias', async () => {
    const [result] = await env.CELL_0.batch([
      env.CELL_0.prepare('SELECT a.value AS name, b.value AS name FROM json_each(?) a, json_each(?) b').bind(
        '[1]',
        '[2]',
      ),
    ]);
    expect(result?.results).toEqual([{ name: 2 }]);
  });

  it('undoes a whole batch when one of its statements raises', async () => {
    const batch = env.CELL_0.batch([
      env.CELL_0.prepare("INSERT INTO notification_counts (user_id) VALUES ('undone')"),
      env.CELL_0.prepare(`SELECT json_extract('{}', 'EW_TEST')`),
    ]);
    await expect(batch).rejects.toThrow('EW_TEST');
    const row = await env.CELL_0.prepare(
      "SELECT 1 FROM notification_counts WHERE user_id = 'undone'",
    ).first();
    expect(row).toBeNull();
  });

  it('has two cells that know nothing of each other', async () => {
    await env.CELL_0.prepare("INSERT INTO notification_counts (user_id) VALUES ('here')").run();
    expect(
      await env.CELL_1.prepare("SELECT 1 FROM notification_counts WHERE user_id = 'here'").first(),
    ).toBeNull();
  });
});

describe('the metered database of these tests', () => {
  const database = meterDatabase(env.CELL_0);
  it.each([
    [
      '101 parameters',
      () => database.prepare(`SELECT ${Array(101).fill('?').join()}`).bind(...Array(101).fill(1)),
    ],
    ['100 KB of SQL', () => database.prepare(`SELECT '${'x'.repeat(100_000)}'`)],
    ['undefined', () => database.prepare('SELECT ?').bind(undefined)],
    ['a Date', () => database.prepare('SELECT ?').bind(new Date())],
    ['a bigint', () => database.prepare('SELECT ?').bind(1n)],
    ['BEGIN', () => database.prepare('BEGIN')],
  ])('refuses %s, as production does', (_what, use) => {
    expect(use).toThrow('D1 limit');
    expect(takeViolations()).toHaveLength(1);
  });

  it('lets everything else through', async () => {
    const [result] = await database.batch([database.prepare('SELECT ? AS a, ? AS b').bind('x', null)]);
    expect(result?.results).toEqual([{ a: 'x', b: null }]);
    expect(takeViolations()).toEqual([]);
  });
});
