import { beforeAll, describe, expect, it } from 'vitest';
import { api, getNextPath } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createRandom } from '../../support/random.ts';
import {
  addMember,
  createApiKey,
  createMeeting,
  createTask,
  createTeam,
  createWorld,
  type World,
} from '../../support/world.ts';

async function readAllPages(
  token: string,
  path: string,
  between: () => Promise<unknown> = async () => undefined,
) {
  const ids: (number | string)[] = [];
  const skipped: number[] = [];
  let total = 0;
  for (let next: string | null = path; next; ) {
    const { status, body, headers } = await api(token).get(next);
    expect(status, next).toBe(200);
    expect(body.meta.hasMore).toBe(headers.has('Link'));
    ids.push(...body.data.map((each: { id: number | string }) => each.id));
    skipped.push(body.meta.offset);
    total = body.meta.total;
    next = getNextPath({ headers });
    await between();
  }
  return { ids, skipped, total };
}

describe('the cursor in the Link header', () => {
  let world: World;

  beforeAll(async () => {
    world = await createWorld();
    const { owner, lead, member } = world.people;
    const random = createRandom(99);
    for (let made = 0; made < 30; made += 1) {
      await createTask(owner, random.pick([world.projects.joined.id, world.projects.other.id]), {
        name: random.pick(['a', 'A', 'b', 'ä needle']),
        status: random.pick(['todo', 'in_progress', 'completed']),
        priority: random.pick(['low', 'high']),
        ...(random.chance(0.7) && { assigneeId: random.pick([lead, member]).userId }),
        ...(random.chance(0.6) && { deadline: random.pick(['2026-11-20', '2026-11-21', '2026-12-01']) }),
      });
    }
    const { id } = await createTask(owner, world.projects.joined.id, { assigneeId: lead.userId });
    for (let made = 0; made < 9; made += 1)
      await api(member.token).post(`/tasks/${id}/comments`, { content: `c${made}` });
    for (let made = 0; made < 7; made += 1) {
      await createMeeting(lead, world.projects.joined.id, {
        date: random.pick(['2020-01-01', '2020-01-02', '2031-05-05']),
      });
      await createTeam(world, { name: random.pick(['Team', 'team', 'Zeta']) });
      await createApiKey(lead, `key ${made}`);
      await api(lead.token).post('/timer/start', { taskId: id });
    }
    const elsewhere = await createWorld({ cell: 1 });
    const there = await addMember(elsewhere, lead, 'member');
    for (let made = 0; made < 6; made += 1) {
      await createTask(elsewhere.people.owner, elsewhere.projects.other.id, { assigneeId: there.userId });
    }
  });

  it.each([
    '/tasks?scope=all',
    '/tasks?scope=mine',
    '/tasks?scope=all&status=todo',
    '/tasks?scope=all&search=needle',
    '/tasks?scope=all&assigneeId=LEAD',
    '/tasks/TASK/comments',
    '/tasks/TASK/activities',
    '/projects',
    '/task-statuses',
    '/project-statuses',
    '/task-categories',
    '/task-types',
    '/labels',
    '/custom-fields',
    '/users',
    '/teams',
    '/meetings',
    '/meetings?order=desc',
    '/timer/entries',
    '/notifications',
    '/notifications?unreadOnly=true',
    '/connected-apps',
    '/workspaces',
    '/dashboard/tasks',
    '/dashboard/tasks?sort=created',
    '/dashboard/tasks?sort=name',
    '/dashboard/tasks?sort=status',
    '/dashboard/tasks?search=a&sort=name',
    '/dashboard/tasks?from=2026-11-20&to=2026-11-30&sort=status',
    '/dashboard/comments',
  ])('returns the same items in pages of two as in a single page (%s)', async (template) => {
    const { lead } = world.people;
    const task = await getCell(0)
      .prepare('SELECT max(task) AS id FROM comments WHERE ws = ?')
      .bind(world.no)
      .first('id');
    const path = template.replace('LEAD', lead.userId).replace('TASK', String(task));
    const separator = path.includes('?') ? '&' : '?';
    const { body } = await api(lead.token).get(`${path}${separator}limit=100`);
    const { ids, skipped, total } = await readAllPages(lead.token, `${path}${separator}limit=2`);
    expect(ids).toEqual(body.data.map((each: { id: number }) => each.id));
    expect(total).toBe(body.data.length);
    expect(skipped).toEqual(skipped.map((_, index) => index * 2));
  });

  it('never skips or repeats rows while other rows are being added and removed', async () => {
    const crowd = await createWorld();
    const { owner } = crowd.people;
    const random = createRandom(5);
    const made: number[] = [];
    const addTask = async () =>
      made.push(
        (
          await createTask(owner, crowd.projects.joined.id, {
            name: `t${made.length}`,
            deadline: '2026-12-01',
          })
        ).id,
      );
    for (let count = 0; count < 60; count += 1) await addTask();
    for (const path of [
      '/tasks?scope=all',
      '/tasks?scope=mine',
      '/dashboard/tasks?sort=due',
      '/dashboard/tasks?sort=created',
    ]) {
      const stable = new Set(made);
      const { ids } = await readAllPages(owner.token, `${path}&limit=7`, async () => {
        await addTask();
        const gone = random.pick([...stable]);
        stable.delete(gone);
        await api(owner.token).post(`/tasks/${gone}/archive`);
      });
      expect(new Set(ids).size, path).toBe(ids.length);
      for (const id of stable) expect(ids, path).toContain(id);
      for (const id of made) await api(owner.token).post(`/tasks/${id}/unarchive`);
    }
  });

  it('is rejected if it is malformed, combined with an offset, or used for another list', async () => {
    const { owner } = world.people;
    const first = await api(owner.token).get('/tasks?scope=all&limit=2');
    const next = getNextPath(first) ?? '';
    const cursor = new URLSearchParams(next.split('?')[1]).get('cursor');
    for (const path of [
      `${next}&offset=0`,
      '/tasks?cursor=nonsense',
      '/tasks?cursor=W10',
      `/users?cursor=${cursor}`,
    ]) {
      const { status, body } = await api(owner.token).get(path);
      expect([status, body.error.code], path).toEqual([400, 'invalid_request']);
      expect(body.error.message).toContain('cursor');
    }
  });

  it('is rejected if it was changed or forged', async () => {
    const { owner } = world.people;
    const encode = (parts: unknown) => Buffer.from(JSON.stringify(parts)).toString('base64url');
    const positions = [-5, 1.5, 0, 1, 25, 1e308, -0, '1', null, true, [], {}, 2 ** 53, -(2 ** 53), ''];
    const keys = [
      [],
      [1],
      [0],
      [-1],
      [1.5],
      ['a'],
      ['2026-01-01', 1],
      [1, 'a'],
      [''],
      ['1 OR 1=1'],
      ['\u0000'],
      [1, 2],
    ];
    const forged = positions.flatMap((position) => keys.map((key) => encode([position, ...key])));
    const accepted: string[] = [];
    for (const path of [
      '/tasks?scope=all',
      '/users',
      '/projects',
      '/notifications',
      '/dashboard/tasks?sort=name',
    ]) {
      const separator = path.includes('?') ? '&' : '?';
      const { headers } = await api(owner.token).get(`${path}${separator}limit=1`);
      const own = new URLSearchParams(getNextPath({ headers })?.split('?')[1]).get('cursor') ?? '';
      const changed = [...own].map(
        (character, index) => own.slice(0, index) + (character === 'A' ? 'B' : 'A') + own.slice(index + 1),
      );
      const tried = [
        ...forged,
        ...(own === '' ? [] : [...changed, own.slice(1), `${own}A`, own.slice(0, -1)]),
      ];
      for (const cursor of tried) {
        const { status } = await api(owner.token).get(`${path}${separator}cursor=${cursor}`);
        if (status !== 400) accepted.push(`${path} ${cursor}: ${status}`);
      }
    }
    expect(accepted).toEqual([]);
  });

  it('works only with the same filters, but with any limit and fields', async () => {
    const { owner } = world.people;
    const { headers } = await api(owner.token).get('/tasks?scope=all&limit=2&fields=id');
    const cursor = new URLSearchParams(getNextPath({ headers })?.split('?')[1]).get('cursor');
    for (const [query, expected] of [
      ['scope=all', 200],
      ['scope=all&limit=50', 200],
      ['limit=3&expand=comments&scope=all&fields=id,name', 200],
      ['scope=mine', 400],
      ['scope=all&status=todo', 400],
      ['', 400],
    ] as const) {
      const { status } = await api(owner.token).get(`/tasks?${query}&cursor=${cursor}`);
      expect(status, query).toBe(expected);
    }
  });

  it('stays valid after the secret is rotated, as long as the previous secret is accepted', async () => {
    const { owner } = world.people;
    const { headers } = await api(owner.token).get('/tasks?scope=all&limit=2');
    const next = getNextPath({ headers }) ?? '';
    const SESSION_SECRET = 'another-secret-only-for-tests-0123456789';
    const key = await createApiKey(owner, 'crawler');
    const during = { SESSION_SECRET, SESSION_SECRET_PREVIOUS: 'only-for-tests-0123456789-0123456789' };
    expect((await api(key, during).get(next)).status).toBe(200);
    expect((await api(key, { SESSION_SECRET }).get(next)).status).toBe(400);
  });
});
