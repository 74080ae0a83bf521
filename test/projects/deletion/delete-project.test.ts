import { beforeAll, expect, it } from 'vitest';
import { batchByName } from '../../../src/kernel/sql/batch-by-name.ts';
import { CostMeter } from '../../../src/kernel/sql/cost.ts';
import { Database } from '../../../src/kernel/sql/database.ts';
import { deleteProject, listProjectDeletions } from '../../../src/projects/deletion/delete-project.ts';
import { deleteSlice, STATEMENTS_PER_SLICE } from '../../../src/projects/deletion/delete-slice.queries.ts';
import { deleteProjects } from '../../../src/projects/deletion/delete-slices.ts';
import { listObjects } from '../../files/attachments/presigning.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { createFaultyD1, failNthBatch, testedFaults } from '../../suites/faults/faulty-d1.ts';
import { api, meteredEnv } from '../../support/api.ts';
import { createBulkWorld } from '../../support/bulk-world.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { runCron } from '../../support/cron.ts';
import { getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { openScope } from '../../support/scope.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import { createProject, createTask, createWorld, type World } from '../../support/world.ts';
import { createLeaverWorld, type LeaverWorld, listPaths } from '../../workspaces/directory/leaver-world.ts';
import { createFilledProject } from './filled-project.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

async function readAllResponses(stay: LeaverWorld): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const reader of Object.values(stay.world.people)) {
    for (const path of listPaths(stay)) {
      if (path.startsWith('/notifications') || path.endsWith('download')) continue;
      const { status, body } = await api(reader.token).get(path);
      found[`${reader.role} ${path}`] = { status, body };
    }
  }
  return found;
}

it('a deleted project immediately looks like an unknown project to every role', async () => {
  const stay = await createLeaverWorld();
  const { people } = stay.world;
  // Filling the project starts timers, and a person can have only one, so the running timers are stopped first.
  for (const { token } of Object.values(people)) await api(token).post('/timer/stop');
  const before = await readAllResponses(stay);
  const objects = await listObjects(stay.world);
  const project = await createFilledProject(stay.world);
  expect(await readAllResponses(stay)).not.toEqual(before);
  const answer = await runForm(people.owner.token, deleteProject, { id: project.id, name: 'Doomed' });
  expect([answer.status, answer.body]).toEqual([200, { success: true }]);
  const after = await readAllResponses(stay);
  for (const [name, was] of Object.entries(before)) expect(after[name], name).toEqual(was);
  expect(await findCounterDrift(stay.world)).toEqual([]);
  expect(await findInconsistencies()).toEqual([]);
  for (const { token } of Object.values(people)) {
    expect((await api(token).get('/tasks?scope=all&search=doomed')).body.meta.total).toBe(0);
    expect((await api(token).get('/dashboard/comments?search=doomed')).body.meta.total).toBe(0);
    expect((await api(token).get(`/projects/${project.id}`)).status).toBe(404);
    const notifications = (await api(token).get('/notifications?limit=100')).text;
    expect(notifications).not.toContain('Doomed');
  }
  await runCron('* * * * *');
  await createTask(people.lead, stay.world.projects.joined.id);
  await runCron('* * * * *');
  expect(await findInconsistencies()).toEqual([]);
  // Excludes the tables that keep traces of a deleted project, such as its name in the audit log.
  const left = await readAllContents(['uploads', 'idempotency_keys', 'events', 'audit_entries']);
  const traces = Object.entries(left).filter(([, rows]) => rows.some((row) => /[Dd]oomed/.test(row)));
  expect(traces.map(([table]) => table)).toEqual([]);
  // The object of the unconfirmed upload remains, because its URL is still valid.
  expect(await listObjects(stay.world)).toHaveLength(objects.length + 1);
});

it.each(['owner', 'admin', 'lead', 'member', 'client'] as const)(
  "only owners and admins who enter a project's exact name can delete it (role: %s)",
  async (role) => {
    const { people } = world;
    const { id } = await createProject(world, {
      name: 'Named',
      owner: people.lead,
      members: [people.member, people.client],
    });
    const before = await readAllContents();
    const misspelt = await runForm(people[role].token, deleteProject, { id, name: 'named' });
    const may = role === 'owner' || role === 'admin';
    expect(misspelt.status).toBe(may ? 400 : 403);
    expect(await readAllContents()).toEqual(before);
    const answer = await runForm(people[role].token, deleteProject, { id, name: 'Named' });
    expect(answer.status).toBe(may ? 200 : 403);
    if (!may) expect(await readAllContents()).toEqual(before);
  },
);

it('deleting a project in another workspace returns 404', async () => {
  const elsewhere = await createWorld();
  const before = await readAllContents();
  const answer = await runForm(world.people.owner.token, deleteProject, {
    id: elsewhere.projects.joined.id,
    name: 'Joined',
  });
  expect(answer.status).toBe(404);
  expect(await readAllContents()).toEqual(before);
});

