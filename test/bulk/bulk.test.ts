import { beforeAll, describe, expect, it } from 'vitest';
import { taskPriorities, taskStatuses } from '../../src/task-model/tasks.schema.ts';
import { whatIsOff } from '../faults/store.ts';
import { api } from '../support/api.ts';
import { cellOf } from '../support/env.ts';
import { seeded } from '../support/random.ts';
import { createTask, createWorld, type Person, type World } from '../support/world.ts';

const random = seeded(20_261_123);
let world: World;
let me: ReturnType<typeof api>;

beforeAll(async () => {
  world = await createWorld();
  me = api(world.people.owner.token);
});

const countTasks = async () =>
  (await cellOf(0).prepare('SELECT count(*) AS n FROM tasks').first<{ n: number }>())?.n ?? 0;

function draft(index: number) {
  return {
    projectId: world.projects.joined.id,
    name: `Item ${index}`,
    assigneeId: world.people.member.userId,
    deadline: '2026-12-01',
    status: random.pick(taskStatuses),
    description: `<p>Text ${index}</p>`,
  };
}

describe('POST /tasks/bulk', () => {
  it('creates 100 tasks in at most 3 trips, with the rows of 100 single ones', async () => {
    await me.post('/tasks', draft(0));
    const single = await me.post('/tasks', draft(0));
    const drafts = Array.from({ length: 100 }, (_, index) => draft(index));
    const { status, body, cost } = await me.post('/tasks/bulk', { tasks: drafts });
    expect(status).toBe(201);
    expect(body.meta).toEqual({ succeeded: 100, failed: 0 });
    expect(body.data.map((each: { index: number }) => each.index)).toEqual(drafts.map((_, index) => index));
    for (const [index, { task }] of body.data.entries()) {
      expect(task).toMatchObject({
        name: `Item ${index}`,
        status: drafts[index]?.status,
        deadline: '2026-12-01',
      });
    }
    expect(cost.trips).toBeLessThanOrEqual(3);
    expect(cost.rowsWritten).toBeLessThanOrEqual(100 * single.cost.rowsWritten);
    expect(cost.rowsRead).toBeLessThanOrEqual(100 * single.cost.rowsRead);
    const last = body.data.at(-1).task;
    expect((await me.get(`/tasks/${last.id}`)).body).toEqual(last);
    expect((await me.get(`/tasks/${last.id}/activities`)).body.data).toMatchObject([{ type: 'created' }]);
    expect((await me.get('/tasks?search=Item 99&scope=all')).body.meta.total).toBe(1);
    const told = await api(world.people.member.token).get('/notifications?limit=1');
    expect(told.body.meta.total).toBe(102);
    expect(await whatIsOff()).toEqual([]);
  });

  it('creates nothing where one item is refused, and names it', async () => {
    const before = await countTasks();
    const refused = async (item: Record<string, unknown>) => {
      const tasks = Array.from({ length: 100 }, (_, index) =>
        index === 99 ? { ...draft(0), ...item } : draft(index),
      );
      const { status, body } = await me.post('/tasks/bulk', { tasks });
      return [status, body.error.message];
    };
    expect(await refused({ deadline: '2026-02-31' })).toEqual([
      400,
      "tasks[99].deadline must be a real date in the form YYYY-MM-DD; got '2026-02-31'",
    ]);
    expect((await refused({ titel: 'x' }))[1]).toContain('tasks[99].');
    expect(await refused({ assigneeId: 'usr_nobody' })).toEqual([
      400,
      expect.stringContaining("tasks[99].assigneeId 'usr_nobody' is not a member"),
    ]);
    expect(await refused({ projectId: 999_999 })).toEqual([
      404,
      expect.stringContaining('tasks[99]: No project'),
    ]);
    expect(await refused({ typeId: 999_999 })).toEqual([400, expect.stringContaining('tasks[99].typeId')]);
    expect(await countTasks()).toBe(before);
    for (const tasks of [[], Array.from({ length: 101 }, () => draft(0)), 'x', undefined]) {
      expect((await me.post('/tasks/bulk', { tasks })).status).toBe(400);
    }
    expect((await me.post('/tasks/bulk?mode=some', { tasks: [draft(0)] })).status).toBe(400);
    expect((await me.post('/tasks/bulk', { tasks: [draft(0)], mode: 'each' })).status).toBe(400);
  });

  it('creates with mode=each what can be created, and says of the rest why not', async () => {
    const before = await countTasks();
    const tasks = [draft(1), { name: 'no project' }, { ...draft(2), projectId: 999_999 }, draft(3)];
    const { status, body } = await me.post('/tasks/bulk?mode=each', { tasks });
    expect(status).toBe(200);
    expect(body.meta).toEqual({ succeeded: 2, failed: 2 });
    expect(body.data).toMatchObject([
      { index: 0, task: { name: 'Item 1' } },
      {
        index: 1,
        error: { code: 'invalid_request', status: 400, message: expect.stringContaining('projectId') },
      },
      {
        index: 2,
        error: { code: 'not_found', status: 404, message: expect.stringContaining('GET /v1/projects') },
      },
      { index: 3, task: { name: 'Item 3' } },
    ]);
    expect(await countTasks()).toBe(before + 2);
    const none = await me.post('/tasks/bulk?mode=each', { tasks: [{ name: 'x' }] });
    expect([none.status, none.body.meta]).toEqual([200, { succeeded: 0, failed: 1 }]);
  });

  it('is carried out once under an Idempotency-Key', async () => {
    const key = { 'Idempotency-Key': 'bulk-1' };
    const body = { tasks: [draft(1), draft(2)] };
    const first = await me.post('/tasks/bulk', body, key);
    const before = await countTasks();
    const again = await me.post('/tasks/bulk', body, key);
    expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([201, 'true']);
    expect(again.body).toEqual(first.body);
    expect(await countTasks()).toBe(before);
    expect((await me.post('/tasks/bulk?mode=each', body, key)).status).toBe(400);
  });

  it('takes a body full of text', async () => {
    const tasks = Array.from({ length: 9 }, (_, index) => ({
      ...draft(index),
      description: 'wörter '.repeat(14_000),
    }));
    const { status, body } = await me.post('/tasks/bulk', { tasks });
    expect(status).toBe(201);
    expect((await me.get('/tasks?search=wörter wörter&scope=all')).body.meta.total).toBe(9);
    const ids = body.data.map(({ task }: { task: { id: number } }) => task.id);
    expect((await me.post('/tasks/bulk/archive', { ids })).status).toBe(200);
    expect((await me.get('/tasks?search=wörter&scope=all&isArchived=true')).body.meta.total).toBe(9);
    expect(await whatIsOff()).toEqual([]);
  });
});

