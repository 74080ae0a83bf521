import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CostMeter } from '../../../src/kernel/sql/cost.ts';
import { Database, WriteConflictError } from '../../../src/kernel/sql/database.ts';
import { deleteProject } from '../../../src/projects/deletion/delete-project.ts';
import { deleteProjects } from '../../../src/projects/deletion/delete-slices.ts';
import {
  beginDeletion,
  finishHiding,
  hidePart,
  STATEMENTS_PER_PART,
} from '../../../src/projects/deletion/hide-project.queries.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { createFaultyD1, testedFaults } from '../../suites/faults/faulty-d1.ts';
import { api, meteredEnv } from '../../support/api.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { runCron } from '../../support/cron.ts';
import { getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { openScope } from '../../support/scope.ts';
import { createProject, createTask, createWorld, type World } from '../../support/world.ts';
import { createLeaverWorld } from '../../workspaces/directory/leaver-world.ts';
import { createFilledProject } from './filled-project.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const openCell = () => new Database(meteredEnv.CELL_0, new CostMeter());

const countVisibleTasks = (project: number) =>
  getCell(0).prepare('SELECT count(*) AS n FROM tasks WHERE project = ?').bind(project).first<number>('n');

it('a project can be hidden in small parts before it is deleted, and the data is consistent after each part', async () => {
  const stay = await createLeaverWorld();
  const { no, people } = stay.world;
  const kept = await createTask(people.lead, stay.world.projects.joined.id);
  const project = await createFilledProject(stay.world, kept.id);
  const key = { ws: no, id: project.id };
  const cell = openCell();
  await cell.batch(beginDeletion(key, 1));
  const isGone = async () => (await api(people.owner.token).get(`/projects/${project.id}`)).status === 404;
  let parts = 0;
  for (let isLeft = true; isLeft; parts += 1) {
    expect(await isGone()).toBe(false);
    const results = await cell.batch(hidePart(key, 1, { tasks: 3, rows: 1, files: 1 }));
    isLeft = results.at(-1) === 1;
    expect(await findInconsistencies()).toEqual([]);
    expect(await findCounterDrift(stay.world)).toEqual([]);
    const listed = (await api(people.owner.token).get(`/tasks?projectId=${project.id}`)).body;
    expect(listed.meta.total).toBe(listed.data.length);
  }
  expect(parts).toBeGreaterThanOrEqual(5);
  const { body } = await api(people.lead.token).get(`/tasks/${kept.id}?expand=structure`);
  expect(body.isBlocked).toBe(false);
  expect((await api(people.lead.token).get(`/tasks/${kept.id}/relations`)).body.meta.total).toBe(0);
  // Adding a task before the deletion finishes delays the deletion.
  const late = await createTask(people.lead, project.id);
  await expect(cell.batch(finishHiding(key))).rejects.toThrow(WriteConflictError);
  expect(await isGone()).toBe(false);
  await runCron('* * * * *');
  expect(await isGone()).toBe(true);
  expect((await api(people.lead.token).get(`/tasks/${late.id}`)).status).toBe(404);
  expect(await findInconsistencies()).toEqual([]);
});

describe('deleting a large project', () => {
  const MANY = 520;
  let people: World['people'];
  let id: number;
  beforeEach(async () => {
    ({ people } = world);
    ({ id } = await createProject(world, { name: 'Large', owner: people.lead }));
    for (let made = 0; made < MANY; made += 65) {
      const tasks = Array.from({ length: 65 }, (_, index) => ({
        name: `Large ${made + index}`,
        projectId: id,
      }));
      const { status } = await api(people.lead.token).post('/tasks/bulk', { tasks });
      expect(status).toBe(201);
    }
  });
  // Allows four times the usual number of statements, because a large project is hidden in several batches.
  const removeProject = (bindings = {}) =>
    runForm(people.owner.token, deleteProject, { id, name: 'Large' }, bindings, 4);
  const isGone = async () => (await api(people.owner.token).get(`/projects/${id}`)).status === 404;

  it('hides everything before the response is sent, and records one event', async () => {
    const countDeletionEvents = () =>
      getCell(0)
        .prepare("SELECT count(*) AS n FROM events WHERE ws = ? AND type = 'project.deleted' AND project = ?")
        .bind(world.no, id)
        .first<number>('n');
    expect((await removeProject()).status).toBe(200);
    expect([await countVisibleTasks(id), await isGone(), await countDeletionEvents()]).toEqual([0, true, 1]);
    expect(await findInconsistencies()).toEqual([]);
  });

  it('hides five hundred tasks per batch', async () => {
    await openCell().batch(beginDeletion({ ws: world.no, id }, 1));
    const statements = hidePart({ ws: world.no, id }, 1);
    expect(statements.length + finishHiding({ ws: world.no, id }).length).toBeLessThanOrEqual(
      STATEMENTS_PER_PART,
    );
    const results = await getCell(0).batch(
      statements.map((each) =>
        getCell(0)
          .prepare(each.sql)
          .bind(...each.params),
      ),
    );
    const sumRows = (of: 'rows_read' | 'rows_written') =>
      results.reduce((total, { meta }) => total + meta[of], 0);
    expect(await countVisibleTasks(id)).toBe(MANY - 500);
    expect([sumRows('rows_read'), sumRows('rows_written')]).toEqual([23_534, 7_000]);
  });

  it.each(testedFaults)(
    'continues in the next request or cron run after a database batch fails (fault: %s)',
    async (fault) => {
      const faulty = createFaultyD1(meteredEnv.CELL_0, (batch) => (batch > 3 ? fault : undefined));
      expect((await removeProject({ CELL_0: faulty.d1 })).status).toBe(200);
      expect(faulty.failed).toBe(1);
      expect([await countVisibleTasks(id), await isGone()]).toEqual([
        fault === 'lost after it ran' ? 20 : MANY,
        false,
      ]);
      expect(await findInconsistencies()).toEqual([]);
      // Either a second request or the cron job continues the deletion.
      if (fault === 'lost after it ran') await deleteProjects.run(openScope(), 0, { left: 1_000 });
      else expect((await removeProject()).status).toBe(200);
      expect([await countVisibleTasks(id), await isGone()]).toEqual([0, true]);
      expect(await findInconsistencies()).toEqual([]);
    },
  );

  it('can be completed by two parallel cron runs', async () => {
    await openCell().batch(beginDeletion({ ws: world.no, id }, 1));
    await Promise.all([1, 2].map(() => deleteProjects.run(openScope(), 0, { left: 5_000 })));
    expect([await countVisibleTasks(id), await isGone()]).toEqual([0, true]);
    expect(await findInconsistencies()).toEqual([]);
  });
});
