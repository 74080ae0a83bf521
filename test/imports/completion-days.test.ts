import { expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { findCounterDrift } from '../support/counters.ts';
import { getCell } from '../support/env.ts';
import { createProject, createWorld } from '../support/world.ts';
import { prepareImport } from './prepare-import.ts';

it('an import records a completion day only if the file contains one', async () => {
  const world = await createWorld();
  const { owner, member } = world.people;
  const { id: project } = await createProject(world, { owner });
  const text = `Task,Status,Assignee,Completed\nOld,Done,${member.email},\nDated,Done,${member.email},2026-01-05`;
  const id = await prepareImport(world, owner, project, text);
  await api(owner.token).post(`/imports/${id}/start`);
  const listDays = async () => {
    const { results } = await getCell(world.cell)
      .prepare('SELECT id, name, completed_on FROM tasks WHERE ws = ? ORDER BY name')
      .bind(world.no)
      .all();
    return results;
  };
  const [dated, old] = await listDays();
  expect(dated).toMatchObject({ name: 'Dated', completed_on: '2026-01-05' });
  expect(old).toMatchObject({ name: 'Old', completed_on: null });
  expect(await findCounterDrift(world)).toEqual([]);
  await api(owner.token).patch(`/tasks/${old?.id}`, { status: 'todo' });
  await api(owner.token).patch(`/tasks/${old?.id}`, { status: 'completed' });
  expect((await listDays())[1]?.completed_on).not.toBeNull();
  expect(await findCounterDrift(world)).toEqual([]);
});
