// This file is long because its tests share the functions that create trees of tasks.
import { describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { getCell } from '../../support/env.ts';
import { createTask, createWorld, type Person } from '../../support/world.ts';

async function createSubtask(person: Person, projectId: number, parentId: number | null = null, body = {}) {
  return createTask(person, projectId, { ...body, ...(parentId !== null && { parentId }) });
}

async function createTree() {
  const world = await createWorld();
  const { member } = world.people;
  const project = world.projects.joined.id;
  const top = await createSubtask(member, project, null, { name: 'Launch' });
  const first = await createSubtask(member, project, top.id, { name: 'Page' });
  const second = await createSubtask(member, project, top.id, { name: 'Mail', status: 'completed' });
  const below = await createSubtask(member, project, first.id, { name: 'Hero' });
  return { world, member, project, top, first, second, below, call: api(member.token) };
}

const getIds = ({ body }: { body: { data: { id: number }[] } }) => body.data.map(({ id }) => id);

describe('subtasks in the API', () => {
  it('include their parent and the number of direct, unarchived subtasks only with expand=structure', async () => {
    const { call, top, first, second, below } = await createTree();
    const plain = (await call.get(`/tasks/${first.id}`)).body;
    expect(plain).not.toHaveProperty('parent');
    const { parent, subtasks } = (await call.get(`/tasks/${first.id}?expand=structure`)).body;
    expect({ parent, subtasks }).toEqual({
      parent: { id: top.id, name: 'Launch' },
      subtasks: { total: 1, completed: 0 },
    });
    const readStructure = async () => (await call.get(`/tasks/${top.id}?expand=structure`)).body;
    expect(await readStructure()).toMatchObject({ parent: null, subtasks: { total: 2, completed: 1 } });
    await call.post(`/tasks/${second.id}/archive`);
    expect(await readStructure()).toMatchObject({ subtasks: { total: 1, completed: 0 } });
    await call.post(`/tasks/${second.id}/unarchive`);
    await call.patch(`/tasks/${first.id}`, { status: 'completed' });
    expect(await readStructure()).toMatchObject({ subtasks: { total: 2, completed: 2 } });
    await call.patch(`/tasks/${first.id}`, { parentId: null });
    expect(await readStructure()).toMatchObject({ subtasks: { total: 1, completed: 1 } });
    const listSubtasks = await call.get(`/tasks?scope=all&expand=structure&ids=${below.id},${top.id}`);
    expect(listSubtasks.body.data).toMatchObject([
      { id: below.id, parent: { id: first.id, name: 'Page' }, subtasks: { total: 0, completed: 0 } },
      { id: top.id, parent: null, subtasks: { total: 1, completed: 1 } },
    ]);
  });

  it('can be selected with the fields parameter, but only together with expand=structure', async () => {
    const { call, first } = await createTree();
    const trimmed = await call.get(`/tasks/${first.id}?expand=structure&fields=id,subtasks`);
    expect(trimmed.body).toEqual({ id: first.id, subtasks: { total: 1, completed: 0 } });
    for (const path of [
      `/tasks/${first.id}?fields=parent`,
      '/tasks?fields=subtasks',
      `/tasks/${first.id}/subtasks?fields=parent`,
    ]) {
      const rejected = await call.get(path);
      expect([rejected.status, rejected.body.error.message]).toEqual([
        400,
        expect.stringContaining('expand=structure'),
      ]);
    }
  });

  it('cost at most four more written rows than other tasks when they are created', async () => {
    const { call, project, top } = await createTree();
    const plain = await call.post('/tasks', { projectId: project, name: 'Plain' });
    const child = await call.post('/tasks', { projectId: project, name: 'Child', parentId: top.id });
    expect([plain.status, child.status]).toEqual([201, 201]);
    expect(child.cost.rowsWritten).toBeGreaterThan(plain.cost.rowsWritten);
    expect(child.cost.rowsWritten).toBeLessThanOrEqual(plain.cost.rowsWritten + 4);
    expect(child.cost.trips).toBe(plain.cost.trips);
  });

  it('are rejected with 404, before any write, if the parent is unknown or hidden', async () => {
    const { world, call, project, first } = await createTree();
    const hidden = await createTask(world.people.owner, world.projects.other.id);
    const missing = hidden.id + 999;
    const client = api(world.people.client.token);
    const rejections = [
      await call.post('/tasks', { projectId: project, name: 'x', parentId: missing }),
      await call.patch(`/tasks/${first.id}`, { parentId: missing }),
      await client.post('/tasks', { projectId: project, name: 'x', parentId: hidden.id }),
      await client.patch(`/tasks/${first.id}`, { parentId: hidden.id }),
      await call.patch('/tasks/bulk', { updates: [{ id: first.id, parentId: missing }] }),
      await call.post('/tasks/bulk', { tasks: [{ projectId: project, name: 'x', parentId: missing }] }),
    ];
    for (const { status, cost, headers } of rejections) {
      expect([status, cost.rowsWritten]).toEqual([404, 0]);
      expect(headers.get('Error-Field')).toMatch(/parentId$/);
    }
  });

  it("can't have an archived parent, a parent in another project, or themselves or a descendant as their parent", async () => {
    const { world, call, project, top, first, second, below } = await createTree();
    const elsewhere = await createTask(world.people.owner, world.projects.other.id);
    await call.post(`/tasks/${second.id}/archive`);
    const rejections = [
      [await call.post('/tasks', { projectId: project, name: 'x', parentId: second.id }), 'is archived'],
      [await call.patch(`/tasks/${first.id}`, { parentId: elsewhere.id }), 'belongs to project'],
      [
        await call.post('/tasks', { projectId: project, name: 'x', parentId: elsewhere.id }),
        'belongs to project',
      ],
      [await call.patch(`/tasks/${top.id}`, { parentId: top.id }), 'is the task itself'],
      [await call.patch(`/tasks/${top.id}`, { parentId: below.id }), 'is a subtask of this task'],
      [
        await call.patch('/tasks/bulk', {
          updates: [
            { id: first.id, parentId: null },
            { id: top.id, parentId: first.id },
            { id: second.id, parentId: top.id },
          ],
        }),
        'is archived',
      ],
    ] as const;
    for (const [{ status, body, cost }, text] of rejections) {
      expect([status, cost.rowsWritten, body.error.message]).toEqual([400, 0, expect.stringContaining(text)]);
    }
  });

  it('are validated in the order of the updates in a bulk request', async () => {
    const { call, top, first } = await createTree();
    const swapped = await call.patch('/tasks/bulk', {
      updates: [
        { id: first.id, parentId: null },
        { id: top.id, parentId: first.id },
      ],
    });
    expect(swapped.status).toBe(200);
    const back = await call.patch('/tasks/bulk', {
      updates: [
        { id: first.id, parentId: top.id },
        { id: top.id, parentId: null },
      ],
    });
    expect([back.status, back.body.error.message]).toEqual([400, expect.stringContaining('updates[0]')]);
    const each = await call.patch('/tasks/bulk?mode=each', {
      updates: [
        { id: first.id, parentId: top.id },
        { id: top.id, parentId: null },
      ],
    });
    expect(each.body.meta).toEqual({ succeeded: 1, failed: 1 });
  });

  it('are nested at most five levels deep, even if a task moves with its subtasks', async () => {
    const { call, member, project } = await createTree();
    const chain = [await createSubtask(member, project)];
    for (let level = 2; level <= 5; level += 1)
      chain.push(await createSubtask(member, project, chain.at(-1)?.id));
    const [root, , , , last] = chain.map(({ id }) => id) as [number, number, number, number, number];
    const sixth = await call.post('/tasks', { projectId: project, name: 'x', parentId: last });
    expect([sixth.status, sixth.body.error.message]).toEqual([400, expect.stringContaining('5 levels')]);
    const top = await createSubtask(member, project);
    const moved = await call.patch(`/tasks/${root}`, { parentId: top.id });
    expect([moved.status, moved.body.error.message]).toEqual([400, expect.stringContaining('5 levels')]);
    expect((await call.patch(`/tasks/${chain[1]?.id}`, { parentId: top.id })).status).toBe(200);
  });

  it('are limited to 500 direct and 1,000 total subtasks per task', async () => {
    const { call, member, project } = await createTree();
    const top = await createSubtask(member, project);
    const left = await createSubtask(member, project, top.id);
    const right = await createSubtask(member, project, top.id);
    const fillSubtasks = async (parentId: number, count: number) => {
      for (let sent = 0; sent < count; sent += 100) {
        const size = Math.min(100, count - sent);
        const tasks = Array.from({ length: size }, () => ({ projectId: project, name: 'x', parentId }));
        expect((await call.post('/tasks/bulk', { tasks })).status).toBe(201);
      }
    };
    await fillSubtasks(left.id, 499);
    const two = Array.from({ length: 2 }, () => ({ projectId: project, name: 'x', parentId: left.id }));
    const over = await call.post('/tasks/bulk', { tasks: two });
    expect([over.status, over.body.error.message]).toEqual([400, expect.stringContaining('500 subtasks')]);
    await fillSubtasks(left.id, 1);
    await fillSubtasks(right.id, 498);
    const full = await call.post('/tasks', { projectId: project, name: 'x', parentId: top.id });
    expect([full.status, full.body.error.message]).toEqual([400, expect.stringContaining('1000 subtasks')]);
    expect((await call.get(`/tasks/${left.id}/subtasks?limit=100`)).body.meta).toMatchObject({
      total: 500,
      hasMore: true,
    });
    const page = await call.get(`/tasks/${left.id}/subtasks`);
    const structured = await call.get(`/tasks/${left.id}/subtasks?expand=structure`);
    expect(page.cost.rowsRead).toBeLessThanOrEqual(2 * 26 + 10);
    expect(structured.cost.rowsRead).toBeLessThanOrEqual(page.cost.rowsRead + 100);
    const archived = await call.post(`/tasks/${top.id}/archive`);
    expect(archived.status).toBe(200);
    expect(
      (await call.get(`/tasks?scope=all&isArchived=true&projectId=${project}&limit=1`)).body.meta.total,
    ).toBe(1001);
    await call.post(`/tasks/${top.id}/unarchive`);
    expect(
      (await call.get(`/tasks?scope=all&isArchived=true&projectId=${project}&limit=1`)).body.meta.total,
    ).toBe(0);
  });

  it('have every change of their parent recorded in the history and in events', async () => {
    const { call, top, second, first } = await createTree();
    await call.patch(`/tasks/${second.id}`, { parentId: first.id });
    await call.patch(`/tasks/${second.id}`, { parentId: null });
    const { data } = (await call.get(`/tasks/${second.id}/activities`)).body;
    expect(data.map(({ type, field, from, to }: Record<string, unknown>) => [type, field, from, to])).toEqual(
      [
        ['parent_changed', 'parent', String(first.id), null],
        ['parent_changed', 'parent', String(top.id), String(first.id)],
        ['created', null, null, null],
      ],
    );
    const events = (await call.get('/events?after=0&limit=100')).body.data;
    const changes = events
      .filter((event: { task: { id: number } | null }) => event.task?.id === second.id)
      .map((event: { changes: { parent?: unknown } }) => event.changes.parent);
    expect(changes).toEqual([
      { from: null, to: { id: top.id } },
      { from: { id: top.id }, to: { id: first.id } },
      { from: { id: first.id }, to: null },
    ]);
  });
});

describe('GET /tasks?parentId', () => {
  it('lists the subtasks of a task, or the tasks without a parent, with exact totals', async () => {
    const { call, project, top, first, second, below } = await createTree();
    const listSubtasks = async (query: string) => {
      const answer = await call.get(`/tasks?scope=all&projectId=${project}&${query}`);
      return [getIds(answer), answer.body.meta.total];
    };
    expect(await listSubtasks(`parentId=${top.id}`)).toEqual([[second.id, first.id], 2]);
    expect(await listSubtasks(`parentId=${top.id}&status=completed`)).toEqual([[second.id], 1]);
    expect(await listSubtasks(`parentId=${top.id}&ids=${first.id},${below.id}`)).toEqual([[first.id], 1]);
    expect(await listSubtasks(`parentId=${top.id}&search=mail`)).toEqual([[second.id], 1]);
    expect(await listSubtasks('parentId=none')).toEqual([[top.id], 1]);
    expect(await listSubtasks('parentId=none&sort=due')).toEqual([[top.id], 1]);
    expect(await listSubtasks('parentId=none&search=l')).toEqual([[top.id], 1]);
    expect(await listSubtasks(`parentId=${below.id}`)).toEqual([[], 0]);
    expect((await call.get('/tasks?parentId=abc')).status).toBe(400);
  });
});

describe('the manual order of subtasks', () => {
  it('is kept in every page of the list, with new subtasks last', async () => {
    const { call, member, project, top, first, second } = await createTree();
    const third = await createSubtask(member, project, top.id);
    const path = `/tasks/${top.id}/subtasks`;
    expect(getIds(await call.get(path))).toEqual([first.id, second.id, third.id]);
    const ordered = await call.post(`${path}/order`, { ids: [third.id, first.id, second.id] });
    expect([ordered.status, getIds(ordered)]).toEqual([200, [third.id, first.id, second.id]]);
    expect(getIds(await call.get(path))).toEqual([third.id, first.id, second.id]);
    const fourth = await createSubtask(member, project, top.id);
    const page = await call.get(`${path}?limit=2`);
    expect(page.body.meta).toEqual({ total: 4, limit: 2, offset: 0, hasMore: true });
    const next = /<[^>]*\/v1([^>]*)>; rel="next"/.exec(page.headers.get('Link') ?? '')?.[1] ?? '';
    expect(getIds(await call.get(next))).toEqual([second.id, fourth.id]);
    const [entry] = (await call.get(`/tasks/${top.id}/activities`)).body.data;
    expect([entry.type, entry.field, entry.from, entry.to]).toEqual([
      'subtasks_changed',
      'subtasks',
      null,
      null,
    ]);
    const again = await call.post(`${path}/order`, { ids: [third.id, first.id, second.id, fourth.id] });
    expect([again.status, again.cost.rowsWritten]).toEqual([200, 0]);
  });

  it("is rejected if it doesn't contain every unarchived subtask exactly once, or if the parent is archived", async () => {
    const { call, top, first, second, below } = await createTree();
    const path = `/tasks/${top.id}/subtasks/order`;
    for (const ids of [[first.id], [first.id, first.id, second.id], [first.id, second.id, below.id]]) {
      const rejected = await call.post(path, { ids });
      expect([rejected.status, rejected.cost.rowsWritten]).toEqual([400, 0]);
    }
    await call.post(`/tasks/${second.id}/archive`);
    expect((await call.post(path, { ids: [first.id] })).status).toBe(200);
    await call.post(`/tasks/${top.id}/archive`);
    expect((await call.post(path, { ids: [first.id] })).status).toBe(400);
  });

  it('ends with the tasks that became subtasks in one request, sorted by id', async () => {
    const { call, member, project, top, first, second } = await createTree();
    const loose = [
      await createSubtask(member, project),
      await createSubtask(member, project),
      await createSubtask(member, project),
    ];
    const ids = loose.map(({ id }) => id);
    await call.patch('/tasks/bulk', { ids, set: { parentId: top.id } });
    const path = `/tasks/${top.id}/subtasks`;
    expect(getIds(await call.get(path))).toEqual([first.id, second.id, ...ids]);
    const reversed = [...ids, second.id, first.id].toReversed();
    expect(getIds(await call.post(`${path}/order`, { ids: reversed }))).toEqual(reversed);
  });
});

describe('archiving a parent', () => {
  it('archives its descendants, and unarchiving the parent unarchives all of them except those archived separately', async () => {
    const { call, member, project, top, first, second, below } = await createTree();
    const later = await createSubtask(member, project, top.id);
    await call.post(`/tasks/${second.id}/archive`);
    const areArchived = async (...ids: number[]) => {
      const { data } = (await call.get(`/tasks?ids=${ids}`)).body;
      return data.flatMap((task: { id: number; isArchived: boolean }) => (task.isArchived ? [task.id] : []));
    };
    const all = [later.id, below.id, second.id, first.id, top.id];
    await call.post(`/tasks/${top.id}/archive`);
    expect(await areArchived(...all)).toEqual(all);
    const { data } = (await call.get(`/tasks/${below.id}/activities`)).body;
    expect(data.map(({ type }: { type: string }) => type)).toEqual(['archived', 'created']);
    await call.post(`/tasks/${later.id}/unarchive`);
    await call.patch(`/tasks/${later.id}`, { parentId: null });
    await call.post(`/tasks/${later.id}/archive`);
    await call.post(`/tasks/bulk/unarchive`, { ids: [top.id] });
    expect(await areArchived(...all)).toEqual([later.id, second.id]);
    const { subtasks } = (await call.get(`/tasks/${top.id}?expand=structure`)).body;
    expect(subtasks).toEqual({ total: 1, completed: 0 });
  });

  it('archives all descendants, even if an archived subtask is sent together with its parent', async () => {
    const { world, call, top, first, below } = await createTree();
    await call.post(`/tasks/${first.id}/archive`);
    await call.post(`/tasks/${below.id}/unarchive`);
    const { status, body } = await call.post('/tasks/bulk/archive', { ids: [top.id, first.id] });
    expect([status, body.meta]).toEqual([200, { succeeded: 2, failed: 0 }]);
    expect((await call.get(`/tasks/${below.id}`)).body.isArchived).toBe(true);
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('is rejected for more than 2,000 subtasks, after reading fewer than 15,000 rows', async () => {
    const { world, call, member, project } = await createTree();
    const ids: number[] = [];
    for (let count = 0; count < 12; count += 1) ids.push((await createSubtask(member, project)).id);
    await getCell(world.cell)
      .prepare(
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
        INSERT INTO tasks (ws, project, parent, parent_place, name, created_by, created_at, updated_at)
        SELECT ?1, ?2, j.value, i, 'Subtask ' || i, ?3, 1, 1 FROM json_each(?4) j, n`,
      )
      .bind(world.no, project, member.member, JSON.stringify(ids))
      .run();
    const { status, body, cost } = await call.post('/tasks/bulk/archive', { ids });
    expect([status, cost.rowsWritten]).toEqual([400, 0]);
    expect(body.error.message).toContain('more than 2000 subtasks');
    expect(cost.rowsRead).toBeLessThan(15_000);
  });
});

describe('POST /tasks/:id/duplicate', () => {
  it('copies the task alone under the same parent, unless the parent is archived', async () => {
    const { call, top, first } = await createTree();
    const copy = await call.post(`/tasks/${first.id}/duplicate`);
    expect(copy.status).toBe(201);
    const readStructure = async (id: number) => (await call.get(`/tasks/${id}?expand=structure`)).body;
    expect(await readStructure(copy.body.id)).toMatchObject({
      parent: { id: top.id },
      subtasks: { total: 0, completed: 0 },
    });
    expect(await readStructure(top.id)).toMatchObject({ subtasks: { total: 3, completed: 1 } });
    await call.post(`/tasks/${top.id}/archive`);
    const alone = await call.post(`/tasks/${first.id}/duplicate`);
    expect(await readStructure(alone.body.id)).toMatchObject({ parent: null, isArchived: false });
  });

  it('copies unarchived subtasks at all levels with include=subtasks', async () => {
    const { world, call, member, project, top, first, second, below } = await createTree();
    const gone = await createSubtask(member, project, first.id, { name: 'Gone' });
    await call.post(`/tasks/${gone.id}/archive`);
    await call.patch(`/tasks/${below.id}`, { description: '<p>Text</p>' });
    await call.post(`/tasks/${top.id}/subtasks/order`, { ids: [second.id, first.id] });
    const copy = await call.post(`/tasks/${top.id}/duplicate?include=subtasks`);
    expect([copy.status, copy.body.name]).toEqual([201, 'Launch (copy)']);
    const listSubtasks = async (id: number) =>
      (await call.get(`/tasks/${id}/subtasks?expand=structure`)).body.data;
    const [mail, page] = await listSubtasks(copy.body.id);
    expect([mail, page]).toMatchObject([
      { name: 'Mail', status: 'completed', parent: { id: copy.body.id } },
      { name: 'Page', subtasks: { total: 1, completed: 0 } },
    ]);
    const [hero] = await listSubtasks(page.id);
    expect((await call.get(`/tasks/${hero.id}`)).body).toMatchObject({
      name: 'Hero',
      description: '<p>Text</p>',
    });
    expect((await call.get(`/tasks/${copy.body.id}?expand=structure`)).body.subtasks).toEqual({
      total: 2,
      completed: 1,
    });
    const events = (await call.get('/events?after=0&limit=100&types=task.duplicated')).body.data;
    expect(events.map(({ copiedFrom }: { copiedFrom: { id: number } }) => copiedFrom.id)).toEqual(
      expect.arrayContaining([top.id, first.id, second.id, below.id]),
    );
    expect(await findCounterDrift(world)).toEqual([]);
  });
});
