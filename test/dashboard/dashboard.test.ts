import { describe, expect, it, vi } from 'vitest';
import { api } from '../support/api.ts';
import { createTask, createWorld } from '../support/world.ts';

describe('GET /dashboard/tasks', () => {
  it('returns hyphenated statuses, and accepts statuses with hyphens or underscores', async () => {
    const world = await createWorld();
    const { owner, lead } = world.people;
    const [category] = world.categories;
    const { id } = await createTask(owner, world.projects.joined.id, {
      name: 'Lean',
      status: 'in_progress',
      assigneeId: lead.userId,
      typeId: category.typeId,
      deadline: '2026-11-17',
    });
    await createTask(owner, world.projects.joined.id, { status: 'completed' });
    for (const status of ['in-progress', 'in_progress']) {
      const { body } = await api(owner.token).get(`/dashboard/tasks?status=${status}&localDate=2026-11-20`);
      expect(body.data).toEqual([
        {
          id,
          title: 'Lean',
          project: world.projects.joined,
          status: { value: 'in-progress', label: 'In progress', color: '#2563eb' },
          tags: [],
          assignee: { id: lead.userId, name: lead.name, image: null, initials: 'LT' },
          category: { id: category.id, key: 'design', value: 'Design' },
          type: { id: category.typeId, key: 'layout', value: 'Layout' },
          deadline: '2026-11-17',
          dueState: 'overdue',
          dueLabel: 'Overdue by 3 days',
          daysDiff: -3,
        },
      ]);
    }
    expect((await api(owner.token).get('/dashboard/tasks')).body.meta.total).toBe(2);
  });

  it('returns only tasks that the caller can see, whatever the parameters', async () => {
    const world = await createWorld();
    const { owner, admin, lead, member, client } = world.people;
    const hidden = await createTask(owner, world.projects.other.id, { assigneeId: admin.userId });
    for (const person of [lead, member, client]) {
      for (const query of [
        `projectId=${world.projects.other.id}`,
        `assigneeId=${admin.userId}`,
        `taskId=${hidden.id}`,
        'search=task',
        'sort=name',
      ]) {
        const { body } = await api(person.token).get(`/dashboard/tasks?${query}`);
        expect(body.meta.total, `${person.role} ${query}`).toBe(0);
      }
    }
  });

  it('returns 400 with the name of the invalid parameter', async () => {
    const world = await createWorld();
    const me = api(world.people.owner.token);
    const rejected = [
      'sort=priority',
      'status=done',
      'localDate=2026-02-30',
      'teamId=a',
      'from=tomorrow',
      'limit=0',
      'mode=daily',
    ];
    for (const query of rejected) {
      const { status, body } = await me.get(`/dashboard/tasks?${query}`);
      expect([status, body.error.code], query).toEqual([400, 'invalid_request']);
      expect(body.error.message).toContain(query.split('=')[0]);
    }
    expect((await me.get('/dashboard/workload?mode=weekly')).status).toBe(400);
    expect((await me.get('/dashboard/workload?limit=5')).status).toBe(400);
  });
});

it('GET /dashboard/stats returns only the requested fields', async () => {
  const world = await createWorld();
  const { body } = await api(world.people.owner.token).get('/dashboard/stats?fields=overdue,projects');
  expect(body).toEqual({ projects: 2, overdue: 0 });
});

describe('GET /dashboard/comments', () => {
  it('filters by day, assignee and text, sorts newest first, and returns nothing to clients', async () => {
    const world = await createWorld();
    const { owner, lead, client } = world.people;
    const mine = await createTask(owner, world.projects.joined.id, { assigneeId: lead.userId });
    const other = await createTask(owner, world.projects.other.id);
    const addComment = (id: number, content: string) =>
      api(owner.token).post(`/tasks/${id}/comments`, { content });
    await addComment(mine.id, 'GRÖSSE one');
    await addComment(other.id, 'two');
    const toDate = (after: number) => new Date(Date.now() + after * 86_400_000).toISOString().slice(0, 10);
    const [yesterday, tomorrow] = [toDate(-1), toDate(1)];
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(`${tomorrow}T23:59:59.999Z`) });
    await addComment(mine.id, 'three');
    vi.useRealTimers();
    const listComments = async (token: string, query: string) => {
      const { body } = await api(token).get(`/dashboard/comments?${query}`);
      expect(body.meta.total).toBe(body.data.length);
      return body.data.map((each: { content: string }) => each.content);
    };
    expect(await listComments(owner.token, '')).toEqual(['three', 'two', 'GRÖSSE one']);
    expect(await listComments(owner.token, `assigneeId=${lead.userId}`)).toEqual(['three', 'GRÖSSE one']);
    expect(await listComments(owner.token, `from=${tomorrow}&to=${tomorrow}`)).toEqual(['three']);
    expect(await listComments(owner.token, `to=${yesterday}`)).toEqual([]);
    expect(await listComments(owner.token, 'search=grösse')).toEqual(['GRÖSSE one']);
    expect(await listComments(lead.token, '')).toEqual(['three', 'GRÖSSE one']);
    expect(await listComments(client.token, '')).toEqual([]);
    await api(owner.token).post(`/tasks/${mine.id}/archive`);
    expect(await listComments(owner.token, '')).toEqual(['two']);
  });
});

describe('GET /dashboard/workload', () => {
  it('lists people without tasks, with a utilization of 0, only if assigneeId contains their id', async () => {
    const world = await createWorld();
    const { owner, member, lead } = world.people;
    await createTask(owner, world.projects.joined.id, {
      assigneeId: lead.userId,
      deadline: '2026-11-20',
      customEstimatedHours: '10',
    });
    const readWorkload = async (query: string) =>
      (await api(owner.token).get(`/dashboard/workload?from=2026-11-20&${query}`)).body.workloads.map(
        (each: { user: { id: string }; utilization: number }) => [each.user.id, each.utilization],
      );
    expect(await readWorkload('')).toEqual([[lead.userId, 125]]);
    expect(await readWorkload(`assigneeId=${member.userId}`)).toEqual([[member.userId, 0]]);
  });

  it('returns six breakdown rows per person in a fixed order, and no people to a client', async () => {
    const world = await createWorld();
    const { owner, member, client } = world.people;
    await createTask(owner, world.projects.joined.id, { assigneeId: member.userId, status: 'in_progress' });
    await createTask(owner, world.projects.joined.id, { assigneeId: owner.userId });
    const { body } = await api(member.token).get('/dashboard/workload');
    expect(body.workloads.map((each: { user: { id: string } }) => each.user.id)).toEqual([member.userId]);
    expect(body.workloads[0].breakdown.map((row: { key: string }) => row.key)).toEqual([
      'overdue',
      'due',
      'in-progress',
      'internal-review',
      'client-review',
      'completed',
    ]);
    expect((await api(client.token).get('/dashboard/workload')).body.workloads).toEqual([]);
  });
});
