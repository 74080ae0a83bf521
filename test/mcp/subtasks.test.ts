import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { createWorld, type World } from '../support/world.ts';
import { callTool, createOAuthToken, getResultText, getToolResult } from './client.ts';

let world: World;
let token: string;

beforeAll(async () => {
  world = await createWorld();
  token = await createOAuthToken(world, world.people.owner);
});

describe('subtasks in MCP tools', () => {
  it('can be created, found, shown and detached', async () => {
    const project = world.projects.joined.id;
    const createTask = async (fields: object) => {
      const { results } = await callTool(token, 'create_task', { tasks: [{ project, ...fields }] });
      return results[0].task.id as number;
    };
    const top = await createTask({ name: 'Launch' });
    const child = await createTask({ name: 'Page', parent: top });
    const found = await callTool(token, 'find_tasks', { parent: top });
    expect(found.data.map(({ id }: { id: number }) => id)).toEqual([child]);
    const tops = await callTool(token, 'find_tasks', { parent: 'none', project });
    expect(tops.data.map(({ id }: { id: number }) => id)).toEqual([top]);
    const text = getResultText(await getToolResult(token, 'get_task', { id: top }));
    expect(text).toContain('Subtasks, 0 of 1 completed:');
    expect(text).toContain(`#${child} Page`);
    expect(getResultText(await getToolResult(token, 'get_task', { id: child }))).toContain(
      `subtask of #${top} Launch`,
    );
    const loop = await getToolResult(token, 'update_task', { updates: [{ id: top, parent: child }] });
    expect(loop.isError).toBe(true);
    expect(getResultText(loop)).toContain(`parent ${child} is a subtask of this task`);
    await callTool(token, 'update_task', { updates: [{ id: child, parent: null }] });
    expect((await callTool(token, 'find_tasks', { parent: top })).data).toEqual([]);
  });
});

describe('checklists in MCP tools', () => {
  const readItems = async (id: number) =>
    (await api(world.people.owner.token).get(`/tasks/${id}/checklist`)).body.items;

  it('can be created, shown and replaced, and keep the ids of items with the same text', async () => {
    const project = world.projects.joined.id;
    const checklist = ['Book the venue', '[x] Agree on a date', '[ ] Invite speakers'];
    const { results } = await callTool(token, 'create_task', {
      tasks: [{ project, name: 'Offsite', checklist }],
    });
    const { id } = results[0].task;
    const text = getResultText(await getToolResult(token, 'get_task', { id }));
    expect(text).toContain('Checklist:\n[ ] Book the venue\n[x] Agree on a date\n[ ] Invite speakers');
    const preview = await callTool(token, 'update_task', {
      updates: [{ id, checklist: ['New'] }],
      dryRun: true,
    });
    expect(preview.results[0].changes[0].field).toBe('checklist');
    const [two, ...others] = [{ name: 'Second' }, { name: 'Third' }].map((fields) => ({
      project,
      ...fields,
    }));
    const more = await callTool(token, 'create_task', { tasks: [two, ...others] });
    await callTool(token, 'update_task', {
      updates: [
        { id, checklist: ['[x] Invite speakers', 'Order food', '- [x] Agree on a date'], priority: 'high' },
        { id: more.results[0].task.id, checklist: ['One'] },
        { id: more.results[1].task.id, name: 'No checklist' },
      ],
    });
    expect(await readItems(id)).toEqual([
      { id: 3, text: 'Invite speakers', isDone: true },
      { id: 4, text: 'Order food', isDone: false },
      { id: 2, text: 'Agree on a date', isDone: true },
    ]);
    const { data } = (await api(world.people.owner.token).get('/tasks?scope=all&expand=structure')).body;
    const getProgress = (name: string) => data.find((task: { name: string }) => task.name === name).checklist;
    expect(['Offsite', 'Second', 'No checklist'].map(getProgress)).toEqual([
      { total: 3, done: 2 },
      { total: 1, done: 0 },
      { total: 0, done: 0 },
    ]);
    const unchanged = await callTool(token, 'update_task', { updates: [{ id, checklist: [] }] });
    expect([unchanged.succeeded, await readItems(id)]).toEqual([1, []]);
  });

  it('are rejected without any change if an item is blank or too long, or if there are too many items', async () => {
    const project = world.projects.joined.id;
    const { results } = await callTool(token, 'create_task', {
      tasks: [{ project, name: 'Limits', checklist: ['One'] }],
    });
    const { id } = results[0].task;
    for (const checklist of [
      ['x'.repeat(501)],
      [' '],
      Array.from({ length: 101 }, (_, at) => `Line ${at}`),
    ]) {
      const answer = await getToolResult(token, 'update_task', { updates: [{ id, checklist }] });
      expect(answer.isError).toBe(true);
      expect(getResultText(answer)).toContain('checklist');
    }
    expect(await readItems(id)).toEqual([{ id: 1, text: 'One', isDone: false }]);
  });
});
