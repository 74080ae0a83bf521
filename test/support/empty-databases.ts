import { beforeAll } from 'vitest';
import { env } from './env.ts';
import { listTables } from './tables.ts';

/**
 * Empties the databases and the bucket before a test file that inspects all of their contents. A new runtime would take
 * a hundred times as long. Ids are never reused, so nothing that a worker has cached becomes valid again.
 */
beforeAll(async () => {
  await Promise.all([env.DIRECTORY, env.CELL_0, env.CELL_1].map(emptyDatabase));
  // R2 lists at most a thousand objects at a time.
  for (let { objects } = await env.FILES.list(); objects.length > 0; { objects } = await env.FILES.list())
    await env.FILES.delete(objects.map(({ key }) => key));
});

const SEEDED_TABLES: ReadonlySet<string> = new Set(['task_statuses', 'project_statuses']);

async function emptyDatabase(db: D1Database): Promise<void> {
  const { results: schema } = await db
    .prepare(
      "SELECT name, type, sql FROM sqlite_schema WHERE type = 'trigger' OR sql LIKE 'CREATE VIRTUAL TABLE%'",
    )
    .all<{ name: string; type: string; sql: string }>();
  const indexes = schema.filter(({ type }) => type === 'table').map(({ name }) => name);
  const triggers = schema.filter(({ type }) => type === 'trigger');
  const tables = (await listTables(db)).filter(
    (table) => !SEEDED_TABLES.has(table) && !indexes.some((index) => table.startsWith(`${index}_`)),
  );
  await db.batch([
    db.prepare('PRAGMA defer_foreign_keys = ON'),
    // Drops the triggers temporarily, because some forbid deletions and others keep the newest row.
    ...triggers.map(({ name }) => db.prepare(`DROP TRIGGER ${name}`)),
    ...tables.map((table) => db.prepare(`DELETE FROM ${table}`)),
    ...indexes.map((index) => db.prepare(`INSERT INTO ${index} (${index}) VALUES ('delete-all')`)),
    ...triggers.map(({ sql }) => db.prepare(sql)),
  ]);
}
