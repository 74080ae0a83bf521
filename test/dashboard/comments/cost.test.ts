import { beforeAll, describe, expect, it } from 'vitest';
import { CostMeter } from '../../../src/kernel/sql/cost.ts';
import { Database } from '../../../src/kernel/sql/database.ts';
import { repairCellCounters, repairSearch } from '../../../src/upkeep/integrity/repair.ts';
import { api } from '../../support/api.ts';
import { type BulkWorld, createBulkWorld } from '../../support/bulk-world.ts';
import { getCell } from '../../support/env.ts';
import { addPerson, createTeam, type Person } from '../../support/world.ts';

const TASKS = 2_000;
const COMMENTS = 20_000;
const ROWS_MAX = 2_000;
const MATCHING_COMMENTS = COMMENTS / 500;

describe('a request for dashboard comments', () => {
  let world: BulkWorld;
  let callers: Record<'owner' | 'lead' | 'member', Person>;
  let team: number;

  beforeAll(async () => {
    world = await createBulkWorld(TASKS);
    await getCell(0)
      .prepare(`
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${COMMENTS}),
        remarks(i, text) AS (SELECT i, iif(i % 500 = 0, 'needle qz ', 'plain remark ') || i FROM n)
        INSERT INTO comments (ws, task, author, project, assignee, archived, day, created_at, content, content_key)
        SELECT t.ws, t.id, t.created_by, t.project, t.assignee, t.archived,
          date('2026-01-01', '+' || (s.i / 200) || ' days'), s.i, s.text, s.text
        FROM remarks s CROSS JOIN tasks t ON t.id = (SELECT max(id) FROM tasks) - (s.i * 7 % ${TASKS})`)
      .run();
    const cell = new Database(getCell(0), new CostMeter());
    await repairCellCounters(cell);
    await repairSearch(cell);
    const lead = await addPerson(world, 'teamlead', 'lead');
    team = await createTeam(world, { lead, members: world.crowd.slice(20, 30) });
    callers = { owner: world.people.owner, lead, member: world.crowd[1] as Person };
  });

  const filters: [string, () => string][] = [
    ['none', () => ''],
    ['none, with offset 100', () => 'offset=100'],
    ['a project', () => `projectId=${world.projectIds[0]}`],
    ['the projects with a status', () => 'projectStatus=active'],
    ['an assignee', () => `assigneeId=${world.crowd[22]?.userId}`],
    ['three assignees', () => `assigneeId=${world.crowd.slice(20, 23).map(({ userId }) => userId)}`],
    ['a team', () => `teamId=${team}`],
    ['a day', () => 'from=2026-02-10&to=2026-02-10'],
    ['a month', () => 'from=2026-02-10&to=2026-03-09'],
    ['all days since a date', () => 'from=2026-01-05'],
  ];

  it.each(filters)('reads at most 2,000 rows per page (filter: %s)', async (_name, filter) => {
    for (const { role, token } of Object.values(callers)) {
      const { status, cost, headers } = await api(token).get(`/dashboard/comments?${filter()}`);
      expect(status).toBe(200);
      expect(cost.rowsRead, role).toBeLessThanOrEqual(ROWS_MAX);
      const cursor = /cursor=([^&>]+)/.exec(headers.get('Link') ?? '')?.[1];
      if (cursor === undefined) continue;
      const next = await api(token).get(`/dashboard/comments?${filter()}&cursor=${cursor}`);
      expect(next.cost.rowsRead, `${role}, cursor`).toBeLessThanOrEqual(ROWS_MAX);
    }
  });

  it('reads at most 500 rows plus three per match for a search', async () => {
    const { owner } = callers;
    for (const search of ['needle', 'qz', 'q', 'needle qz 500']) {
      const { body, cost } = await api(owner.token).get(`/dashboard/comments?search=${search}`);
      expect(body.meta.total, search).toBeLessThanOrEqual(MATCHING_COMMENTS);
      expect(body.meta.total, search).toBeGreaterThan(0);
      expect(cost.rowsRead, search).toBeLessThanOrEqual(500 + 3 * body.meta.total);
    }
  });

  it('searches 18 MB of text in four database round trips, and returns exact totals', async () => {
    const { no, people } = await createBulkWorld(1);
    await getCell(0)
      .prepare(`
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900),
        remarks(text) AS (SELECT replace(hex(zeroblob(10000)), '0', 'a'))
        INSERT INTO comments (ws, task, author, project, assignee, archived, day, created_at, content, content_key)
        SELECT t.ws, t.id, t.created_by, t.project, t.assignee, 0, '2026-03-01', n.i, s.text, s.text
        FROM n CROSS JOIN remarks s CROSS JOIN tasks t ON t.ws = ?`)
      .bind(no)
      .run();
    await repairSearch(new Database(getCell(0), new CostMeter()));
    const me = api(people.owner.token);
    const search = `/dashboard/comments?fields=id&search=${'a'.repeat(200)}`;
    // The first request also reads the credential.
    await me.get('/me');
    const one = await me.get(`${search}&limit=1`);
    expect(one.body.meta.total).toBe(900);
    // Three database round trips search the 18 MB of comments, and a fourth reads the comment on the page.
    expect(one.cost.trips).toBe(4);
    const first = await me.get(search);
    const deep = await me.get(`${search}&offset=890`);
    expect([deep.body.data.length, deep.body.meta.hasMore]).toEqual([10, false]);
    const cursor = /cursor=([^&>]+)/.exec(first.headers.get('Link') ?? '')?.[1];
    const next = await me.get(`${search}&cursor=${cursor}`);
    const ids = [...first.body.data, ...next.body.data].map(({ id }: { id: number }) => id);
    expect(ids).toEqual(ids.toSorted((one, other) => other - one));
    expect(new Set(ids).size).toBe(50);
    expect((await me.get(`/dashboard/comments?search=${'a'.repeat(199)}b`)).body.meta.total).toBe(0);
  });

  it('omits a deleted comment that is still in the search index', async () => {
    const findComments = async () =>
      (await api(callers.owner.token).get('/dashboard/comments?search=remark&limit=1')).body.meta.total;
    const before = await findComments();
    expect(before).toBeGreaterThan(10_000);
    await getCell(0)
      .prepare(
        `DELETE FROM comments WHERE id = (
          SELECT max(id) FROM comments WHERE ws = ? AND archived = 0 AND content LIKE 'plain%')`,
      )
      .bind(world.no)
      .run();
    expect(await findComments()).toBe(before - 1);
  });

  it("never reads another workspace's part of the search index", async () => {
    const small = await createBulkWorld(1);
    const { cost, body } = await api(small.people.owner.token).get('/dashboard/comments?search=remark');
    expect(body.meta.total).toBe(0);
    expect(cost.rowsRead).toBeLessThanOrEqual(250);
    const short = await api(small.people.owner.token).get('/dashboard/comments?search=re');
    expect(short.cost.rowsRead).toBeLessThanOrEqual(250);
  });

  it("finds comments by their task's new assignee, and a status change rewrites no comments", async () => {
    const { owner } = callers;
    const { body: page } = await api(owner.token).get('/dashboard/comments?limit=1');
    const { id } = page.data[0].task;
    const { body: task } = await api(owner.token).get(`/tasks/${id}`);
    const to = task.status === 'todo' ? 'in_progress' : 'todo';
    const status = await api(owner.token).patch(`/tasks/${id}`, { status: to });
    expect(status.cost.rowsWritten).toBeLessThanOrEqual(16 + 5 * task.followers.length);
    const countComments = async (userId: string) =>
      (await api(owner.token).get(`/dashboard/comments?assigneeId=${userId}&limit=1`)).body.meta.total;
    const { userId } = callers.lead;
    expect(await countComments(userId)).toBe(0);
    await api(owner.token).patch(`/tasks/${id}`, { assigneeId: userId });
    const comments = (await api(owner.token).get(`/tasks/${id}/comments?limit=1`)).body.meta.total;
    expect(await countComments(userId)).toBe(comments);
    await api(owner.token).post(`/tasks/${id}/archive`);
    expect(await countComments(userId)).toBe(0);
  });
});
