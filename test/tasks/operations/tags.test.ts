import { beforeAll, describe, expect, it } from 'vitest';
import { undoTaskChanges } from '../../../src/tasks/bulk/undo.ts';
import { setTaskTags } from '../../../src/tasks/operations/tags.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { api } from '../../support/api.ts';
import { runForm } from '../../support/forms.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';

let world: World;
let me: ReturnType<typeof api>;
beforeAll(async () => {
  world = await createWorld();
  me = api(world.people.lead.token);
});

const readTags = async (id: number) => (await me.get(`/tasks/${id}`)).body.tags;
const createTaskId = async (fields = {}) =>
  (await createTask(world.people.lead, world.projects.joined.id, fields)).id;
const twentyTags = Array.from({ length: 20 }, (_, index) => `tag ${index}`);

const rejectedLists: [unknown, string][] = [
  [['a,b'], 'tags[0] must not contain commas'],
  [['a', ''], 'tags[1] must have at least 1 character'],
  [['  '], 'tags[0] must have at least 1 character'],
  [['x'.repeat(51)], 'tags[0] must have at most 50 characters'],
  [['two\nlines'], 'tags[0] must not contain control characters'],
  [[...twentyTags, 'one more'], 'tags must have at most 20 tags'],
  [[1], 'tags[0] must be a string'],
  ['web', 'tags must be an array'],
  [null, 'tags must be an array'],
];

describe('tags', () => {
  it('are set by POST and replaced entirely by PATCH, and duplicates are ignored', async () => {
    const projectId = world.projects.joined.id;
    const created = await me.post('/tasks', { projectId, name: 'x', tags: ['web', ' copy ', 'web', 'Web'] });
    expect([created.status, created.body.tags]).toEqual([201, ['web', 'copy', 'Web']]);
    const { id } = created.body;
    const patched = await me.patch(`/tasks/${id}`, { tags: [...twentyTags, ...twentyTags] });
    expect([patched.status, patched.body.tags]).toEqual([200, twentyTags]);
    expect((await me.patch(`/tasks/${id}`, { name: 'y' })).body.tags).toEqual(twentyTags);
    expect((await me.patch(`/tasks/${id}`, { tags: ['x'.repeat(50)] })).body.tags).toEqual(['x'.repeat(50)]);
    expect((await me.patch(`/tasks/${id}`, { tags: [] })).body.tags).toEqual([]);
    expect((await me.post('/tasks', { projectId, name: 'x' })).body.tags).toEqual([]);
    expect(await findInconsistencies()).toEqual([]);
  });

  it('are set in bulk, with different tags per task or the same tags for all', async () => {
    const projectId = world.projects.joined.id;
    const tasks = [['a'], [], ['b', 'b']].map((tags) => ({ projectId, name: 'x', tags }));
    const created = (await me.post('/tasks/bulk', { tasks })).body.data.map(({ task }: never) => task);
    expect(created.map(({ tags }: { tags: string[] }) => tags)).toEqual([['a'], [], ['b']]);
    const ids: number[] = created.map(({ id }: { id: number }) => id);
    await me.patch('/tasks/bulk', { updates: ids.map((id, index) => ({ id, tags: [`t${index}`] })) });
    expect(await Promise.all(ids.map(readTags))).toEqual([['t0'], ['t1'], ['t2']]);
    await me.patch('/tasks/bulk', { ids, set: { tags: ['all'] } });
    expect(await Promise.all(ids.map(readTags))).toEqual([['all'], ['all'], ['all']]);
  });

  it('are rejected without any change if the list is invalid', async () => {
    const id = await createTaskId({ tags: ['kept'] });
    const projectId = world.projects.joined.id;
    const before = await readAllContents();
    for (const [tags, message] of rejectedLists) {
      for (const [field, answer] of [
        ['tags', await me.patch(`/tasks/${id}`, { tags })],
        ['tags', await me.post('/tasks', { projectId, name: 'x', tags })],
        ['updates[0].tags', await me.patch('/tasks/bulk', { updates: [{ id, tags }] })],
        ['set.tags', await me.patch('/tasks/bulk', { ids: [id], set: { tags } })],
      ] as const) {
        expect(answer.status, message).toBe(400);
        expect(answer.body.error.message).toContain(message.replace('tags', field));
        expect(answer.headers.get('Error-Field')?.startsWith(field), message).toBe(true);
      }
    }
    expect(await readAllContents()).toEqual(before);
  });

  it("can't be changed on archived or hidden tasks", async () => {
    const id = await createTaskId({ tags: ['kept'] });
    const hidden = await createTask(world.people.owner, world.projects.other.id);
    const elsewhere = await createWorld();
    const foreign = await createTask(elsewhere.people.owner, elsewhere.projects.joined.id);
    await me.post(`/tasks/${id}/archive`);
    const before = await readAllContents();
    expect((await me.patch(`/tasks/${id}`, { tags: [] })).status).toBe(400);
    const client = api(world.people.client.token);
    expect((await client.patch(`/tasks/${hidden.id}`, { tags: ['x'] })).status).toBe(404);
    expect((await me.patch(`/tasks/${foreign.id}`, { tags: ['x'] })).status).toBe(404);
    expect(await readAllContents()).toEqual(before);
  });

  it('appear in events and in the history when they change, and the change can be undone', async () => {
    const id = await createTaskId({ tags: ['web'] });
    const readHistory = async () =>
      (await me.get(`/tasks/${id}/activities`)).body.data.map(
        ({ type, field, from, to }: Record<string, string>) => [type, field, from, to],
      );
    const since = Date.now();
    await me.patch(`/tasks/${id}`, { tags: ['web', 'copy'], priority: 'high' });
    const events = (await api(world.people.owner.token).get('/events?after=0&limit=100')).body.data;
    expect(events.at(-1)).toMatchObject({
      type: 'task.updated',
      task: { id },
      changes: { tags: { from: ['web'], to: ['web', 'copy'] } },
    });
    expect(await readHistory()).toEqual([
      ['tags_changed', 'tags', 'web', 'web, copy'],
      ['priority_changed', 'priority', 'medium', 'high'],
      ['created', null, null, null],
    ]);
    await me.patch(`/tasks/${id}`, { tags: ['web', 'copy'] });
    expect(await readHistory()).toHaveLength(3);
    expect((await runForm(world.people.lead.token, undoTaskChanges, { ids: [id], since })).status).toBe(200);
    expect(await readTags(id)).toEqual(['web']);
    await me.patch(`/tasks/${id}`, { tags: [] });
    expect((await readHistory())[0]).toEqual(['tags_changed', 'tags', 'web', null]);
    expect(await findInconsistencies()).toEqual([]);
  });

  it('can be set in the app by anyone who can edit the task', async () => {
    const { lead, client, owner } = world.people;
    const id = await createTaskId();
    expect((await runForm(client.token, setTaskTags, { id, tags: ['web', ' copy ', 'web'] })).status).toBe(
      200,
    );
    expect(await readTags(id)).toEqual(['web', 'copy']);
    const other = await createTask(owner, world.projects.other.id);
    expect((await runForm(client.token, setTaskTags, { id: other.id, tags: [] })).status).toBe(404);
    for (const [tags] of rejectedLists)
      expect((await runForm(lead.token, setTaskTags, { id, tags })).status).toBe(400);
    await me.post(`/tasks/${id}/archive`);
    expect((await runForm(lead.token, setTaskTags, { id, tags: [] })).status).toBe(400);
    expect(await readTags(id)).toEqual(['web', 'copy']);
  });
});
