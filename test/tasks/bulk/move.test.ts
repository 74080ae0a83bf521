import { beforeAll, describe, expect, it } from 'vitest';
import { undoTaskMoves } from '../../../src/tasks/bulk/undo-moves.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { api } from '../../support/api.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { runForm } from '../../support/forms.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import { createProject, createTask, createWorld, type World } from '../../support/world.ts';
import { createFilledTree } from '../trash/filled-tree.ts';
import { createTree, readTaskOutcome } from './twin-trees.ts';

let world: World;
let me: ReturnType<typeof api>;
beforeAll(async () => {
  world = await createWorld();
  me = api(world.people.owner.token);
});

const moveTasks = (ids: readonly number[], projectId: number, query = '') =>
  me.post(`/tasks/bulk/move${query}`, { ids, projectId });
const readPlace = async (id: number) => {
  const { body } = await me.get(`/tasks/${id}?expand=structure`);
  return { project: body.project.id, parent: body.parent?.id ?? null };
};
async function expectConsistentData() {
  expect(await findCounterDrift(world)).toEqual([]);
  expect(await findInconsistencies()).toEqual([]);
}

describe('POST /tasks/bulk/move', () => {
  it('moves trees from several projects, with the same result as single requests', async () => {
    const { joined, other } = world.projects;
    const target = await createProject(world, { owner: world.people.owner });
    const trees = [];
    for (const project of [joined, joined, other, other]) {
      trees.push(await createFilledTree(world, { project, word: 'twin' }));
    }
    const [one, oneTwin, two, twoTwin] = trees as [
      (typeof trees)[0],
      (typeof trees)[0],
      (typeof trees)[0],
      (typeof trees)[0],
    ];
    const { status, body, cost } = await moveTasks([one.root.id, two.root.id], target.id);
    expect([status, body.meta]).toEqual([200, { succeeded: 2, failed: 0 }]);
    expect(body.data[1].task).toEqual((await me.get(`/tasks/${two.root.id}`)).body);
    expect(cost.trips).toBeLessThanOrEqual(3);
    for (const { root } of [oneTwin, twoTwin])
      await me.post(`/tasks/${root.id}/move`, { projectId: target.id });
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
    expect((await me.get(`/tasks?scope=all&search=twin&projectId=${target.id}`)).body.meta.total).toBe(12);
    await expectConsistentData();
  });

  it('keeps a selected subtask below its selected parent, and removes others from theirs', async () => {
    const { joined, other } = world.projects;
    const [root, child, grandchild] = await createTree(world, joined, 3);
    const parent = await createTask(world.people.lead, joined.id);
    const single = await createTask(world.people.lead, joined.id, { parentId: parent.id });
    const { body } = await moveTasks([grandchild, root, single.id], other.id);
    expect(body.meta.succeeded).toBe(3);
    expect(await readPlace(root)).toEqual({ project: other.id, parent: null });
    expect(await readPlace(child)).toEqual({ project: other.id, parent: root });
    expect(await readPlace(grandchild)).toEqual({ project: other.id, parent: child });
    expect(await readPlace(single.id)).toEqual({ project: other.id, parent: null });
    expect(await readPlace(parent.id)).toEqual({ project: joined.id, parent: null });
    await expectConsistentData();
  });

  it('moves all tasks or none, and names the task that cannot move', async () => {
    const { joined, other } = world.projects;
    const task = await createTask(world.people.lead, joined.id);
    const archived = await createTask(world.people.lead, joined.id);
    await me.post(`/tasks/${archived.id}/archive`);
    const elsewhere = await createWorld();
    const before = await readAllContents();
    const all = await moveTasks([task.id, archived.id], other.id);
    expect([all.status, all.body.error.message]).toEqual([
      400,
      expect.stringContaining(`ids[1]: Task ${archived.id} is archived`),
    ]);
    const statuses = [
      await moveTasks([task.id, 999_999_999], other.id),
      await moveTasks([task.id], elsewhere.projects.joined.id),
      await moveTasks([task.id, task.id], other.id),
      await moveTasks([], other.id),
      await me.post('/tasks/bulk/move', { ids: [task.id] }),
      await api(world.people.client.token).post('/tasks/bulk/move', { ids: [task.id], projectId: other.id }),
      await api(world.people.member.token).post('/tasks/bulk/move', {
        ids: [task.id],
        projectId: 999_999_999,
      }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([404, 404, 400, 400, 400, 404, 404]);
    expect(await readAllContents()).toEqual(before);

    const each = await moveTasks([archived.id, task.id, 999_999_999], other.id, '?mode=each');
    expect(each.body.data).toMatchObject([
      { index: 0, error: { status: 400 } },
      { index: 1, task: { id: task.id, project: { id: other.id } } },
      { index: 2, error: { status: 404 } },
    ]);
    expect(await readPlace(archived.id)).toEqual({ project: joined.id, parent: null });
    await expectConsistentData();
  });

  it('moves a selected subtask on its own if its parent is rejected', async () => {
    const { joined, other } = world.projects;
    const [parent, child] = await createTree(world, joined, 2);
    await me.post(`/tasks/${parent}/archive`);
    await me.post(`/tasks/${child}/unarchive`);
    const { body } = await moveTasks([parent, child], other.id, '?mode=each');
    expect(body.meta).toEqual({ succeeded: 1, failed: 1 });
    expect(await readPlace(child)).toEqual({ project: other.id, parent: null });
    await expectConsistentData();
  });

  it('writes nothing for tasks that are already in the project', async () => {
    const { joined } = world.projects;
    const [root, child] = await createTree(world, joined, 2);
    const before = await readAllContents();
    const { body } = await moveTasks([root, child], joined.id);
    expect(body.meta).toEqual({ succeeded: 2, failed: 0 });
    expect(await readPlace(child)).toEqual({ project: joined.id, parent: root });
    expect(await readAllContents()).toEqual(before);
  });

  it('returns ids and versions with Prefer: return=minimal', async () => {
    const { joined, other } = world.projects;
    const task = await createTask(world.people.lead, joined.id);
    const { body } = await me.post(
      '/tasks/bulk/move',
      { ids: [task.id], projectId: other.id },
      { Prefer: 'return=minimal' },
    );
    expect(body.data).toEqual([{ index: 0, id: task.id, version: 2 }]);
  });

  it('moves a repeated request only once', async () => {
    const { joined, other } = world.projects;
    const task = await createTask(world.people.lead, joined.id);
    const header = { 'Idempotency-Key': crypto.randomUUID() };
    const body = { ids: [999_999_999, task.id], projectId: other.id };
    const send = () => me.post('/tasks/bulk/move?mode=each', body, header);
    const first = await send();
    await me.post(`/tasks/${task.id}/move`, { projectId: joined.id });
    const again = await send();
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    expect(again.body.data[0]).toEqual(first.body.data[0]);
    expect((await readPlace(task.id)).project).toBe(joined.id);
  });

  it('rejects more than 1,100 tasks, including subtasks, and writes nothing', async () => {
    const { joined, other } = world.projects;
    const roots: number[] = [];
    for (let made = 0; made < 3; made += 1) {
      const [root] = await createTree(world, joined, 1);
      roots.push(root);
      for (let batch = 0; batch < 4; batch += 1) {
        const tasks = Array.from({ length: 100 }, () => ({
          projectId: joined.id,
          name: 'Leaf',
          parentId: root,
        }));
        expect((await me.post('/tasks/bulk', { tasks })).status).toBe(201);
      }
    }
    const before = await readAllContents();
    const rejected = await moveTasks(roots, other.id);
    expect([rejected.status, rejected.headers.get('Error-Field')]).toEqual([400, 'ids']);
    expect(rejected.body.error.message).toContain('1,100');
    expect((await me.post('/tasks/bulk/delete?mode=each', { ids: roots })).status).toBe(400);
    expect(await readAllContents()).toEqual(before);
    const { body } = await moveTasks(roots.slice(0, 2), other.id);
    expect(body.meta.succeeded).toBe(2);
    await expectConsistentData();
  });
});

describe('undoing a bulk move', () => {
  it('returns tasks to their projects and parents, and skips those that someone else has moved', async () => {
    const { people, projects } = world;
    const { joined, other } = projects;
    const third = await createProject(world, { owner: people.owner });
    const [root, child, grandchild] = await createTree(world, joined, 3);
    const elsewhere = await createTask(people.owner, other.id);
    const taken = await createTask(people.owner, other.id);
    const since = Date.now();
    const ids = [child, grandchild, elsewhere.id, taken.id];
    await moveTasks(ids, third.id);
    await api(people.admin.token).post(`/tasks/${taken.id}/move`, { projectId: joined.id });
    expect((await runForm(people.owner.token, undoTaskMoves, { ids, since })).status).toBe(200);
    expect(await readPlace(child)).toEqual({ project: joined.id, parent: root });
    expect(await readPlace(grandchild)).toEqual({ project: joined.id, parent: child });
    expect(await readPlace(elsewhere.id)).toEqual({ project: other.id, parent: null });
    expect(await readPlace(taken.id)).toEqual({ project: joined.id, parent: null });
    await expectConsistentData();
  });

  it('returns several subtasks to one parent in the order of the request', async () => {
    const { joined, other } = world.projects;
    const [root] = await createTree(world, joined, 1);
    const children = [];
    for (let made = 0; made < 3; made += 1)
      children.push((await createTask(world.people.lead, joined.id, { parentId: root })).id);
    const since = Date.now();
    await moveTasks(children, other.id);
    await runForm(world.people.owner.token, undoTaskMoves, { ids: children, since });
    const { body } = await me.get(`/tasks/${root}/subtasks`);
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual(children);
    await expectConsistentData();
  });

  it("doesn't undo a move that was made before the one to undo", async () => {
    const { joined, other } = world.projects;
    const task = await createTask(world.people.owner, joined.id);
    await moveTasks([task.id], other.id);
    const since = Date.now() + 1;
    await moveTasks([task.id], other.id);
    const input = { ids: [task.id], since };
    expect((await runForm(world.people.owner.token, undoTaskMoves, input)).status).toBe(400);
    expect((await readPlace(task.id)).project).toBe(other.id);
  });
});
