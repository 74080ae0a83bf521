import { expect, it } from 'vitest';
import { buildFingerprint } from '../../../src/kernel/operation/snapshot.ts';
import { undoTaskChanges } from '../../../src/tasks/bulk/undo.ts';
import { updateTask } from '../../../src/tasks/operations/tasks.ts';
import { api } from '../../support/api.ts';
import { runForm } from '../../support/forms.ts';
import { createTask, createWorld } from '../../support/world.ts';

it('clients see no hidden parents or subtasks in tasks, lists, history or events', async () => {
  const world = await createWorld();
  const { owner, client } = world.people;
  const project = world.projects.other.id;
  const top = await createTask(owner, project, { name: 'Secret plan' });
  const seen = await createTask(owner, project, { parentId: top.id, assigneeId: client.userId });
  await createTask(owner, project, { parentId: seen.id, name: 'Secret step' });
  const step = await createTask(owner, project, { parentId: seen.id, assigneeId: client.userId });
  const call = api(client.token);
  const { body } = await call.get(`/tasks/${seen.id}?expand=structure`);
  expect([body.parent, body.subtasks]).toEqual([null, { total: 1, completed: 0 }]);
  const list = await call.get(`/tasks/${seen.id}/subtasks`);
  expect([list.body.meta.total, list.body.data[0].id]).toEqual([1, step.id]);
  expect((await call.get(`/tasks?parentId=${top.id}`)).body.meta.total).toBe(0);
  expect((await call.get('/tasks?parentId=none')).body.data.map(({ id }: { id: number }) => id)).toEqual([
    seen.id,
  ]);
  expect((await call.get(`/tasks/${top.id}/subtasks`)).status).toBe(404);
  await api(owner.token).patch(`/tasks/${seen.id}`, { parentId: null });
  const [moved] = (await call.get(`/tasks/${seen.id}/activities`)).body.data;
  expect([moved.type, moved.from, moved.to]).toEqual(['parent_changed', null, null]);
  const events = (await call.get('/events?after=0&limit=100')).text;
  expect(events).toContain('"parent":{"from":{"id":null},"to":null}');
  expect(events).not.toContain(`{"id":${top.id}}`);
});

it("a parent that a client can't see is kept when the client sends null as the parent", async () => {
  const world = await createWorld();
  const { owner, client } = world.people;
  const project = world.projects.other.id;
  const top = await createTask(owner, project, { name: 'Secret plan' });
  const seen = await createTask(owner, project, { parentId: top.id, assigneeId: client.userId });
  const call = api(client.token);
  const before = (await call.get(`/tasks/${seen.id}`)).headers.get('ETag');
  const single = await call.patch(`/tasks/${seen.id}`, { parentId: null });
  expect([single.status, single.headers.get('ETag'), single.cost.rowsWritten]).toEqual([200, before, 0]);
  const bulk = await call.patch('/tasks/bulk', { updates: [{ id: seen.id, parentId: null }] });
  expect([bulk.status, bulk.cost.rowsWritten]).toEqual([200, 0]);
  await call.patch(`/tasks/${seen.id}`, { parentId: null, priority: 'high' });
  const readStructure = async (id: number) =>
    (await api(owner.token).get(`/tasks/${id}?expand=structure`)).body;
  expect(await readStructure(seen.id)).toMatchObject({ parent: { id: top.id }, priority: 'high' });
  expect((await readStructure(top.id)).subtasks.total).toBe(1);
  const own = await createTask(owner, project, { name: 'Open plan', assigneeId: client.userId });
  const form = { id: seen.id, parentId: own.id };
  const shown = { parentId: buildFingerprint(null) };
  expect((await runForm(client.token, updateTask, form, {}, 1, shown)).status).toBe(200);
  expect((await readStructure(seen.id)).parent).toMatchObject({ id: own.id });
  expect((await readStructure(top.id)).subtasks.total).toBe(0);
  await call.patch(`/tasks/${seen.id}`, { parentId: null });
  expect((await readStructure(seen.id)).parent).toBeNull();
});

it("archiving or restoring a parent includes a subtask that the client can't see, although the subtask's own id is rejected", async () => {
  const world = await createWorld();
  const { owner, client } = world.people;
  const project = world.projects.other.id;
  const top = await createTask(owner, project, { assigneeId: client.userId });
  const hidden = await createTask(owner, project, { parentId: top.id });
  const buildPath = (action: string) => `/tasks/bulk/${action}?mode=each`;
  const isArchived = async () => (await api(owner.token).get(`/tasks/${hidden.id}`)).body.isArchived;
  const archive = await api(client.token).post(buildPath('archive'), { ids: [top.id, hidden.id] });
  expect([archive.status, archive.body.meta]).toEqual([200, { succeeded: 1, failed: 1 }]);
  expect(await isArchived()).toBe(true);
  const restore = await api(client.token).post(buildPath('unarchive'), { ids: [top.id, hidden.id] });
  expect([restore.status, restore.body.meta]).toEqual([200, { succeeded: 1, failed: 1 }]);
  expect(await isArchived()).toBe(false);
});

it('archiving a task with its subtasks and changing a parent can be undone', async () => {
  const world = await createWorld();
  const { member } = world.people;
  const project = world.projects.joined.id;
  const call = api(member.token);
  const top = await createTask(member, project);
  const child = await createTask(member, project, { parentId: top.id });
  const undoTask = (id: number) => runForm(member.token, undoTaskChanges, { ids: [id], since: 0 });
  await call.post(`/tasks/${top.id}/archive`);
  expect((await undoTask(top.id)).status).toBe(200);
  expect((await call.get(`/tasks/${child.id}`)).body.isArchived).toBe(false);
  const other = await createTask(member, project, { parentId: top.id });
  await call.patch(`/tasks/${other.id}`, { parentId: null });
  expect((await undoTask(other.id)).status).toBe(200);
  expect((await call.get(`/tasks/${other.id}?expand=structure`)).body.parent).toMatchObject({ id: top.id });
});
