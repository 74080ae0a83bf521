import { beforeEach, describe, expect, it } from 'vitest';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { api } from '../../support/api.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;

beforeEach(async () => {
  world = await createWorld();
});

const createClient = () => api(world.people.member.token);

describe('a new task', () => {
  it('is created with its checklist items, individually or in bulk', async () => {
    const projectId = world.projects.joined.id;
    const lines = [{ text: 'One', isDone: true }, { text: 'Two' }];
    const single = await createClient().post('/tasks', { projectId, name: 'Single', checklist: lines });
    const tasks = [
      { projectId, name: 'Without' },
      { projectId, name: 'With', checklist: lines },
      { projectId, name: 'Empty', checklist: [] },
    ];
    const bulk = await createClient().post('/tasks/bulk', { tasks });
    const ids = bulk.body.data.map((each: { task: { id: number } }) => each.task.id);
    const readChecklist = async (id: number) =>
      (await createClient().get(`/tasks/${id}/checklist`)).body.items;
    const expected = [
      { id: 1, text: 'One', isDone: true },
      { id: 2, text: 'Two', isDone: false },
    ];
    expect(await readChecklist(single.body.id)).toEqual(expected);
    expect(await Promise.all(ids.map(readChecklist))).toEqual([[], expected, []]);
    expect(
      (await createClient().post(`/tasks/${single.body.id}/checklist/items`, { text: 'Three' })).body.id,
    ).toBe(3);
    const plain = await createClient().post('/tasks', { projectId, name: 'Plain' });
    // A checklist adds two rows: the checklist itself, and its entry in the search index's queue.
    expect(single.cost.rowsWritten - plain.cost.rowsWritten).toBe(2);
    expect(await findInconsistencies([0])).toEqual([]);
  });

  it("isn't created if an item is invalid", async () => {
    const projectId = world.projects.joined.id;
    const many = Array.from({ length: 101 }, () => ({ text: 'x' }));
    for (const checklist of [[{ text: '' }], [{ text: 'x'.repeat(501) }], [{ id: 1, text: 'x' }], many]) {
      const answer = await createClient().post('/tasks', { projectId, name: 'Refused', checklist });
      expect([answer.status, answer.headers.get('Error-Field')]).toEqual([
        400,
        expect.stringMatching(/^checklist/),
      ]);
    }
    expect((await createClient().get('/tasks?search=Refused')).body.meta.total).toBe(0);
  });
});
