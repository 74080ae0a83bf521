import { expect, it } from 'vitest';
import { TEMPLATE_TASKS_MAX } from '../../src/templates/model/template-content.ts';
import { saveTaskTemplate } from '../../src/templates/operations/save-template.ts';
import { findInconsistencies } from '../suites/faults/databases.ts';
import { api } from '../support/api.ts';
import { runForm } from '../support/forms.ts';
import { createWorld } from '../support/world.ts';
import { createLargeTemplate, createTemplate } from './create-template.ts';

it('creating a task from a small template takes two round trips, reads at most 140 rows and writes at most 45', async () => {
  const { people, projects } = await createWorld();
  const { member } = people;
  const templateId = await createTemplate(member, projects.joined.id);
  const createFromTemplate = () =>
    api(member.token).post('/tasks', { projectId: projects.joined.id, templateId });
  await createFromTemplate();
  const { status, cost } = await createFromTemplate();
  expect([status, cost.trips]).toEqual([201, 2]);
  expect(cost.rowsRead).toBeLessThanOrEqual(140);
  expect(cost.rowsWritten).toBeLessThanOrEqual(45);
});

it('the tasks of the largest template are created in one batch, with a limited number of rows per task', async () => {
  const world = await createWorld();
  const { owner } = world.people;
  const projectId = world.projects.joined.id;
  const templateId = await createLargeTemplate(world);
  const createFromTemplate = () => api(owner.token).post('/tasks', { projectId, templateId });
  const { status, cost, body } = await createFromTemplate();
  expect([status, cost.trips]).toEqual([201, 2]);
  expect(cost.rowsRead).toBeLessThanOrEqual(TEMPLATE_TASKS_MAX * 90);
  expect(cost.rowsWritten).toBeLessThanOrEqual(TEMPLATE_TASKS_MAX * 34);
  expect(await findInconsistencies([world.cell])).toEqual([]);
  const saved = await runForm(owner.token, saveTaskTemplate, { id: body.id });
  expect([saved.status, saved.trips]).toEqual([200, 3]);
  expect(saved.rowsRead).toBeLessThanOrEqual(TEMPLATE_TASKS_MAX * 20);
});
