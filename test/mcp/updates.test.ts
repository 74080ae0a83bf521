import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { createProject, createTask, createWorld, type World } from '../support/world.ts';
import { callTool, createOAuthToken, getResultText, getToolResult } from './client.ts';
import type { RestValue } from './expected-results.ts';

let world: World;
let token: string;

beforeAll(async () => {
  world = await createWorld();
  token = await createOAuthToken(world, world.people.lead);
});

async function createTasks(count: number, fields: object = {}): Promise<number[]> {
  const tasks = Array.from({ length: count }, (_, index) => ({
    project: 'Joined',
    name: `Task ${index}`,
    ...fields,
  }));
  const { results } = await callTool(token, 'create_task', { tasks });
  return results.map((each: RestValue) => each.task.id);
}
const readTask = async (id: number) => (await api(token).get(`/tasks/${id}`)).body;
const getUpdateError = async (args: object) => {
  const result = await getToolResult(token, 'update_task', { ...args });
  expect(result.isError).toBe(true);
  return getResultText(result);
};

describe('update_task', () => {
  it('makes the same changes to all tasks with the given ids, and lists those tasks in one line', async () => {
    const ids = await createTasks(3);
    const set = { status: 'in_progress', assignee: 'Member', deadline: '2027-03-01' };
    const result = await getToolResult(token, 'update_task', { ids, set });
    const list = ids.map((id) => `#${id}`).join(' ');
    expect(getResultText(result).split('\n')).toEqual([
      `Changed ${list} | assigned to Member Test`,
      'Changed 3 of 3.',
    ]);
    expect(result.structuredContent).toEqual({
      results: ids.map((id, index) => ({ index, task: { id, assignee: 'Member Test' } })),
      succeeded: 3,
      failed: 0,
    });
    for (const id of ids) {
      expect(await readTask(id)).toMatchObject({
        status: 'in_progress',
        deadline: '2027-03-01',
        assignee: { id: world.people.member.userId },
      });
    }
  });

  it('reports the rejected tasks with mode "each", and previews the changes with dryRun', async () => {
    const [first = 0, archived = 0, last = 0] = await createTasks(3);
    await api(token).post(`/tasks/${archived}/archive`);
    const ids = [first, archived, last];
    const preview = await getToolResult(token, 'update_task', {
      ids,
      set: { priority: 'high' },
      dryRun: true,
    });
    expect(getResultText(preview)).toContain(`Would change #${first} Task 0 | priority from medium`);
    expect((await readTask(first)).priority).toBe('medium');
    const result = await getToolResult(token, 'update_task', {
      ids,
      set: { priority: 'high' },
      mode: 'each',
    });
    expect(getResultText(result).split('\n')).toEqual([
      `Changed #${first} #${last}`,
      expect.stringMatching(new RegExp(`^#${archived} rejected: Task ${archived} is archived`)),
      'Changed 2 of 3; 1 rejected.',
    ]);
    expect(await getUpdateError({ ids, set: { priority: 'low' } })).toMatch(
      /^ids\[1\]: Task \d+ is archived/,
    );
    expect((await readTask(first)).priority).toBe('high');
  });

  it.each<[object, string]>([
    [{}, 'Send exactly one of: updates, ids with set, or filter with set.'],
    [{ ids: [1] }, 'Send exactly one of: updates, ids with set, or filter with set.'],
    [
      { ids: [1], filter: {}, set: { status: 'todo' } },
      'Send exactly one of: updates, ids with set, or filter with set.',
    ],
    [{ ids: [1], set: {} }, 'set must contain at least one field to change.'],
    [{ ids: [1], set: { status: 'todo' }, count: 1 }, "count can't be combined with ids"],
    [{ ids: [1], set: { name: 'Same' } }, "unknown field 'set.name'"],
    [
      { filter: { states: [] }, set: { status: 'todo' } },
      "unknown field 'filter.states' (did you mean 'status'?)",
    ],
  ])('rejects %j', async (args, words) => {
    expect(await getUpdateError(args)).toContain(words);
  });
});

