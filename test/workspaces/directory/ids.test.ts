import { expect, it } from 'vitest';
import { env, getCell } from '../../support/env.ts';
import { createTask, createWorld } from '../../support/world.ts';

/** Returns, for each table with ids or numbers, the mechanism that prevents their reuse. */
async function listIdProtections(db: D1Database): Promise<Map<string, string>> {
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

it('no table ever reuses an id or number', async () => {
  // These tables have fixed rows, random keys, or keys from another table.
  const fixed = [
    'task_statuses',
    'project_statuses',
    'storage',
    'search_waiting',
    'detail_texts',
    'long_texts',
    'bots',
    'checklists',
    'recurrences',
    'trash',
    'outdated_comments',
    'closed_cells',
    'cell_sizes',
    'cell_usage',
    'calendar_feeds',
    'intake_forms',
    'mailed_cells',
    'd1_migrations',
  ];
  const inCell = await listIdProtections(getCell(0));
  const inDirectory = await listIdProtections(env.DIRECTORY);
  const loose = [...inCell, ...inDirectory].filter(
    ([name, by]) =>
      by === 'nothing' &&
      !fixed.includes(name) &&
      !/^(sqlite_|_cf|task_search|comment_search|detail_search)/.test(name),
  );
  expect(loose).toEqual([]);
  expect(inCell.get('members')).toBe('never deleted');
  for (const table of ['tasks', 'notifications']) expect(inCell.get(table)).toBe('newest stays');
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

it("the newest row of a table without a sequence can't be deleted, but older rows can", async () => {
  const db = getCell(0);
  const insert =
    "INSERT INTO notifications (user_id, ws, type, created_at) VALUES ('usr_1', 1, 'task_assigned', 1)";
  await db.batch([db.prepare(insert), db.prepare(insert)]);
  const { results } = await db
    .prepare('SELECT id FROM notifications ORDER BY id DESC LIMIT 2')
    .all<{ id: number }>();
  const [newest, older] = results.map(({ id }) => id);
  await db.prepare('DELETE FROM notifications WHERE id = ?').bind(older).run();
  const rejected = db.prepare('DELETE FROM notifications WHERE id = ?').bind(newest).run();
  await expect(rejected).rejects.toThrow('the newest of notifications stays');
});

it("the newest event of a workspace can't be deleted, so its number is never reused", async () => {
  const world = await createWorld();
  await createTask(world.people.owner, world.projects.joined.id);
  await createTask(world.people.owner, world.projects.joined.id);
  const removeEvent = (seq: string) =>
    getCell(world.cell).prepare(`DELETE FROM events WHERE ws = ? AND seq = ${seq}`).bind(world.no).run();
  await removeEvent('1');
  await expect(removeEvent('(SELECT max(e.seq) FROM events e WHERE e.ws = events.ws)')).rejects.toThrow(
    'the newest of events stays',
  );
});
