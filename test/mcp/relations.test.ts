import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { findCounterDrift } from '../support/counters.ts';
import { createWorld, type World } from '../support/world.ts';
import { call, textOf, tokenOf, use } from './client.ts';

describe('relation tools', () => {
  let world: World;
  let token: string;

  beforeAll(async () => {
    world = await createWorld();
    token = await tokenOf(world, world.people.owner);
  });

  const create = async (fields: object) => {
    const { results } = await use(token, 'create_task', {
      tasks: [{ project: world.projects.joined.id, ...fields }],
    });
    return results[0].task.id as number;
  };
  const listBlockers = async (id: number) =>
    (await api(world.people.owner.token).get(`/tasks/${id}/relations`)).body.data.map(
      ({ type, task }: { type: string; task: { id: number } }) => [type, task.id],
    );

  it('create, find and show blocked tasks', async () => {
    const first = await create({ name: 'Approve' });
    const second = await create({ name: 'Print' });
    const blocked = await create({ name: 'Ship', blockedBy: [first, second] });
    expect(await listBlockers(blocked)).toEqual([
      ['blocked_by', first],
      ['blocked_by', second],
    ]);
    const find = async (isBlocked: boolean) => {
      const { data } = await use(token, 'find_tasks', { isBlocked, project: world.projects.joined.id });
      return data.map(({ id }: { id: number }) => id);
    };
    expect(await find(true)).toEqual([blocked]);
    expect(await find(false)).toEqual([second, first]);
    const text = textOf(await call(token, 'get_task', { id: blocked }));
    expect(text).toContain('blocked');
    expect(text).toContain(`blocked_by #${first} Approve`);
    expect(textOf(await call(token, 'get_task', { id: first }))).toContain(`blocks #${blocked} Ship`);
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('replace all blockers together with other changes', async () => {
    const [first, second] = [await create({ name: 'One' }), await create({ name: 'Two' })];
    const task = await create({ name: 'Three', blockedBy: [first] });
    await use(token, 'update_task', { updates: [{ id: task, blockedBy: [second], priority: 'high' }] });
    expect(await listBlockers(task)).toEqual([['blocked_by', second]]);
    const { body } = await api(world.people.owner.token).get(`/tasks/${task}`);
    expect(body.priority).toBe('high');
    const history = (await api(world.people.owner.token).get(`/tasks/${task}/activities`)).body.data;
    expect(history.filter(({ type }: { type: string }) => type === 'relations_changed')).toMatchObject([
      { from: null, to: null, via: 'mcp' },
      { from: null, to: `blocked_by ${first}`, via: 'mcp' },
    ]);
    await use(token, 'update_task', { updates: [{ id: task, blockedBy: [] }] });
    expect(await listBlockers(task)).toEqual([]);
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('reject cycles and unknown blockers, and change nothing', async () => {
    const first = await create({ name: 'Start' });
    const second = await create({ name: 'Middle', blockedBy: [first] });
    const third = await create({ name: 'End', blockedBy: [second] });
    for (const blockedBy of [[third], [first], [999_999]]) {
      const rejected = await call(token, 'update_task', {
        updates: [{ id: first, blockedBy, priority: 'high' }],
      });
      expect(rejected.isError).toBe(true);
    }
    const loop = await call(token, 'update_task', {
      updates: [
        { id: first, blockedBy: [] },
        { id: second, blockedBy: [third] },
      ],
    });
    expect(textOf(loop)).toContain('cycle');
    const { body } = await api(world.people.owner.token).get(`/tasks/${first}`);
    expect(body.priority).toBe('medium');
    expect(await listBlockers(second)).toEqual([
      ['blocked_by', first],
      ['blocks', third],
    ]);
    const count = async () => (await use(token, 'find_tasks', { search: 'Orphan' })).data.length;
    const orphan = { project: world.projects.joined.id, name: 'Orphan', blockedBy: [999_999] };
    expect((await call(token, 'create_task', { tasks: [orphan] })).isError).toBe(true);
    expect(await count()).toBe(0);
  });
});
