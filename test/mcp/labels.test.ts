import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { createWorld, type World } from '../support/world.ts';
import { call, textOf, tokenOf, use } from './client.ts';

describe('label tools', () => {
  let world: World;
  let token: string;

  beforeAll(async () => {
    world = await createWorld();
    token = await tokenOf(world, world.people.owner);
  });

  const find = async (labels: string[]) =>
    (await use(token, 'find_tasks', { labels })).data.map(({ name }: { name: string }) => name);

  it('create, change, find and list tasks with labels', async () => {
    const project = world.projects.joined.id;
    const { results } = await use(token, 'create_task', {
      tasks: [
        { project, name: 'Page', labels: ['Web', 'copy'] },
        { project, name: 'Server' },
      ],
    });
    const [page, server] = results.map(({ task }: { task: { id: number } }) => task.id);
    expect(await find(['WEB'])).toEqual(['Page']);
    await use(token, 'update_task', { updates: [{ id: server, labels: ['api'] }] });
    await use(token, 'update_task', { ids: [page], set: { labels: ['copy'] } });
    expect(await find(['api', 'copy'])).toEqual(['Server', 'Page']);
    expect((await api(world.people.owner.token).get(`/tasks/${page}`)).body.tags).toEqual(['copy']);
    expect(textOf(await call(token, 'list_reference', { kind: 'labels' }))).toContain('api');
    const rejected = await call(token, 'create_task', { tasks: [{ project, name: 'x', labels: ['a,b'] }] });
    expect(textOf(rejected)).toContain('labels');
  });

  it('find tasks by labels that are only staged', async () => {
    const project = world.projects.joined.id;
    await use(token, 'begin_changes', {});
    await use(token, 'create_task', { tasks: [{ project, name: 'Staged', labels: ['Neu'] }] });
    expect(await find(['neu'])).toEqual(['Staged']);
    await use(token, 'discard_changes', {});
    expect(await find(['neu'])).toEqual([]);
  });
});
