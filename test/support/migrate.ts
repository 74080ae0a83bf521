import { applyD1Migrations } from 'cloudflare:test';
import { beforeAll } from 'vitest';
import { env } from './env.ts';

beforeAll(async () => {
  await applyD1Migrations(env.DIRECTORY, env.TEST_MIGRATIONS_DIRECTORY);
  await applyD1Migrations(env.CELL_0, env.TEST_MIGRATIONS_CELL);
  await applyD1Migrations(env.CELL_1, env.TEST_MIGRATIONS_CELL);
  await Promise.all([env.DIRECTORY, env.CELL_0, env.CELL_1].map(addSequences));
});

/**
 * SQLite adds a row to `sqlite_sequence` on the first insert into a table, and later inserts search for that row. If
 * rows were missing, the cost of a request would depend on the order of the test files.
 */
async function addSequences(db: D1Database): Promise<void> {
  await db
    .prepare(`
      INSERT INTO sqlite_sequence (name, seq) SELECT name, 0 FROM sqlite_schema
      WHERE type = 'table' AND sql LIKE '%AUTOINCREMENT%' AND name NOT IN (SELECT name FROM sqlite_sequence)
      ORDER BY name`)
    .run();
}
