import { beforeAll, describe, expect, it } from 'vitest';
import { createWorld, type World } from '../support/world.ts';
import { call, textOf, tokenOf, use } from './client.ts';

describe('tools for subtasks', () => {
  let world: World;
  let token: string;

  beforeAll(async () => {
    world = await createWorld();
    token = await tokenOf(world, world.people.owner);
  });

  it('create, find, show and detach subtasks', async () => {
    const project = world.projects.joined.id;
    const create = async (fields: object) => {
      const { results } = await use(token, 'create_task', { tasks: [{ project, ...fields }] });
      return results[0].task.id as number;
    };
    const top = await create({ name: 'Launch' });
    const child = await create({ name: 'Page', parent: top });
    const found = await use(token, 'find_tasks', { parent: top });
    expect(found.data.map(({ id }: { id: number }) => id)).toEqual([child]);
    const tops = await use(token, 'find_tasks', { parent: 'none', project });
    expect(tops.data.map(({ id }: { id: number }) => id)).toEqual([top]);
    const text = textOf(await call(token, 'get_task', { id: top }));
    expect(text).toContain('Subtasks, 0 of 1 completed:');
    expect(text).toContain(`#${child} Page`);
    expect(textOf(await call(token, 'get_task', { id: child }))).toContain(`subtask of #${top} Launch`);
    const loop = await call(token, 'update_task', { updates: [{ id: top, parent: child }] });
    expect(loop.isError).toBe(true);
    expect(textOf(loop)).toContain(`parent ${child} is a subtask of this task`);
    await use(token, 'update_task', { updates: [{ id: child, parent: null }] });
    expect((await use(token, 'find_tasks', { parent: top })).data).toEqual([]);
  });
});
