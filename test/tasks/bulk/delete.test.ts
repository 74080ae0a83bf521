import { beforeAll, describe, expect, it } from 'vitest';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { api } from '../../support/api.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import { createFilledTree } from '../trash/filled-tree.ts';
import { createTree, readTaskOutcome } from './twin-trees.ts';

let world: World;
let me: ReturnType<typeof api>;
beforeAll(async () => {
  world = await createWorld();
  me = api(world.people.owner.token);
});

const deleteTasks = (ids: readonly number[], query = '') => me.post(`/tasks/bulk/delete${query}`, { ids });
const restoreTasks = (ids: readonly number[], query = '') => me.post(`/tasks/bulk/restore${query}`, { ids });
const getStatus = async (id: number) => (await me.get(`/tasks/${id}`)).status;
const listTrash = async () =>
  (await me.get('/tasks/trash?limit=100')).body.data.map(({ id }: { id: number }) => id);
async function expectConsistentData() {
  expect(await findCounterDrift(world)).toEqual([]);
  expect(await findInconsistencies()).toEqual([]);
}

describe('POST /tasks/bulk/delete and /restore', () => {
  it('delete and restore trees of several projects, with the same result as single requests', async () => {
    const { joined, other } = world.projects;
    const trees = [];
    for (const project of [joined, joined, other, other]) {
      trees.push(await createFilledTree(world, { project, word: 'pair' }));
    }
    const [one, oneTwin, two, twoTwin] = trees as [
      (typeof trees)[0],
      (typeof trees)[0],
      (typeof trees)[0],
      (typeof trees)[0],
    ];
    const notified = async () => (await api(world.people.member.token).get('/notifications/count')).body;
    const before = await notified();
    const { status, body, cost } = await deleteTasks([one.root.id, two.root.id]);
    expect([status, body]).toEqual([
      200,
      {
        data: [
          { index: 0, id: one.root.id },
          { index: 1, id: two.root.id },
        ],
        meta: { succeeded: 2, failed: 0 },
      },
    ]);
    expect(cost.trips).toBeLessThanOrEqual(2);
    for (const { root } of [oneTwin, twoTwin]) await me.delete(`/tasks/${root.id}`);
    for (const { ids } of trees) for (const id of ids) expect(await getStatus(id)).toBe(404);
    expect((await me.get('/tasks?scope=all&search=pair')).body.meta.total).toBe(0);
    await expectConsistentData();

    const restored = await restoreTasks([two.root.id, one.root.id]);
    expect(restored.body.data[1].task).toEqual((await me.get(`/tasks/${one.root.id}`)).body);
    expect(restored.cost.trips).toBeLessThanOrEqual(3);
    for (const { root } of [oneTwin, twoTwin]) await me.post(`/tasks/${root.id}/restore`);
    for (const [tree, twin] of [
      [one, oneTwin],
      [two, twoTwin],
    ] as const) {
      for (const [index, id] of tree.ids.entries()) {
        expect(await readTaskOutcome(world, id), `task ${index}`).toEqual(
          await readTaskOutcome(world, twin.ids[index] as number),
        );
      }
    }
    expect(await notified()).toEqual(before);
    expect((await me.get('/tasks?scope=all&search=pair')).body.meta.total).toBe(12);
    await expectConsistentData();
  });

  it('delete a selected subtask together with its selected parent, and restore both', async () => {
    const { joined } = world.projects;
    const [root, child, grandchild] = await createTree(world, joined, 3);
    const parent = await createTask(world.people.lead, joined.id);
    const single = await createTask(world.people.lead, joined.id, { parentId: parent.id });
    const ids = [grandchild, single.id, root];
    expect((await deleteTasks(ids)).body.meta.succeeded).toBe(3);
    const trash = await listTrash();
    expect(trash).toEqual(expect.arrayContaining([root, single.id]));
    expect(trash).not.toContain(grandchild);
    expect((await restoreTasks(ids)).body.meta).toEqual({ succeeded: 3, failed: 0 });
    const readParent = async (id: number) => (await me.get(`/tasks/${id}?expand=structure`)).body.parent?.id;
    expect(await readParent(child)).toBe(root);
    expect(await readParent(grandchild)).toBe(child);
    expect(await readParent(single.id)).toBe(parent.id);
    await expectConsistentData();
  });

  it.each(['lead', 'member', 'client'] as const)(
    'let a %s delete and restore only the tasks of projects that the person leads',
    async (role) => {
      const { joined, other } = world.projects;
      const person = world.people[role];
      const own = await createTask(world.people.lead, joined.id, { assigneeId: person.userId });
      const foreign = await createTask(world.people.owner, other.id, { assigneeId: person.userId });
      const before = await readAllContents();
      const send = (path: string, ids: readonly number[]) => api(person.token).post(path, { ids });
      const all = await send('/tasks/bulk/delete', [own.id, foreign.id]);
      expect([all.status, all.body.error.message]).toEqual([
        403,
        expect.stringContaining(role === 'lead' ? 'ids[1]' : 'ids[0]'),
      ]);
      expect(await readAllContents()).toEqual(before);
      const each = await send('/tasks/bulk/delete?mode=each', [own.id, foreign.id]);
      expect(each.body.data).toMatchObject([
        role === 'lead' ? { id: own.id } : { error: { status: 403 } },
        { error: { status: 403 } },
      ]);
      await deleteTasks([foreign.id]);
      const restored = await send('/tasks/bulk/restore?mode=each', [own.id, foreign.id]);
      expect(restored.body.meta).toEqual({
        succeeded: role === 'lead' ? 1 : 0,
        failed: role === 'lead' ? 1 : 2,
      });
      expect((await send('/tasks/bulk/restore', [own.id, foreign.id])).status).toBe(404);
      await expectConsistentData();
    },
  );

  it('delete archived tasks, and restore them as archived tasks', async () => {
    const [root, child] = await createTree(world, world.projects.joined, 2);
    await me.post(`/tasks/${root}/archive`);
    expect((await deleteTasks([root])).status).toBe(200);
    const { body } = await restoreTasks([root]);
    expect(body.data[0].task.isArchived).toBe(true);
    await me.post(`/tasks/${root}/unarchive`);
    expect((await me.get(`/tasks/${child}`)).body.isArchived).toBe(false);
    await expectConsistentData();
  });

  it('write nothing if one of the tasks is unknown, hidden, repeated or already deleted', async () => {
    const { joined } = world.projects;
    const task = await createTask(world.people.lead, joined.id);
    const deleted = await createTask(world.people.lead, joined.id);
    await deleteTasks([deleted.id]);
    const elsewhere = await createWorld();
    const foreign = await createTask(elsewhere.people.lead, elsewhere.projects.joined.id);
    const before = await readAllContents();
    for (const id of [deleted.id, foreign.id, 999_999_999]) {
      const { status, body } = await deleteTasks([task.id, id]);
      expect([status, body.error.message]).toEqual([404, expect.stringContaining('ids[1]')]);
    }
    expect((await deleteTasks([task.id, task.id])).status).toBe(400);
    expect((await deleteTasks([])).status).toBe(400);
    expect((await restoreTasks([deleted.id, task.id])).status).toBe(404);
    expect(await readAllContents()).toEqual(before);
  });

  it('take effect once if the request is repeated, and return the first result', async () => {
    const task = await createTask(world.people.lead, world.projects.joined.id);
    const header = { 'Idempotency-Key': crypto.randomUUID() };
    const send = () => me.post('/tasks/bulk/delete?mode=each', { ids: [task.id, 999_999_999] }, header);
    const first = await send();
    await restoreTasks([task.id]);
    const again = await send();
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    expect(await getStatus(task.id)).toBe(200);
  });

  it('log an event for each task, stop its timers, and unblock tasks', async () => {
    const { lead, member } = world.people;
    const [root, child] = await createTree(world, world.projects.joined, 2);
    const blocked = await createTask(lead, world.projects.joined.id);
    await api(lead.token).post(`/tasks/${child}/relations`, { type: 'blocks', taskId: blocked.id });
    await api(member.token).post('/timer/start', { taskId: child });
    const { nextAfter } = (await me.get('/events')).body.meta;
    await deleteTasks([root]);
    await restoreTasks([root]);
    const { data } = (await me.get(`/events?after=${nextAfter}`)).body;
    expect(data.map(({ type }: { type: string }) => type)).toEqual([
      'task.deleted',
      'task.deleted',
      'task.restored',
      'task.restored',
    ]);
    expect((await api(member.token).get('/timer/current')).body).toBeNull();
    await deleteTasks([root]);
    expect((await me.get(`/tasks/${blocked.id}?expand=structure`)).body.isBlocked).toBe(false);
    await expectConsistentData();
  });
});
