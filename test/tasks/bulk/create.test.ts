import { beforeAll, describe, expect, it } from 'vitest';
import { taskStatuses } from '../../../src/tasks/model/tasks.schema.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { type ApiResponse, api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createRandom } from '../../support/random.ts';
import { createApiKey, createWorld, type World } from '../../support/world.ts';

const random = createRandom(20_261_123);
let world: World;
let me: ReturnType<typeof api>;

beforeAll(async () => {
  world = await createWorld();
  me = api(world.people.owner.token);
});

const countTasks = async () =>
  (await getCell(0).prepare('SELECT count(*) AS n FROM tasks').first<{ n: number }>())?.n ?? 0;

function createDraft(index: number) {
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
  it('creates 100 tasks in at most 3 database round trips, writing no more rows than 100 single requests', async () => {
    await me.post('/tasks', createDraft(0));
    const single = await me.post('/tasks', createDraft(0));
    const drafts = Array.from({ length: 100 }, (_, index) => createDraft(index));
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
    const notifications = await api(world.people.member.token).get('/notifications?limit=1');
    expect(notifications.body.meta.total).toBe(102);
    expect(await findInconsistencies()).toEqual([]);
  });

  it('creates nothing if one item is rejected, and reports the index of the item', async () => {
    const before = await countTasks();
    const expectRejection = async (item: Record<string, unknown>) => {
      const tasks = Array.from({ length: 100 }, (_, index) =>
        index === 99 ? { ...createDraft(0), ...item } : createDraft(index),
      );
      const { status, body } = await me.post('/tasks/bulk', { tasks });
      return [status, body.error.message];
    };
    expect(await expectRejection({ deadline: '2026-02-31' })).toEqual([
      400,
      "tasks[99].deadline must be a real date in the form YYYY-MM-DD; got '2026-02-31'",
    ]);
    expect((await expectRejection({ titel: 'x' }))[1]).toContain('tasks[99].');
    expect(await expectRejection({ assigneeId: 'usr_nobody' })).toEqual([
      400,
      expect.stringContaining("tasks[99].assigneeId 'usr_nobody' is not a member"),
    ]);
    expect(await expectRejection({ projectId: 999_999 })).toEqual([
      404,
      expect.stringContaining('tasks[99]: No project'),
    ]);
    expect(await expectRejection({ typeId: 999_999 })).toEqual([
      400,
      expect.stringContaining('tasks[99].typeId'),
    ]);
    expect(await countTasks()).toBe(before);
    for (const tasks of [[], Array.from({ length: 101 }, () => createDraft(0)), 'x', undefined]) {
      expect((await me.post('/tasks/bulk', { tasks })).status).toBe(400);
    }
    expect((await me.post('/tasks/bulk?mode=some', { tasks: [createDraft(0)] })).status).toBe(400);
    expect((await me.post('/tasks/bulk', { tasks: [createDraft(0)], mode: 'each' })).status).toBe(400);
  });

  it('creates every valid item with mode=each, and returns an error for each invalid item', async () => {
    const before = await countTasks();
    const tasks = [
      createDraft(1),
      { name: 'no project' },
      { ...createDraft(2), projectId: 999_999 },
      createDraft(3),
    ];
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

  it('creates the tasks once per Idempotency-Key', async () => {
    const key = { 'Idempotency-Key': 'bulk-1' };
    const body = { tasks: [createDraft(1), createDraft(2)] };
    const first = await me.post('/tasks/bulk', body, key);
    const before = await countTasks();
    const again = await me.post('/tasks/bulk', body, key);
    expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([201, 'true']);
    expect(again.body).toEqual(first.body);
    expect(await countTasks()).toBe(before);
    expect((await me.post('/tasks/bulk?mode=each', body, key)).status).toBe(400);
  });

  it('accepts any text that fits in a request body, and returns it in full', async () => {
    const description = 'wörter '.repeat(14_000);
    const tasks = Array.from({ length: 8 }, (_, index) => ({ ...createDraft(index), description }));
    const { status, body } = await me.post('/tasks/bulk', { tasks });
    expect(status).toBe(201);
    expect(body.data.map(({ task }: { task: { description: string } }) => task.description)).toEqual(
      tasks.map((each) => each.description),
    );
    expect((await me.get('/tasks?search=wörter wörter&scope=all')).body.meta.total).toBe(8);
    const ids = body.data.map(({ task }: { task: { id: number } }) => task.id);
    const archived = await me.post('/tasks/bulk/archive', { ids });
    expect(archived.body.data[7].task).toEqual((await me.get(`/tasks/${ids[7]}`)).body);
    expect((await me.get('/tasks?search=wörter&scope=all&isArchived=true')).body.meta.total).toBe(8);
    expect((await me.get('/tasks?search=wörter&scope=all')).body.meta.total).toBe(0);
    expect(await findInconsistencies()).toEqual([]);
  });

  it('returns long text in full when a request is repeated with the same Idempotency-Key', async () => {
    const tasks = [createDraft(1), { ...createDraft(2), description: 'long '.repeat(90_000 / 5) }];
    const key = { 'Idempotency-Key': 'bulk-long' };
    const first = await me.post(
      '/tasks/bulk',
      { tasks: [...tasks, ...tasks.slice(1), ...tasks.slice(1)] },
      key,
    );
    expect(first.body.data[3].task.description).toHaveLength(90_000);
    const again = await me.post(
      '/tasks/bulk',
      { tasks: [...tasks, ...tasks.slice(1), ...tasks.slice(1)] },
      key,
    );
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
  });

  it('counts as one request toward the rate limit, however many tasks it creates', async () => {
    const key = api(await createApiKey(world.people.owner));
    const getRemainingLimit = async (answer: Promise<ApiResponse>) =>
      Number((await answer).headers.get('X-RateLimit-Remaining'));
    const before = await getRemainingLimit(key.get('/me'));
    const tasks = Array.from({ length: 100 }, (_, index) => createDraft(index));
    expect(await getRemainingLimit(key.post('/tasks/bulk', { tasks }))).toBe(before - 1);
    expect(await getRemainingLimit(key.get('/me'))).toBe(before - 2);
  });
});