describe('update_task with a filter', () => {
  it('returns the number of matches, and changes exactly those tasks when a call confirms the number', async () => {
    const { lead } = world.people;
    await createProject(world, { owner: lead, name: 'Filtered' });
    await createTasks(5, { project: 'Filtered', deadline: '2027-01-01' });
    await createTasks(1, { project: 'Filtered' });
    const args = { filter: { project: 'Filtered', dueTo: '2027-01-31' }, set: { deadline: '2027-02-01' } };
    const first = await getToolResult(token, 'update_task', args);
    expect(first.structuredContent).toMatchObject({ matching: 5, succeeded: 0, failed: 0 });
    expect(first.structuredContent.wouldChange).toHaveLength(5);
    expect(getResultText(first).split('\n').at(-1)).toBe(
      '5 match. Nothing was changed: call again with count=5 to change them.',
    );
    expect(await getUpdateError({ ...args, count: 4 })).toContain('which is 5; got 4. Nothing was changed.');
    const findDueBefore = async (dueTo: string) =>
      (await callTool(token, 'find_tasks', { project: 'Filtered', dueTo })).total;
    expect(await findDueBefore('2027-01-31')).toBe(5);
    expect(await callTool(token, 'update_task', { ...args, count: 5 })).toMatchObject({
      succeeded: 5,
      matching: 5,
    });
    expect([await findDueBefore('2027-01-31'), await findDueBefore('2027-02-01')]).toEqual([0, 5]);
  });

  it('is rejected if the filter matches more than 100 tasks', async () => {
    const { lead } = world.people;
    const project = await createProject(world, { owner: lead, name: 'Crowded' });
    const tasks = Array.from({ length: 100 }, (_, index) => ({
      projectId: project.id,
      name: `Many ${index}`,
    }));
    await api(lead.token).post('/tasks/bulk', { tasks });
    await createTask(lead, project.id);
    const words = await getUpdateError({
      filter: { project: 'Crowded' },
      set: { priority: 'low' },
      count: 101,
    });
    expect(words).toContain('filter must match at most 100 tasks; it matches 101. Nothing was changed.');
  });
});

describe('update_task with a category', () => {
  it('sets the category and type, which REST can set only when creating a task', async () => {
    const [design, development] = world.categories;
    const [id = 0, other = 0] = await createTasks(2);
    await callTool(token, 'update_task', { updates: [{ id, typeId: design.typeId }] });
    expect(await readTask(id)).toMatchObject({ category: { id: design.id }, type: { id: design.typeId } });
    await callTool(token, 'update_task', { ids: [id, other], set: { categoryId: development.id } });
    for (const each of [id, other])
      expect(await readTask(each)).toMatchObject({ category: { id: development.id }, type: null });
    const wrong = { id, categoryId: development.id, typeId: design.typeId };
    expect(await getUpdateError({ updates: [{ id: other, status: 'todo' }, wrong] })).toMatch(
      /^updates\[1\]\.typeId \d+ belongs to category .*; list_reference \(kind task_types\) lists the types that fit/,
    );
    await callTool(token, 'update_task', { updates: [{ id, categoryId: null }] });
    expect(await readTask(id)).toMatchObject({ category: null, type: null });
    const { body } = await api(token).get('/events?after=0&limit=300&types=task.updated');
    const own = body.data.filter((each: RestValue) => each.task.id === id);
    expect(own.map((each: RestValue) => Object.keys(each.changes).sort())).toEqual([
      ['category', 'type'],
      ['category', 'type'],
      ['category'],
    ]);
    const rejected = await api(token).patch(`/tasks/${id}`, { categoryId: design.id });
    expect(rejected.status).toBe(400);
  });

  it('shows the category in a preview without writing it', async () => {
    const [design] = world.categories;
    const [id = 0] = await createTasks(1);
    const args = { updates: [{ id, typeId: design.typeId }], dryRun: true };
    expect(getResultText(await getToolResult(token, 'update_task', args))).toMatch(/\| categoryId.*typeId/);
    expect((await readTask(id)).type).toBeNull();
  });
});
