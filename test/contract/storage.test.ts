/// <reference types="vite/client" />
import type { SQL } from 'drizzle-orm';
import { getTableConfig, SQLiteSyncDialect, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { describe, expect, it } from 'vitest';
import { env } from '../support/env.ts';
import { meterDatabase, takeViolations } from '../support/metered-d1.ts';

const modules = import.meta.glob('../../src/schema/*/*.ts', { eager: true }) as Record<
  string,
  Record<string, unknown>
>;
const tables = Object.values(modules).flatMap((exported) =>
  Object.values(exported).filter((value) => value instanceof SQLiteTable),
);

interface TableShape {
  name: string;
  columns: string[];
}

function toTableShape(
  name: string,
  columns: readonly [name: string, type: string, isRequired: boolean][],
): TableShape {
  // SQLite doesn't report nullability for views, such as `active_members`.
  const described = columns.map(([column, type, isRequired]) =>
    `${column} ${type.toUpperCase() || 'ANY'} ${isRequired && name !== 'active_members' ? 'NOT NULL' : ''}`.trim(),
  );
  return { name, columns: described.sort() };
}

const declaredShapes = tables.map((table) => {
  const { name, columns, primaryKeys } = getTableConfig(table);
  const keyed = new Set(primaryKeys.flatMap((key) => key.columns.map((column) => column.name)));
  return toTableShape(
    name,
    columns.map((column) => [
      column.name,
      column.getSQLType(),
      column.notNull || column.primary || keyed.has(column.name),
    ]),
  );
});

/** Omits FTS5's hidden columns and shadow tables, and the internal tables of SQLite and D1. */
async function readMigratedShapes(database: D1Database): Promise<TableShape[]> {
  const { results } = await database
    .prepare(
      `SELECT l.name AS name, json_group_array(json_array(c.name, c.type, json(iif(c."notnull" OR c.pk, 'true', 'false')))) AS columns
        FROM pragma_table_list l JOIN pragma_table_xinfo(l.name) c ON c.hidden <> 1
        WHERE l.schema = 'main' AND l.type <> 'shadow' AND l.name <> 'd1_migrations'
          AND substr(l.name, 1, 7) <> 'sqlite_' AND substr(l.name, 1, 4) <> '_cf_'
        GROUP BY l.name`,
    )
    .all<{ name: string; columns: string }>();
  return results.map(({ name, columns }) => toTableShape(name, JSON.parse(columns)));
}

const dialect = new SQLiteSyncDialect();
const toSqlText = (part: SQL) => dialect.sqlToQuery(part).sql;

const declaredIndexes = tables.flatMap((table) => {
  const { name: tableName, indexes } = getTableConfig(table);
  return indexes.map(({ config: { name, unique, columns, where } }) => {
    const of = columns.map((column) => ('name' in column ? column.name : toSqlText(column as SQL)));
    const condition = where ? ` WHERE ${toSqlText(where)}` : '';
    return `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${name} ON ${tableName} (${of.join(', ')})${condition}`;
  });
});

async function readMigratedIndexes(database: D1Database): Promise<string[]> {
  const { results } = await database
    .prepare(
      "SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND substr(tbl_name, 1, 4) <> '_cf_'",
    )
    .all<{ sql: string }>();
  return results.map(({ sql }) => sql.replaceAll(/\s+/g, ' '));
}

describe('the tables declared in the code', () => {
  it('match the tables and views of the migrated databases, column by column', async () => {
    const migrated = [
      ...(await readMigratedShapes(env.DIRECTORY)),
      ...(await readMigratedShapes(env.CELL_0)),
    ];
    const sortShapes = (shapes: TableShape[]) => shapes.map((shape) => JSON.stringify(shape)).sort();
    expect(migrated.length).toBeGreaterThan(40);
    expect(sortShapes(declaredShapes)).toEqual(sortShapes(migrated));
  });

  it('have exactly the indexes of the migrated databases', async () => {
    const migrated = [
      ...(await readMigratedIndexes(env.DIRECTORY)),
      ...(await readMigratedIndexes(env.CELL_0)),
    ];
    expect(migrated.length).toBeGreaterThan(60);
    expect(declaredIndexes.sort()).toEqual(migrated.sort());
  });
});

describe('D1', () => {
  it('returns only one of two columns with the same name, so queries need aliases', async () => {
    const [result] = await env.CELL_0.batch([
      env.CELL_0.prepare('SELECT a.value AS name, b.value AS name FROM json_each(?) a, json_each(?) b').bind(
        '[1]',
        '[2]',
      ),
    ]);
    expect(result?.results).toEqual([{ name: 2 }]);
  });

  it('rolls back the whole batch when one of its statements fails', async () => {
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

  it("doesn't share rows between cells", async () => {
    await env.CELL_0.prepare("INSERT INTO notification_counts (user_id) VALUES ('here')").run();
    expect(
      await env.CELL_1.prepare("SELECT 1 FROM notification_counts WHERE user_id = 'here'").first(),
    ).toBeNull();
  });
});

describe('the metered test database', () => {
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
  ])('rejects %s, as production does', (_what, use) => {
    expect(use).toThrow('D1 limit');
    expect(takeViolations()).toHaveLength(1);
  });

  it('allows ordinary queries', async () => {
    const [result] = await database.batch([database.prepare('SELECT ? AS a, ? AS b').bind('x', null)]);
    expect(result?.results).toEqual([{ a: 'x', b: null }]);
    expect(takeViolations()).toEqual([]);
  });
});
