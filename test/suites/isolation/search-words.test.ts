import { expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { runCron } from '../../support/cron.ts';
import { getCell } from '../../support/env.ts';
import { createTask, createWorld } from '../../support/world.ts';

const TEXT = 'The same words in both, \u6771\u4eac too';

// If workspaces shared a term, a search for it in one workspace could read the rows of all of them.
it('different workspaces never share a term in a search index', async () => {
  const db = getCell(0);
  const owners = new Map<number, string>();
  for (const world of [await createWorld(), await createWorld()]) {
    const { owner } = world.people;
    const { id } = await createTask(owner, world.projects.joined.id, {
      name: TEXT,
      description: TEXT,
      tags: ['same words'],
    });
    await api(owner.token).post(`/tasks/${id}/comments`, { content: TEXT });
    owners.set(world.no, world.id);
  }
  // The cron job indexes the tags.
  await runCron('* * * * *');
  const { results: indexes } = await db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%USING fts5(%'")
    .all<{ name: string }>();
  expect(indexes.length).toBeGreaterThan(1);
  for (const { name } of indexes) {
    await db.prepare(`CREATE VIRTUAL TABLE words_of_${name} USING fts5vocab('${name}', 'instance')`).run();
    // Row ids contain the workspace number, which is doubled in the indexes of tasks.
    const ws = name.startsWith('comment_') ? '(doc >> 32)' : '(doc >> 33)';
    const { results } = await db
      .prepare(
        `SELECT term, count(DISTINCT ${ws}) AS n, min(${ws}) AS ws FROM words_of_${name} GROUP BY term`,
      )
      .all<{ term: string; n: number; ws: number }>();
    await db.prepare(`DROP TABLE words_of_${name}`).run();
    expect(new Set(results.map(({ ws }) => owners.get(ws))).size, name).toBe(2);
    expect(
      results.filter(({ n }) => n > 1),
      name,
    ).toEqual([]);
  }
});
