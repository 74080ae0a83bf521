import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { createWorld, type World } from '../support/world.ts';
import { callTool, createOAuthToken, getResultText, getToolResult } from './client.ts';

describe('tags in MCP tools', () => {
  let world: World;
  let token: string;

  beforeAll(async () => {
    world = await createWorld();
    token = await createOAuthToken(world, world.people.owner);
  });

  const findByLabels = async (labels: string[]) =>
    (await callTool(token, 'find_tasks', { labels })).data.map(({ name }: { name: string }) => name);

  it('can be set, changed, listed and used as filters', async () => {
    const project = world.projects.joined.id;
    const { results } = await callTool(token, 'create_task', {
      tasks: [
        { project, name: 'Page', labels: ['Web', 'copy'] },
        { project, name: 'Server' },
      ],
    });
    const [page, server] = results.map(({ task }: { task: { id: number } }) => task.id);
    expect(await findByLabels(['WEB'])).toEqual(['Page']);
    await callTool(token, 'update_task', { updates: [{ id: server, labels: ['api'] }] });
    await callTool(token, 'update_task', { ids: [page], set: { labels: ['copy'] } });
    expect(await findByLabels(['api', 'copy'])).toEqual(['Server', 'Page']);
    expect((await api(world.people.owner.token).get(`/tasks/${page}`)).body.tags).toEqual(['copy']);
    expect(getResultText(await getToolResult(token, 'list_reference', { kind: 'labels' }))).toContain('api');
    const rejected = await getToolResult(token, 'create_task', {
      tasks: [{ project, name: 'x', labels: ['a,b'] }],
    });
    expect(getResultText(rejected)).toContain('labels');
  });

  it('can be used as filters even while they are only staged in a change set', async () => {
    const project = world.projects.joined.id;
    await callTool(token, 'begin_changes', {});
    await callTool(token, 'create_task', { tasks: [{ project, name: 'Staged', labels: ['Neu'] }] });
    expect(await findByLabels(['neu'])).toEqual(['Staged']);
    await callTool(token, 'discard_changes', {});
    expect(await findByLabels(['neu'])).toEqual([]);
  });
});
