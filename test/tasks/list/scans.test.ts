import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { type BulkWorld, createBulkWorld } from '../../support/bulk-world.ts';
import { getCell } from '../../support/env.ts';
import { createApiKey } from '../../support/world.ts';

const TASKS = 24_000;
const SCANNED_MAX = 10_000;
const DAY_MS = 86_400_000;
const START = Date.parse('2026-01-01T00:00:00.000Z');
/** A tag with the interval n is on every nth task. */
const TAG_INTERVALS = { few: 600, some: 3, most: 2 };

let world: BulkWorld;
let key: string;

beforeAll(async () => {
  world = await createBulkWorld(TASKS);
  key = await createApiKey(world.people.owner);
  const first = (
    await getCell(0)
      .prepare('SELECT min(id) AS n FROM tasks WHERE ws = ?')
      .bind(world.no)
      .first<{ n: number }>()
  )?.n;
  // Spreads the creation times, with a thousand tasks per day.
  await getCell(0)
    .prepare('UPDATE tasks SET created_at = ?1 + (id - ?2) * 86400 WHERE ws = ?3')
    .bind(START, first, world.no)
    .run();
  // The first request with a key needs one more round trip, to load the key.
  await api(key).get('/me');
});

async function addTag(name: keyof typeof TAG_INTERVALS, others: '[]' | null = '[]') {
  await getCell(0)
    .prepare(`UPDATE tasks SET tags = iif(id % ?1 = 0, json_array(?2), coalesce(?3, tags)),
        label_keys = iif(id % ?1 = 0, json_array(?2), coalesce(?3, label_keys)) WHERE ws = ?4`)
    .bind(TAG_INTERVALS[name], name, others, world.no)
    .run();
}

const countMatching = async (condition: string) =>
  (
    await getCell(0)
      .prepare(`SELECT count(*) AS n FROM tasks t WHERE t.ws = ? AND t.archived = 0 AND ${condition}`)
      .bind(world.no)
      .first<{ n: number }>()
  )?.n ?? 0;

async function expectPage(query: string, condition: string, rowsMax: number) {
  for (const sort of ['created', 'due', 'updated']) {
    const { status, body, cost } = await api(key).get(`/tasks?${query}&sort=${sort}`);
    const total = await countMatching(condition);
    expect({ status, ...body }, `${query} ${sort}`).toMatchObject({ status: 200, meta: { total } });
    expect(cost.rowsRead, `${query} ${sort}`).toBeLessThanOrEqual(rowsMax);
    expect(cost.trips).toBe(1);
  }
}

describe(`GET /tasks in a cell with ${TASKS} tasks`, () => {
  it('reads only tagged tasks when filtering by tags', async () => {
    await addTag('few');
    await expectPage('tags=few', `t.tags = '["few"]'`, 600);
    await expectPage('tagsAll=few,none', 'false', 300);
    await addTag('some');
    await expectPage('tags=FEW,Some', `t.tags = '["some"]'`, 6 * (TASKS / TAG_INTERVALS.some));
  });

  it('reads only tasks from the requested days when filtering by creation date', async () => {
    const buildSinceCondition = (days: number) => `t.created_at >= ${START + days * DAY_MS}`;
    await expectPage('createdFrom=2026-01-24', buildSinceCondition(23), 6 * 1_000);
    await expectPage('createdTo=2026-01-02', `NOT (${buildSinceCondition(2)})`, 6 * 2_000);
    await expectPage(
      'createdFrom=2026-01-10&createdTo=2026-01-12',
      `${buildSinceCondition(9)} AND NOT (${buildSinceCondition(12)})`,
      6 * 3_000,
    );
    await expectPage(
      'createdFrom=2026-01-24&tags=some&status=open',
      `${buildSinceCondition(23)} AND t.status < 4 AND t.tags = '["some"]'`,
      6 * 1_000,
    );
  });

  it('returns 400 with suggested filters if too many tasks would have to be read', async () => {
    await addTag('most');
    const expectRejection = async (query: string) => {
      const { status, body, headers, cost } = await api(key).get(`/tasks?${query}`);
      expect(status, query).toBe(400);
      expect(cost.rowsRead, query).toBeLessThanOrEqual(8 * SCANNED_MAX);
      return [headers.get('Error-Field'), body.error.message];
    };
    expect(await expectRejection('tags=most')).toEqual([
      'tags',
      expect.stringContaining('Also filter by projectId'),
    ]);
    expect(await expectRejection('tagsAll=most')).toEqual([
      'tagsAll',
      expect.stringContaining('Also filter by projectId'),
    ]);
    expect(await expectRejection('createdTo=2026-01-31')).toEqual([
      'createdTo',
      expect.stringContaining('fewer days'),
    ]);
    const [one, two] = world.projectIds;
    const projects = `t.project IN (${one}, ${two})`;
    await expectPage(
      `tags=most&projectId=${one}&projectId=${two}`,
      `${projects} AND t.tags <> '[]'`,
      8 * 5_000,
    );
    await expectPage(
      'tags=most&createdFrom=2026-01-24',
      `t.tags <> '[]' AND t.created_at >= ${START + 23 * DAY_MS}`,
      6_000,
    );
  });

  it('reads at most 4,000 rows for several projects, and counts their tasks exactly', async () => {
    const ids = world.projectIds.slice(2, 6);
    const condition = `t.project IN (${ids})`;
    await expectPage(`projectId=${ids}`, condition, 4_000);
    await expectPage(`projectId=${ids}&status=open`, `${condition} AND t.status < 4`, 4_000);
    const [person] = world.crowd.slice(20);
    const assigned = `${condition} AND t.assignee = ${person?.member}`;
    await expectPage(`projectId=${ids}&assigneeId=${person?.userId}`, assigned, 4_000);
  });
});
