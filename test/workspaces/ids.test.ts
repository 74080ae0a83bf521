import { expect, it } from 'vitest';
import { cellOf, env } from '../support/env.ts';

/** Tables whose ids or numbers somebody may remember, and what keeps them from being given again. */
async function keptBy(db: D1Database): Promise<Map<string, string>> {
  const { results } = await db
    .prepare(
      `SELECT t.name AS name, t.sql AS sql, (SELECT g.sql FROM sqlite_schema g
         WHERE g.type = 'trigger' AND g.tbl_name = t.name AND g.sql LIKE '%BEFORE DELETE%') AS trigger_sql
       FROM sqlite_schema t WHERE t.type = 'table' AND t.sql LIKE '%INTEGER PRIMARY KEY%'`,
    )
    .all<{ name: string; sql: string; trigger_sql: string | null }>();
  return new Map(
    results.map(({ name, sql, trigger_sql }) => [
      name,
      sql.includes('INTEGER PRIMARY KEY AUTOINCREMENT')
        ? 'sequence'
        : trigger_sql?.includes('(SELECT max(id)')
          ? 'newest stays'
          : trigger_sql
            ? 'never deleted'
            : 'nothing',
    ]),
  );
}

it('gives no id and no number twice, in any table that has them', async () => {
  // Fixed lists of the platform, and tables whose key is a number of another one.
  const fixed = [
    'task_statuses',
    'project_statuses',
    'storage',
    'closed_cells',
    'cell_sizes',
    'd1_migrations',
  ];
  const inCell = await keptBy(cellOf(0));
  const inDirectory = await keptBy(env.DIRECTORY);
  const loose = [...inCell, ...inDirectory].filter(
    ([name, by]) =>
      by === 'nothing' && !fixed.includes(name) && !/^(sqlite_|_cf|task_search|comment_search)/.test(name),
  );
  expect(loose).toEqual([]);
  expect(inCell.get('members')).toBe('never deleted');
  for (const table of ['tasks', 'activities', 'notifications'])
    expect(inCell.get(table)).toBe('newest stays');
  for (const table of [
    'projects',
    'comments',
    'attachments',
    'credentials',
    'meetings',
    'time_entries',
    'workspaces',
  ])
    expect(inCell.get(table), table).toBe('sequence');
});

it('refuses to delete the newest of the tables without a sequence, and no other', async () => {
  const db = cellOf(0);
  const insert =
    "INSERT INTO activities (ws, task, type, actor, via, created_at) VALUES (1, 1, 'created', 1, 'session', 1)";
  await db.batch([db.prepare(insert), db.prepare(insert)]);
  const { results } = await db
    .prepare('SELECT id FROM activities ORDER BY id DESC LIMIT 2')
    .all<{ id: number }>();
  const [newest, older] = results.map(({ id }) => id);
  await db.prepare('DELETE FROM activities WHERE id = ?').bind(older).run();
  const refused = db.prepare('DELETE FROM activities WHERE id = ?').bind(newest).run();
  await expect(refused).rejects.toThrow('the newest of activities stays');
});
