import { beforeAll, describe, expect, it } from 'vitest';
import { api, ORIGIN, send } from '../../support/api.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';

const PREFER_MINIMAL = { Prefer: 'return=minimal' };

let world: World;
let me: ReturnType<typeof api>;
beforeAll(async () => {
  world = await createWorld();
  me = api(world.people.lead.token);
  await me.get('/me');
});

const createTaskIds = async (count: number) => {
  const made = [];
  for (let index = 0; index < count; index += 1)
    made.push((await createTask(world.people.lead, world.projects.joined.id)).id);
  return made;
};
const readVersion = async (id: number) =>
  Number(/^"(\d+)-/.exec((await me.get(`/tasks/${id}`)).headers.get('ETag') ?? '')?.[1]);
const getPreference = (answer: { headers: Headers }) => answer.headers.get('Preference-Applied');

describe('the minimal result of a bulk request (Prefer: return=minimal)', () => {
  it('contains the id and version of each created task, with the usual HTTP status', async () => {
    const tasks = ['one', 'two', 'three'].map((name) => ({ projectId: world.projects.joined.id, name }));
    const answer = await me.post('/tasks/bulk', { tasks }, PREFER_MINIMAL);
    expect([answer.status, getPreference(answer)]).toEqual([201, 'return=minimal']);
    expect(answer.body).toEqual({
      data: [0, 1, 2].map((index) => ({ index, id: expect.any(Number), version: 1 })),
      meta: { succeeded: 3, failed: 0 },
    });
    const names = answer.body.data.map(
      async ({ id }: { id: number }) => (await me.get(`/tasks/${id}`)).body.name,
    );
    expect(await Promise.all(names)).toEqual(['one', 'two', 'three']);
  });

  it('contains the new version of each task that is changed, archived or restored', async () => {
    const ids = await createTaskIds(3);
    const calls = [
      ['PATCH', '/tasks/bulk', { updates: ids.map((id) => ({ id, name: `Task ${id}` })) }],
      ['PATCH', '/tasks/bulk', { ids, set: { priority: 'high' } }],
      ['PATCH', '/tasks/bulk', { ids, set: { priority: 'high' } }],
      ['POST', '/tasks/bulk/archive', { ids }],
      ['POST', '/tasks/bulk/unarchive', { ids }],
    ] as const;
    for (const [method, path, body] of calls) {
      const answer = await me.call(method, path, body as never, {
        Prefer: 'respond-async, RETURN="minimal"',
      });
      expect([answer.status, getPreference(answer)], path).toEqual([200, 'return=minimal']);
      const versions = await Promise.all(ids.map(readVersion));
      expect(answer.body.data, path).toEqual(
        ids.map((id, index) => ({ index, id, version: versions[index] })),
      );
    }
    expect(await Promise.all(ids.map(readVersion))).toEqual([5, 5, 5]);
  });

  it('contains the errors of rejected items with mode=each', async () => {
    const [id = 0] = await createTaskIds(1);
    const answer = await me.post('/tasks/bulk/archive?mode=each', { ids: [999_999, id] }, PREFER_MINIMAL);
    expect(answer.body).toEqual({
      data: [
        { index: 0, error: { code: 'not_found', status: 404, message: expect.any(String) } },
        { index: 1, id, version: 2 },
      ],
      meta: { succeeded: 1, failed: 1 },
    });
    const rejected = await me.post('/tasks/bulk/archive?mode=each', { ids: [999_999] }, PREFER_MINIMAL);
    expect([rejected.status, getPreference(rejected)]).toEqual([200, 'return=minimal']);
    expect((await me.post('/tasks/bulk/archive', { ids: [999_999] }, PREFER_MINIMAL)).status).toBe(404);
  });

  it('is returned again if the request is repeated with its Idempotency-Key, whatever the new Prefer header', async () => {
    const [id = 0, other = 0] = await createTaskIds(2);
    const edit = { ids: [id], set: { name: 'Named once' } };
    const key = { 'Idempotency-Key': crypto.randomUUID() };
    const first = await me.patch('/tasks/bulk', edit, { ...key, ...PREFER_MINIMAL });
    await me.patch(`/tasks/${id}`, { name: 'Named twice' });
    for (const preference of [{}, PREFER_MINIMAL]) {
      const again = await me.patch('/tasks/bulk', edit, { ...key, ...preference });
      expect([again.text, getPreference(again)]).toEqual([first.text, 'return=minimal']);
      expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    }
    const whole = { 'Idempotency-Key': crypto.randomUUID() };
    const before = await me.post('/tasks/bulk/archive', { ids: [other] }, whole);
    const after = await me.post('/tasks/bulk/archive', { ids: [other] }, { ...whole, ...PREFER_MINIMAL });
    expect([after.text, getPreference(after)]).toEqual([before.text, null]);
  });

  it("isn't returned for other preferences, or by operations that don't support it", async () => {
    const [id = 0] = await createTaskIds(1);
    for (const Prefer of ['return=representation', 'return=minimally', 'minimal', 'x; return=minimal']) {
      const answer = await me.patch('/tasks/bulk', { ids: [id], set: { name: 'x' } }, { Prefer });
      expect([Object.keys(answer.body.data[0]), getPreference(answer)], Prefer).toEqual([
        ['index', 'task'],
        null,
      ]);
    }
    const single = await me.patch(`/tasks/${id}`, { name: 'y' }, PREFER_MINIMAL);
    expect([single.body.name, getPreference(single)]).toEqual(['y', null]);
  });

  it('costs at least two fewer rows read per task than the complete result', async () => {
    const ids = await createTaskIds(50);
    const set = { priority: 'high' };
    const { cost } = await me.patch('/tasks/bulk', { ids, set }, PREFER_MINIMAL);
    const { cost: whole } = await me.patch('/tasks/bulk', { ids, set: { priority: 'low' } });
    expect(whole.rowsRead - cost.rowsRead).toBeGreaterThanOrEqual(100);
    expect(cost.trips).toBe(2);
  });

  it('is announced in the Preference-Applied header, which pages from other origins can read', async () => {
    const response = await send(
      new Request(`${ORIGIN}/v1/me`, { headers: { Origin: 'https://elsewhere.test' } }),
    );
    const exposed = response.headers.get('Access-Control-Expose-Headers')?.split(',');
    expect(exposed).toContain('Preference-Applied');
  });
});