describe('PATCH /tasks/bulk', () => {
  const people = (): Person[] => Object.values(world.people);

  function edit() {
    return {
      ...(random.chance(0.5) && { status: random.pick(taskStatuses) }),
      ...(random.chance(0.4) && { priority: random.pick(taskPriorities) }),
      ...(random.chance(0.4) && { assigneeId: random.pick([null, ...people().map(({ userId }) => userId)]) }),
      ...(random.chance(0.4) && { deadline: random.pick([null, '2025-12-31', '2026-06-01']) }),
      ...(random.chance(0.3) && { name: random.pick(['Ünïcode', "O'Neill", 'x']) }),
      ...(random.chance(0.3) && { description: random.pick([null, '<p>"quoted"</p>']) }),
      ...(random.chance(0.3) && { customEstimatedHours: random.pick([null, '2.5']) }),
      ...(random.chance(0.3) && { startDate: random.pick([null, '2026-05-01']) }),
    };
  }

  /** What is to be the same whichever way a task was changed. */
  async function story(id: number) {
    const { body: task } = await me.get(`/tasks/${id}`);
    const { body: history } = await me.get(`/tasks/${id}/activities?limit=100`);
    const told = await cellOf(0)
      .prepare('SELECT user_id, type, actor FROM notifications WHERE task = ? ORDER BY user_id, type')
      .bind(id)
      .all();
    const events = await cellOf(0)
      .prepare('SELECT type, project, actor, via, changes, entries FROM events WHERE task = ? ORDER BY seq')
      .bind(id)
      .all();
    const entries = history.data.map((each: Record<string, unknown>) => ({ ...each, id: 0, createdAt: '' }));
    return [{ ...task, id: 0, createdAt: '', updatedAt: '' }, entries, told.results, events.results];
  }

  it('changes many tasks, each in its own way, as single requests do', async () => {
    for (let round = 0; round < 6; round += 1) {
      const pairs: [number, number][] = [];
      for (let made = 0; made < 12; made += 1) {
        const draft = { status: random.pick(taskStatuses), ...edit(), name: 'Pair' };
        const creator = random.pick([world.people.owner, world.people.lead]);
        const place = world.projects.other.id;
        pairs.push([
          (await createTask(creator, place, draft)).id,
          (await createTask(creator, place, draft)).id,
        ]);
      }
      const edits = pairs.map(() => edit());
      const updates = pairs.map(([id], index) => ({ id, ...edits[index] }));
      const { status, body, cost } = await me.patch('/tasks/bulk', { updates });
      expect(status, JSON.stringify(body)).toBe(200);
      expect(cost.trips).toBeLessThanOrEqual(3);
      for (const [index, [, id]] of pairs.entries()) await me.patch(`/tasks/${id}`, edits[index]);
      for (const [index, [one, other]] of pairs.entries()) {
        expect(await story(one), JSON.stringify(edits[index])).toEqual(await story(other));
        expect(body.data[index].task).toEqual((await me.get(`/tasks/${one}`)).body);
      }
    }
    expect(await whatIsOff()).toEqual([]);
  }, 120_000);

  it('gives many tasks the same, and refuses a half of that form', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(async () => (await createTask(world.people.owner, world.projects.joined.id)).id),
    );
    const { body } = await me.patch('/tasks/bulk', {
      ids,
      set: { status: 'completed', assigneeId: world.people.lead.userId },
    });
    expect(body.data).toMatchObject(ids.map((id, index) => ({ index, task: { id, status: 'completed' } })));
    const statuses = await Promise.all(
      [
        {},
        { ids },
        { set: { status: 'todo' } },
        { ids, set: {}, updates: [{ id: ids[0] }] },
        { ids, set: { id: 1 } },
      ].map(async (wrong) => (await me.patch('/tasks/bulk', wrong)).status),
    );
    expect(statuses).toEqual([400, 400, 400, 400, 400]);
    const twice = await me.patch('/tasks/bulk', {
      updates: [{ id: ids[0] }, { id: ids[0], status: 'todo' }],
    });
    expect(twice.body.error.message).toContain('updates[1].id');
    expect((await me.patch('/tasks/bulk', { ids, set: {} })).body.meta.succeeded).toBe(3);
  });

  it('changes only the version that ifVersion names', async () => {
    const made = await Promise.all(
      [1, 2].map(() => createTask(world.people.owner, world.projects.joined.id)),
    );
    const [one = 0, two = 0] = made.map(({ id }) => id);
    const tags = await Promise.all(
      [one, two].map(async (id) => (await me.get(`/tasks/${id}`)).headers.get('ETag') ?? ''),
    );
    await me.post(`/tasks/${two}/comments`, { content: 'meanwhile' });
    const updates = [one, two].map((id, index) => ({ id, status: 'completed', ifVersion: tags[index] }));
    const all = await me.patch('/tasks/bulk', { updates });
    expect([all.status, all.body.error.message]).toEqual([412, expect.stringContaining('updates[1]')]);
    expect((await me.get(`/tasks/${one}`)).body.status).toBe('todo');
    const each = await me.patch('/tasks/bulk?mode=each', { updates });
    expect(each.body.data).toMatchObject([{ task: { status: 'completed' } }, { error: { status: 412 } }]);
  });

  it('hides what the caller does not see, and refuses archived tasks', async () => {
    const { client, owner } = world.people;
    const hidden = (await createTask(owner, world.projects.other.id)).id;
    const archived = (await createTask(owner, world.projects.joined.id)).id;
    await me.post(`/tasks/${archived}/archive`);
    const seen = (await createTask(owner, world.projects.joined.id, { assigneeId: client.userId })).id;
    const ids = [seen, hidden, 999_999_999, archived];
    const { body } = await api(client.token).patch('/tasks/bulk?mode=each', {
      ids,
      set: { priority: 'high' },
    });
    const hiddenMessage = body.data[1].error?.message?.replace(String(hidden), '');
    expect(body.data[2].error.message.replace('999999999', '')).toBe(hiddenMessage);
    expect(body.data[0]).toMatchObject({ task: { priority: 'high' } });
    expect(body.data.map((each: { error?: { status: number } }) => each.error?.status)).toEqual([
      undefined,
      404,
      404,
      expect.anything(),
    ]);
    expect(
      (await me.patch('/tasks/bulk', { ids: [archived], set: { priority: 'low' } })).body.error.message,
    ).toContain('ids[0]: Task');
  });
});