it('parallel requests delete a project only once, and concurrent changes leave the data consistent', async () => {
  const { owner, admin, lead } = world.people;
  const project = await createProject(world, { name: 'Race', owner: lead });
  const task = await createTask(lead, project.id);
  const [one, two, ...others] = await Promise.all([
    runForm(owner.token, deleteProject, { id: project.id, name: 'Race' }, {}, 2),
    runForm(admin.token, deleteProject, { id: project.id, name: 'Race' }, {}, 2),
    api(lead.token).post('/tasks', { projectId: project.id, name: 'Late' }),
    api(lead.token).post(`/tasks/${task.id}/comments`, { content: 'Late' }),
    api(lead.token).patch(`/tasks/${task.id}`, { status: 'completed' }),
    api(lead.token).post('/timer/start', { taskId: task.id }),
    api(lead.token).post('/meetings', {
      projectId: project.id,
      name: 'Late',
      date: '2026-12-01',
      time: '10:00',
      participantIds: [lead.userId],
    }),
  ]);
  expect([one.status, two.status].sort()).toEqual([200, 404]);
  for (const { status } of others) expect([200, 201, 404]).toContain(status);
  expect(await findInconsistencies()).toEqual([]);
  await runCron('* * * * *');
  expect(await findInconsistencies()).toEqual([]);
});

it.each(testedFaults)(
  'a project is either deleted completely or left unchanged if a database batch fails (fault: %s)',
  async (fault) => {
    const { owner } = world.people;
    for (const batch of [1, 2]) {
      const project = await createProject(world, { name: 'Faulty', owner });
      await createTask(owner, project.id);
      const faulty = createFaultyD1(meteredEnv.CELL_0, failNthBatch(batch, fault));
      const failed = await runForm(
        owner.token,
        deleteProject,
        { id: project.id, name: 'Faulty' },
        { CELL_0: faulty.d1 },
      ).catch(() => null);
      // After a lost connection, reads are retried, so the request may succeed.
      if (failed === null) expect(faulty.failed).toBeGreaterThan(0);
      const isThere = (await api(owner.token).get(`/projects/${project.id}`)).status === 200;
      expect(isThere).toBe(failed?.status !== 200 && !faulty.hasCommitted);
      expect(await findInconsistencies()).toEqual([]);
    }
  },
);

const openCell = () => new Database(meteredEnv.CELL_0, new CostMeter());

it('the tasks of a large project are deleted in slices, and the data is consistent after each slice', async () => {
  const bulk = await createBulkWorld(6_000);
  const owner = bulk.people.owner;
  const id = bulk.projectIds[0] as number;
  const { name } = (await api(owner.token).get(`/projects/${id}`)).body;
  const countTasks = () =>
    getCell(0).prepare('SELECT count(*) AS n FROM tasks WHERE abs(project) = ?').bind(id).first<number>('n');
  await createTask(owner, bulk.projectIds[1] as number);
  const tasks = Number(await countTasks());
  // People in the bulk world have no accounts, so only the cell is checked.
  const listInconsistencies = async () =>
    (await findInconsistencies([0])).filter(
      (each) => each.startsWith('cell 0: ') && !each.includes('only in the cell'),
    );
  expect(tasks).toBeGreaterThan(200);
  const answer = await runForm(owner.token, deleteProject, { id, name });
  expect(answer.status).toBe(200);
  expect(await findCounterDrift(bulk)).toEqual([]);
  const readProgress = async () => (await runForm(owner.token, listProjectDeletions, {})).body.deletions;
  expect(await readProgress()).toEqual([{ id, name, tasks, tasksLeft: tasks }]);
  const cell = openCell();
  await batchByName(cell, deleteSlice({ project: id, ws: bulk.no }));
  expect(await countTasks()).toBe(tasks - 100);
  expect(await readProgress()).toEqual([{ id, name, tasks, tasksLeft: tasks - 100 }]);
  expect(await listInconsistencies()).toEqual([]);
  // One run is rolled back at its end, and then two runs overlap.
  const failing = new Database(
    createFaultyD1(meteredEnv.CELL_0, failNthBatch(1, 'rolled back at its end')).d1,
    new CostMeter(),
  );
  await expect(batchByName(failing, deleteSlice({ project: id, ws: bulk.no }))).rejects.toThrow();
  expect(await countTasks()).toBe(tasks - 100);
  await Promise.all([1, 2].map(() => deleteProjects.run(openScope(), 0, { left: STATEMENTS_PER_SLICE + 5 })));
  const left = Number(await countTasks());
  expect(left).toBeLessThan(tasks - 100);
  expect(await readProgress()).toEqual(left === 0 ? [] : [{ id, name, tasks, tasksLeft: left }]);
  await deleteProjects.run(openScope(), 0, { left: 10_000 });
  expect([await countTasks(), await readProgress()]).toEqual([0, []]);
  expect(await listInconsistencies()).toEqual([]);
  expect(await deleteProjects.run(openScope(), 0, { left: 10_000 })).toBe(false);
});

it("a deleted task's row is kept without its content as long as the task is the newest in its cell", async () => {
  const { owner } = world.people;
  const project = await createProject(world, { name: 'Newest', owner });
  const task = await createTask(owner, project.id, { name: 'Secret newest', description: 'Secret' });
  await runForm(owner.token, deleteProject, { id: project.id, name: 'Newest' });
  await deleteProjects.run(openScope(), 0, { left: 1_000 });
  const readTaskRow = () =>
    getCell(0).prepare('SELECT name, description FROM tasks WHERE id = ?').bind(task.id).first();
  expect(await readTaskRow()).toEqual({ name: '', description: null });
  const next = await createTask(owner, world.projects.other.id);
  expect(next.id).toBeGreaterThan(task.id);
  await deleteProjects.run(openScope(), 0, { left: 1_000 });
  expect(await readTaskRow()).toBeNull();
});
