import { beforeAll, describe, expect, it } from 'vitest';
import { taskPriorities, taskStatuses } from '../../../src/tasks/model/tasks.schema.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createRandom } from '../../support/random.ts';
import { createTask, createWorld, type Person, type World } from '../../support/world.ts';

const random = createRandom(20_261_123);
let world: World;
let me: ReturnType<typeof api>;

beforeAll(async () => {
  world = await createWorld();
  me = api(world.people.owner.token);
});

describe('PATCH /tasks/bulk', () => {
  const listPeople = (): Person[] => Object.values(world.people);

  function createRandomEdit() {
    return {
      ...(random.chance(0.5) && { status: random.pick(taskStatuses) }),
      ...(random.chance(0.4) && { priority: random.pick(taskPriorities) }),
      ...(random.chance(0.4) && {
        assigneeId: random.pick([null, ...listPeople().map(({ userId }) => userId)]),
      }),
      ...(random.chance(0.4) && { deadline: random.pick([null, '2025-12-31', '2026-06-01']) }),
      ...(random.chance(0.3) && { name: random.pick(['Ünïcode', "O'Neill", 'x']) }),
      ...(random.chance(0.3) && { description: random.pick([null, '<p>"quoted"</p>']) }),
      ...(random.chance(0.3) && { customEstimatedHours: random.pick([null, '2.5']) }),
      ...(random.chance(0.3) && { startDate: random.pick([null, '2026-05-01']) }),
    };
  }

  /** Reads everything that must be the same after a single and a bulk request. */
  async function readOutcome(id: number) {
    const { body: task } = await me.get(`/tasks/${id}`);
    const { body: history } = await me.get(`/tasks/${id}/activities?limit=100`);
    const notifications = await getCell(0)
      .prepare('SELECT user_id, type, actor FROM notifications WHERE task = ? ORDER BY user_id, type')
      .bind(id)
      .all();
    const events = await getCell(0)
      .prepare('SELECT type, project, actor, via, changes, entries FROM events WHERE task = ? ORDER BY seq')
      .bind(id)
      .all();
    const entries = history.data.map((each: Record<string, unknown>) => ({ ...each, id: 0, createdAt: '' }));
    return [{ ...task, id: 0, createdAt: '', updatedAt: '' }, entries, notifications.results, events.results];
  }

  it('changes many tasks, each with different values, with the same results as single requests', async () => {
    for (let round = 0; round < 6; round += 1) {
      const pairs: [number, number][] = [];
      for (let made = 0; made < 12; made += 1) {
        const draft = { status: random.pick(taskStatuses), ...createRandomEdit(), name: 'Pair' };
        const creator = random.pick([world.people.owner, world.people.lead]);
        const place = world.projects.other.id;
        pairs.push([
          (await createTask(creator, place, draft)).id,
          (await createTask(creator, place, draft)).id,
        ]);
      }
      const edits = pairs.map(() => createRandomEdit());
      const updates = pairs.map(([id], index) => ({ id, ...edits[index] }));
      const { status, body, cost } = await me.patch('/tasks/bulk', { updates });
      expect(status, JSON.stringify(body)).toBe(200);
      expect(cost.trips).toBeLessThanOrEqual(3);
      for (const [index, [, id]] of pairs.entries()) await me.patch(`/tasks/${id}`, edits[index]);
      for (const [index, [one, other]] of pairs.entries()) {
        expect(await readOutcome(one), JSON.stringify(edits[index])).toEqual(await readOutcome(other));
        expect(body.data[index].task).toEqual((await me.get(`/tasks/${one}`)).body);
      }
    }
    expect(await findInconsistencies()).toEqual([]);
  });

  it('changes many tasks to the same values, and requires ids and set together', async () => {
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

  it('changes a task only if it still has the version in ifVersion', async () => {
    const made = await Promise.all(
      [1, 2].map(() => createTask(world.people.owner, world.projects.joined.id)),
    );
    const [one = 0, two = 0] = made.map(({ id }) => id);
    const tags = await Promise.all(
      [one, two].map(async (id) => (await me.get(`/tasks/${id}`)).headers.get('ETag') ?? ''),
    );
    await me.post(`/tasks/${one}/comments`, { content: 'A comment is no new version' });
    await me.patch(`/tasks/${two}`, { priority: 'low' });
    const updates = [one, two].map((id, index) => ({ id, status: 'completed', ifVersion: tags[index] }));
    const all = await me.patch('/tasks/bulk', { updates });
    expect([all.status, all.body.error.message]).toEqual([
      412,
      expect.stringContaining('updates[1].ifVersion must name'),
    ]);
    expect((await me.get(`/tasks/${one}`)).body.status).toBe('todo');
    const each = await me.patch('/tasks/bulk?mode=each', { updates });
    expect(each.body.data).toMatchObject([{ task: { status: 'completed' } }, { error: { status: 412 } }]);
  });

  it('returns an error for hidden and archived tasks', async () => {
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

describe('a bulk request that is repeated with the same Idempotency-Key', () => {
  const long = 'long '.repeat(90_000 / 5);
  const key = { 'Idempotency-Key': crypto.randomUUID() };
  const createTaskId = async (fields = {}) =>
    (await createTask(world.people.owner, world.projects.joined.id, fields)).id;
  const readTag = async (id: number) => (await me.get(`/tasks/${id}`)).headers.get('ETag') ?? '';

  it.each(['all', 'each'])(
    'returns the first result even if the versions have since changed (mode %s)',
    async (mode) => {
      const ids = await Promise.all(Array.from({ length: 6 }, () => createTaskId()));
      const updates = await Promise.all(
        ids.map(async (id) => ({ id, description: long, ifVersion: await readTag(id) })),
      );
      if (mode === 'each') await me.patch(`/tasks/${ids[2]}`, { priority: 'low' });
      const header = { 'Idempotency-Key': `${key['Idempotency-Key']}${mode}` };
      const sendUpdate = () => me.patch(`/tasks/bulk?mode=${mode}`, { updates }, header);
      const first = await sendUpdate();
      expect([first.status, first.body.meta.failed]).toEqual([200, mode === 'each' ? 1 : 0]);
      const again = await sendUpdate();
      expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([200, 'true']);
      expect(again.body).toEqual(first.body);
      // A repeated request writes nothing, even if the task has been changed in the meantime.
      await me.patch(`/tasks/${ids[0]}`, { description: 'Changed since' });
      expect((await sendUpdate()).status).toBe(200);
      expect((await me.get(`/tasks/${ids[0]}`)).body.description).toBe('Changed since');
    },
  );

  it('returns the archived tasks even if an earlier release stored the key without the result', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => createTaskId({ description: long })));
    const header = { 'Idempotency-Key': crypto.randomUUID() };
    const sendUpdate = () => me.post('/tasks/bulk/archive', { ids }, header);
    const first = await sendUpdate();
    await getCell(0).prepare("UPDATE idempotency_keys SET entity = NULL WHERE typeof(entity) = 'text'").run();
    const again = await sendUpdate();
    expect([again.status, again.body]).toEqual([200, first.body]);
  });

  it("doesn't archive a task that has since been restored", async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => createTaskId({ description: long })));
    const header = { 'Idempotency-Key': crypto.randomUUID() };
    expect((await me.post('/tasks/bulk/archive', { ids }, header)).status).toBe(200);
    await me.post('/tasks/bulk/unarchive', { ids });
    expect((await me.post('/tasks/bulk/archive', { ids }, header)).status).toBe(200);
    expect((await me.get(`/tasks/${ids[0]}`)).body.isArchived).toBe(false);
  });
});

describe('POST /tasks/bulk/archive and /unarchive', () => {
  it('archive and restore tasks, and record only actual changes', async () => {
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
    expect(await findInconsistencies()).toEqual([]);
  });
});
