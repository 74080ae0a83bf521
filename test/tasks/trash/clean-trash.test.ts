import { beforeAll, expect, it } from 'vitest';
import { CostMeter } from '../../../src/kernel/sql/cost.ts';
import { Database } from '../../../src/kernel/sql/database.ts';
import { deleteProject } from '../../../src/projects/deletion/delete-project.ts';
import { cleanTrash, TRASH_LIFETIME_MS } from '../../../src/tasks/trash/clean-trash.ts';
import { listObjects } from '../../files/attachments/presigning.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { createFaultyD1, failNthBatch, testedFaults } from '../../suites/faults/faulty-d1.ts';
import { api, meteredEnv } from '../../support/api.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { runCron } from '../../support/cron.ts';
import { getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { openScope } from '../../support/scope.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import { createProject, createTask, createWorld, type World } from '../../support/world.ts';
import { createFilledTree } from './filled-tree.ts';

const MINUTE = '* * * * *';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

/** Backdates all deletions. By default, the deleted tasks become old enough to be removed from the trash. */
const ageTrash = (ms = TRASH_LIFETIME_MS) =>
  getCell(0).prepare('UPDATE trash SET deleted_at = deleted_at - ?').bind(ms).run();

async function findTraces(word: string): Promise<string[]> {
  const left = await readAllContents(['uploads', 'idempotency_keys', 'audit_entries']);
  return Object.entries(left).flatMap(([table, rows]) =>
    rows.some((row) => row.includes(word)) ? [table] : [],
  );
}

it('a deleted task is permanently removed after 30 days, with everything that belongs to it', async () => {
  const { lead } = world.people;
  const objects = await listObjects(world);
  const tree = await createFilledTree(world, { word: 'basalt' });
  await api(lead.token).delete(`/tasks/${tree.root.id}`);
  await createTask(lead, world.projects.joined.id);
  await ageTrash(TRASH_LIFETIME_MS - 60_000);
  await runCron(MINUTE);
  expect((await api(lead.token).get('/tasks/trash')).body.meta.total).toBe(1);
  expect((await listObjects(world)).length).toBeGreaterThan(objects.length);

  await ageTrash(120_000);
  for (let turn = 0; turn < 3; turn += 1) await runCron(MINUTE);
  expect((await api(lead.token).get('/tasks/trash')).body.meta.total).toBe(0);
  expect((await api(lead.token).post(`/tasks/${tree.root.id}/restore`)).status).toBe(404);
  expect(await findTraces('basalt')).toEqual([]);
  expect(await listObjects(world)).toHaveLength(objects.length);
  expect(await findCounterDrift(world)).toEqual([]);
  expect(await findInconsistencies()).toEqual([]);
});

it.each(testedFaults)(
  'the removal of deleted tasks continues after a database batch fails (fault: %s)',
  async (fault) => {
    const { lead } = world.people;
    const word = `granite ${fault}`;
    const tree = await createFilledTree(world, { word });
    await api(lead.token).delete(`/tasks/${tree.root.id}`);
    await createTask(lead, world.projects.joined.id);
    await ageTrash();
    for (let batch = 1; batch < 6; batch += 1) {
      const faulty = createFaultyD1(meteredEnv.CELL_0, failNthBatch(batch, fault));
      const scope = { ...openScope(), cell: () => new Database(faulty.d1, new CostMeter()) };
      await cleanTrash.run(scope, 0, { left: 400 }).catch(() => undefined);
      expect(await findInconsistencies()).toEqual([]);
    }
    await runCron(MINUTE);
    expect(await findTraces(word)).toEqual([]);
  },
);

it('deleting a project also removes its deleted tasks, which can no longer be restored', async () => {
  const { owner, lead, member, client } = world.people;
  const project = await createProject(world, { name: 'Doomed', owner: lead, members: [member, client] });
  const objects = await listObjects(world);
  const tree = await createFilledTree(world, { project, word: 'marble' });
  await api(lead.token).delete(`/tasks/${tree.root.id}`);
  const live = await createFilledTree(world, { project, word: 'marble' });
  await runForm(owner.token, deleteProject, { id: project.id, name: 'Doomed' });
  expect((await api(owner.token).get('/tasks/trash')).body.meta.total).toBe(0);
  expect((await api(owner.token).post(`/tasks/${tree.root.id}/restore`)).status).toBe(404);
  expect((await api(owner.token).get(`/tasks/${live.root.id}`)).status).toBe(404);
  expect(await findInconsistencies()).toEqual([]);
  await createTask(lead, world.projects.joined.id);
  for (let turn = 0; turn < 3; turn += 1) await runCron(MINUTE);
  expect(await findTraces('marble')).toEqual([]);
  expect(await listObjects(world)).toHaveLength(objects.length);
  expect(await findCounterDrift(world)).toEqual([]);
  expect(await findInconsistencies()).toEqual([]);
});