describe('POST /tasks/bulk/archive and unarchive', () => {
  it('move tasks out of the lists and back, and log only real changes', async () => {
    const ids = await Promise.all(
      [1, 2, 3].map(
        async () => (await createTask(world.people.owner, world.projects.joined.id, { name: 'Zebra' })).id,
      ),
    );
    await me.post(`/tasks/${ids[0]}/archive`);
    const { body, cost } = await me.post('/tasks/bulk/archive', { ids });
    expect(body.data.map(({ task }: { task: { isArchived: boolean } }) => task.isArchived)).toEqual([
      true,
      true,
      true,
    ]);
    expect(cost.trips).toBeLessThanOrEqual(3);
    expect((await me.get(`/tasks/${ids[0]}/activities`)).body.meta.total).toBe(2);
    expect((await me.get('/tasks?search=zebra&scope=all')).body.meta.total).toBe(0);
    await me.post('/tasks/bulk/unarchive', { ids });
    expect((await me.get('/tasks?search=zebra&scope=all')).body.meta.total).toBe(3);
    const each = await me.post('/tasks/bulk/archive?mode=each', { ids: [ids[1], 999_999_999] });
    expect(each.body.meta).toEqual({ succeeded: 1, failed: 1 });
    expect((await me.post('/tasks/bulk/archive', { ids: [ids[2], 999_999_999] })).status).toBe(404);
    expect((await me.get(`/tasks/${ids[2]}`)).body.isArchived).toBe(false);
    expect(await whatIsOff()).toEqual([]);
  });
});
