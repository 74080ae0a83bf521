import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { createWorld, type World } from '../support/world.ts';
import { call, textOf, tokenOf, use } from './client.ts';

let world: World;
let token: string;

beforeAll(async () => {
  world = await createWorld();
  token = await tokenOf(world, world.people.owner);
});

describe('subtask tools', () => {
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

describe('checklist tools', () => {
  const readLines = async (id: number) =>
    (await api(world.people.owner.token).get(`/tasks/${id}/checklist`)).body.items;

  it('create, show and replace checklists, and keep the ids of items with the same text', async () => {
    const project = world.projects.joined.id;
    const checklist = ['Book the venue', '[x] Agree on a date', '[ ] Invite speakers'];
    const { results } = await use(token, 'create_task', { tasks: [{ project, name: 'Offsite', checklist }] });
    const { id } = results[0].task;
    const text = textOf(await call(token, 'get_task', { id }));
    expect(text).toContain('Checklist:\n[ ] Book the venue\n[x] Agree on a date\n[ ] Invite speakers');
    const preview = await use(token, 'update_task', { updates: [{ id, checklist: ['New'] }], dryRun: true });
    expect(preview.results[0].changes[0].field).toBe('checklist');
    const [two, ...others] = [{ name: 'Second' }, { name: 'Third' }].map((fields) => ({
      project,
      ...fields,
    }));
    const more = await use(token, 'create_task', { tasks: [two, ...others] });
    await use(token, 'update_task', {
      updates: [
        { id, checklist: ['[x] Invite speakers', 'Order food', '- [x] Agree on a date'], priority: 'high' },
        { id: more.results[0].task.id, checklist: ['One'] },
        { id: more.results[1].task.id, name: 'No checklist' },
      ],
    });
    expect(await readLines(id)).toEqual([
      { id: 3, text: 'Invite speakers', isDone: true },
      { id: 4, text: 'Order food', isDone: false },
      { id: 2, text: 'Agree on a date', isDone: true },
    ]);
    const { data } = (await api(world.people.owner.token).get('/tasks?scope=all&expand=structure')).body;
    const progressOf = (name: string) => data.find((task: { name: string }) => task.name === name).checklist;
    expect(['Offsite', 'Second', 'No checklist'].map(progressOf)).toEqual([
      { total: 3, done: 2 },
      { total: 1, done: 0 },
      { total: 0, done: 0 },
    ]);
    const unchanged = await use(token, 'update_task', { updates: [{ id, checklist: [] }] });
    expect([unchanged.succeeded, await readLines(id)]).toEqual([1, []]);
  });

  it('reject items that are too long and lists with too many items, and change nothing', async () => {
    const project = world.projects.joined.id;
    const { results } = await use(token, 'create_task', {
      tasks: [{ project, name: 'Limits', checklist: ['One'] }],
    });
    const { id } = results[0].task;
    for (const checklist of [
      ['x'.repeat(501)],
      [' '],
      Array.from({ length: 101 }, (_, at) => `Line ${at}`),
    ]) {
      const answer = await call(token, 'update_task', { updates: [{ id, checklist }] });
      expect(answer.isError).toBe(true);
      expect(textOf(answer)).toContain('checklist');
    }
    expect(await readLines(id)).toEqual([{ id: 1, text: 'One', isDone: false }]);
  });
});
