// This file is long because its tests share the functions that create tasks and relate them.
import { describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { getCell } from '../../support/env.ts';
import { createRandom } from '../../support/random.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import { createTask, createWorld, type Person, type World } from '../../support/world.ts';

const getIds = ({ body }: { body: { data: { id: number }[] } }) => body.data.map(({ id }) => id);

async function createTasks(world: World, count: number, fields: Record<string, unknown> = {}) {
  const ids: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const name = `Task ${index}`;
    ids.push((await createTask(world.people.member, world.projects.joined.id, { name, ...fields })).id);
  }
  return ids as [number, number, number, ...number[]];
}

const relate = (person: Person, id: number, type: string, taskId: number) =>
  api(person.token).post(`/tasks/${id}/relations`, { type, taskId });

const isBlocked = async (person: Person, id: number) =>
  (await api(person.token).get(`/tasks/${id}?expand=structure`)).body.isBlocked;

describe("a task's relations", () => {
  it.each([
    ['blocks', 'blocked_by'],
    ['blocked_by', 'blocks'],
    ['relates_to', 'relates_to'],
    ['duplicates', 'duplicated_by'],
    ['duplicated_by', 'duplicates'],
  ])('of type %s are shown as %s on the other task', async (type, reverse) => {
    const world = await createWorld();
    const { member } = world.people;
    const [first, second] = await createTasks(world, 2);
    const call = api(member.token);
    const added = await relate(member, first, type, second);
    const task = {
      status: 'todo',
      isArchived: false,
      project: { id: world.projects.joined.id, name: 'Joined' },
    };
    expect([added.status, added.body]).toEqual([
      201,
      { id: expect.any(Number), type, task: { id: second, name: 'Task 1', ...task } },
    ]);
    const own = await call.get(`/tasks/${first}/relations`);
    expect(own.body).toEqual({
      data: [added.body],
      meta: { total: 1, limit: 25, offset: 0, hasMore: false },
    });
    expect((await call.get(`/tasks/${second}/relations`)).body.data).toEqual([
      { id: added.body.id, type: reverse, task: { id: first, name: 'Task 0', ...task } },
    ]);
    const removed = await call.delete(`/tasks/${second}/relations/${added.body.id}`);
    expect([removed.status, removed.body]).toEqual([200, { success: true }]);
    expect((await call.get(`/tasks/${first}/relations`)).body.meta.total).toBe(0);
    expect((await call.delete(`/tasks/${first}/relations/${added.body.id}`)).status).toBe(404);
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('can be of several types between the same two tasks, and are listed in pages, oldest first', async () => {
    const world = await createWorld();
    const { member } = world.people;
    const [first, second, third] = await createTasks(world, 3);
    const ids: number[] = [];
    for (const [type, other] of [
      ['blocks', second],
      ['relates_to', second],
      ['duplicates', second],
      ['blocked_by', third],
    ] as const) {
      ids.push((await relate(member, first, type, other)).body.id);
    }
    const page = await api(member.token).get(`/tasks/${first}/relations?limit=3&fields=id,type`);
    expect(page.body.data).toEqual([
      { id: ids[0], type: 'blocks' },
      { id: ids[1], type: 'relates_to' },
      { id: ids[2], type: 'duplicates' },
    ]);
    expect(page.body.meta).toEqual({ total: 4, limit: 3, offset: 0, hasMore: true });
    expect(page.cost.trips).toBe(1);
    expect(getIds(await api(member.token).get(`/tasks/${first}/relations?offset=3`))).toEqual([ids[3]]);
    const cursor = /cursor=([^&>]+)/.exec(page.headers.get('Link') ?? '')?.[1];
    expect(getIds(await api(member.token).get(`/tasks/${first}/relations?limit=3&cursor=${cursor}`))).toEqual(
      [ids[3]],
    );
  });

  it("can't be repeated, form a cycle, point to the task itself or an unknown task, or be changed on an archived task", async () => {
    const world = await createWorld();
    const { member } = world.people;
    const [first, second, third, fourth] = await createTasks(world, 4);
    await relate(member, first, 'blocks', second);
    await relate(member, second, 'blocks', third);
    await relate(member, third, 'blocks', fourth as number);
    await relate(member, first, 'relates_to', third);
    await relate(member, first, 'duplicates', second);
    const archived = (await createTask(member, world.projects.joined.id)).id;
    await api(member.token).post(`/tasks/${archived}/archive`);
    const before = await readAllContents();
    for (const [id, type, other, status, message] of [
      [first, 'blocks', first, 400, 'must be another task'],
      [first, 'relates_to', first, 400, 'must be another task'],
      [first, 'blocks', second, 400, 'already'],
      [second, 'blocked_by', first, 400, 'already'],
      [third, 'relates_to', first, 400, 'already'],
      [second, 'duplicates', first, 400, 'already'],
      [second, 'duplicated_by', first, 400, 'already'],
      [first, 'duplicated_by', second, 400, 'already'],
      [second, 'blocks', first, 400, 'cycle'],
      [fourth, 'blocks', first, 400, 'cycle'],
      [first, 'blocked_by', fourth, 400, 'cycle'],
      [archived, 'blocks', first, 400, 'archived'],
      [first, 'blocks', 999_999, 404, '999999'],
      [999_999, 'blocks', first, 404, '999999'],
      [first, 'precedes', second, 400, 'blocked_by'],
    ] as const) {
      const rejected = await relate(member, id as number, type, other as number);
      expect([id, type, other, rejected.status]).toEqual([id, type, other, status]);
      expect(rejected.body.error.message).toContain(message);
    }
    expect(await readAllContents()).toEqual(before);
    expect((await relate(member, first, 'relates_to', archived)).status).toBe(201);
    const [relation] = (await api(member.token).get(`/tasks/${archived}/relations`)).body.data;
    const rejected = await api(member.token).delete(`/tasks/${archived}/relations/${relation.id}`);
    expect([rejected.status, rejected.body.error.message]).toEqual([
      400,
      expect.stringContaining('archived'),
    ]);
  });

  it('are limited to 100 per task, counting both directions', async () => {
    const world = await createWorld();
    const { member } = world.people;
    const [first, second] = await createTasks(world, 2);
    await getCell(world.cell)
      .prepare(
        `WITH RECURSIVE n (no) AS (SELECT 1 UNION ALL SELECT no + 1 FROM n WHERE no < 99)
         INSERT INTO task_relations (ws, type, source, target) SELECT ?, 'relates_to', ?, 1000000 + no FROM n`,
      )
      .bind(world.no, first)
      .run();
    expect((await relate(member, first, 'relates_to', second)).status).toBe(201);
    const full = await relate(member, first, 'blocks', second);
    expect([full.status, full.headers.get('Error-Field')]).toEqual([400, 'taskId']);
    expect(full.body.error.message).toContain(`Task ${first} already has 100 relations`);
    expect((await relate(member, second, 'blocks', first)).body.error.message).toContain(
      `Task ${first} already has`,
    );
    await getCell(world.cell).prepare('DELETE FROM task_relations WHERE ws = ?').bind(world.no).run();
  });

  it("add a history entry and an event when they are created or deleted, but don't change the task's version", async () => {
    const world = await createWorld();
    const { member } = world.people;
    const [first, second] = await createTasks(world, 2);
    const call = api(member.token);
    const readTag = async () => (await call.get(`/tasks/${first}`)).headers.get('ETag')?.split('-')[0];
    const version = await readTag();
    const after = (await call.get('/events')).body.meta.nextAfter;
    const { id } = (await relate(member, first, 'blocked_by', second)).body;
    await call.delete(`/tasks/${first}/relations/${id}`);
    expect(await readTag()).toBe(version);
    const [removed, added] = (await call.get(`/tasks/${first}/activities`)).body.data;
    expect(added).toMatchObject({
      type: 'relations_changed',
      field: 'relations',
      from: null,
      to: `blocked_by ${second}`,
    });
    expect(removed).toMatchObject({ type: 'relations_changed', from: `blocked_by ${second}`, to: null });
    const { data } = (await call.get(`/events?after=${after}`)).body;
    const end = { type: 'blocked_by', task: { id: second } };
    expect(data.map(({ type, task, changes }: Record<string, unknown>) => ({ type, task, changes }))).toEqual(
      [
        { type: 'task.updated', task: { id: first }, changes: { relations: { from: null, to: end } } },
        { type: 'task.updated', task: { id: first }, changes: { relations: { from: end, to: null } } },
      ],
    );
  });

  it("can't form a cycle or be repeated through concurrent requests", async () => {
    const world = await createWorld();
    const { member } = world.people;
    const ids = await createTasks(world, 3);
    const answers = await Promise.all(
      ids.map((id, index) => relate(member, id, 'blocks', ids[(index + 1) % 3] as number)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 400]);
    const again = await Promise.all([1, 2, 3].map(() => relate(member, ids[0], 'relates_to', ids[1])));
    expect(again.map(({ status }) => status).toSorted()).toEqual([201, 400, 400]);
    expect(await findCounterDrift(world)).toEqual([]);
  });
});

describe('a blocked task', () => {
  it('is shown as blocked only while its blocker is open and not archived', async () => {
    const world = await createWorld();
    const { member } = world.people;
    const [blocker, blocked] = await createTasks(world, 2);
    const call = api(member.token);
    await relate(member, blocker, 'blocks', blocked);
    const states: boolean[] = [];
    const recordState = async () => states.push(await isBlocked(member, blocked));
    await recordState();
    await call.patch(`/tasks/${blocker}`, { status: 'completed' });
    await recordState();
    await call.patch(`/tasks/${blocker}`, { status: 'in_progress' });
    await recordState();
    await call.post(`/tasks/${blocker}/archive`);
    await recordState();
    await call.post(`/tasks/${blocker}/unarchive`);
    await recordState();
    await call.post('/tasks/bulk/archive', { ids: [blocker] });
    await recordState();
    await call.post('/tasks/bulk/unarchive', { ids: [blocker] });
    await call.patch('/tasks/bulk', { updates: [{ id: blocker, status: 'completed', priority: 'high' }] });
    await recordState();
    expect(states).toEqual([true, false, true, false, true, false, false]);
    expect(await isBlocked(member, blocker)).toBe(false);
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('is found by isBlocked, with the same results and totals as a brute-force search', async () => {
    const world = await createWorld();
    const { member, client, owner } = world.people;
    const random = createRandom(7);
    const pickIndex = () => random.integer(0, 23);
    const projects = [world.projects.joined.id, world.projects.other.id];
    const ids: number[] = [];
    for (let index = 0; index < 24; index += 1) {
      const task = await createTask(owner, projects[index % 2] as number, {
        status: ['todo', 'completed', 'in_progress'][index % 3],
        priority: ['low', 'high'][index % 2],
        ...(index % 5 === 0 && { assigneeId: client.userId }),
        ...(index % 4 === 0 && { tags: ['web'] }),
        ...(index % 3 === 0 && { deadline: '2026-12-24' }),
      });
      ids.push(task.id);
    }
    for (let index = 0; index < 30; index += 1) {
      const [one, other] = [pickIndex(), pickIndex()].toSorted((a, b) => a - b);
      await relate(owner, ids[one ?? 0] as number, 'blocks', ids[other ?? 0] as number);
    }
    await api(owner.token).post(`/tasks/${ids[3]}/archive`);
    for (const person of [member, client]) {
      const call = api(person.token);
      const all = (await call.get('/tasks?scope=all&limit=100&expand=structure')).body.data as {
        id: number;
        isBlocked: boolean;
      }[];
      const blocked = new Map(all.map((task) => [task.id, task.isBlocked]));
      expect([...blocked.values()]).toContain(true);
      for (const filter of [
        '',
        '&status=open',
        `&projectId=${projects[0]}`,
        '&priority=high&sort=due',
        '&tags=web',
        '&sort=updated&status=todo,completed',
        '&dueTo=2026-12-31',
        `&assigneeId=${client.userId}`,
        '&search=task',
        '&createdFrom=2020-01-01',
        '&mine=true',
        `&ids=${ids.join(',')}&isArchived=false`,
      ]) {
        const scope = filter.includes('mine') ? '' : '&scope=all';
        const whole = getIds(await call.get(`/tasks?limit=100${scope}${filter}`));
        for (const is of [true, false]) {
          const found = await call.get(`/tasks?limit=100${scope}${filter}&isBlocked=${is}`);
          const expected = whole.filter((id) => blocked.get(id) === is);
          expect([filter, is, getIds(found)]).toEqual([filter, is, expected]);
          expect([filter, is, found.body.meta.total]).toEqual([filter, is, expected.length]);
        }
      }
    }
  });

  it('shows clients only the blockers and relations that they can see', async () => {
    const world = await createWorld();
    const { owner, client } = world.people;
    const project = world.projects.other.id;
    const hidden = await createTask(owner, project, { name: 'Secret plan' });
    const seen = await createTask(owner, project, { assigneeId: client.userId });
    const own = await createTask(owner, project, { assigneeId: client.userId });
    const { id } = (await relate(owner, seen.id, 'blocked_by', hidden.id)).body;
    const call = api(client.token);
    expect(await isBlocked(owner, seen.id)).toBe(true);
    expect(await isBlocked(client, seen.id)).toBe(false);
    expect((await call.get('/tasks?isBlocked=true')).body.meta.total).toBe(0);
    expect((await call.get(`/tasks/${seen.id}/relations`)).body).toMatchObject({
      data: [],
      meta: { total: 0 },
    });
    expect((await call.delete(`/tasks/${seen.id}/relations/${id}`)).status).toBe(404);
    expect((await relate(client, seen.id, 'blocks', hidden.id)).status).toBe(404);
    expect((await call.get(`/tasks/${hidden.id}/relations`)).status).toBe(404);
    const entry = (await call.get(`/tasks/${seen.id}/activities`)).body.data[0];
    expect([entry.type, entry.from, entry.to]).toEqual(['relations_changed', null, null]);
    const events = (await call.get('/events?after=0&limit=100')).text;
    expect(events).toContain('"relations":{"from":null,"to":{"type":"blocked_by","task":{"id":null}}}');
    expect(events).not.toContain(`"id":${hidden.id}}`);
    await relate(client, seen.id, 'blocked_by', own.id);
    expect(await isBlocked(client, seen.id)).toBe(true);
    expect(getIds(await call.get('/tasks?isBlocked=true'))).toEqual([seen.id]);
  });

  it('is duplicated without relations', async () => {
    const world = await createWorld();
    const { member } = world.people;
    const [blocker, blocked] = await createTasks(world, 2);
    await relate(member, blocker, 'blocks', blocked);
    const copy = (await api(member.token).post(`/tasks/${blocked}/duplicate`)).body.id;
    expect((await api(member.token).get(`/tasks/${copy}/relations`)).body.meta.total).toBe(0);
    expect(await isBlocked(member, copy)).toBe(false);
  });
});
