import { beforeAll, expect, it } from 'vitest';
import { setTaskCategory } from '../../../src/tasks/operations/category.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { api } from '../../support/api.ts';
import { runForm } from '../../support/forms.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const readCategoryAndType = async (id: number) => {
  const { category, type } = (await api(world.people.lead.token).get(`/tasks/${id}`)).body;
  return [category?.id ?? null, type?.id ?? null];
};
const setCategory = (id: number, kind: object, by = world.people.lead) =>
  runForm(by.token, setTaskCategory, { id, ...kind });

it('anyone who can edit a task can change its category and type, which updates its planned hours unless it has an estimate', async () => {
  const { owner, member } = world.people;
  const [design, development] = world.categories;
  const day = '2026-11-25';
  const { id } = await createTask(owner, world.projects.joined.id, {
    assigneeId: member.userId,
    deadline: day,
  });
  const readPlannedHours = async () =>
    (await api(member.token).get(`/dashboard/workload?from=${day}&to=${day}`)).body.workloads[0].plannedHours;
  expect([await readCategoryAndType(id), await readPlannedHours()]).toEqual([[null, null], 1]);
  // If only a type is given, its category is used.
  expect((await setCategory(id, { typeId: design.typeId }, world.people.client)).status).toBe(200);
  expect([await readCategoryAndType(id), await readPlannedHours()]).toEqual([[design.id, design.typeId], 2]);
  const event = (await api(owner.token).get('/events?after=0&limit=100')).body.data.at(-1);
  expect(event).toMatchObject({
    type: 'task.updated',
    task: { id },
    changes: {
      category: { from: null, to: { id: design.id, value: 'Design' } },
      type: { from: null, to: { id: design.typeId, value: 'Layout' } },
    },
  });
  expect((await setCategory(id, { categoryId: development.id })).status).toBe(200);
  expect([await readCategoryAndType(id), await readPlannedHours()]).toEqual([[development.id, null], 1]);
  // An estimate takes precedence over the category's default hours.
  await api(owner.token).patch(`/tasks/${id}`, { customEstimatedHours: '5' });
  expect((await setCategory(id, { categoryId: design.id })).status).toBe(200);
  expect([await readCategoryAndType(id), await readPlannedHours()]).toEqual([[design.id, null], 5]);
  expect((await setCategory(id, {})).status).toBe(200);
  expect([await readCategoryAndType(id), await readPlannedHours()]).toEqual([[null, null], 5]);
  expect(await findInconsistencies()).toEqual([]);
});

it('changing a task to an unknown or mismatched category or type is rejected and writes nothing', async () => {
  const { lead, client, owner } = world.people;
  const [design, development] = world.categories;
  const elsewhere = await createWorld();
  const { id } = await createTask(lead, world.projects.joined.id);
  const unseen = await createTask(owner, world.projects.other.id);
  const archived = await createTask(lead, world.projects.joined.id);
  await api(lead.token).post(`/tasks/${archived.id}/archive`);
  await setCategory(id, { categoryId: design.id });
  const before = await readAllContents();
  const fits = { categoryId: development.id };
  for (const [task, kind, status, by] of [
    [id, { categoryId: elsewhere.categories[0].id }, 400, lead],
    [id, { typeId: elsewhere.categories[0].typeId }, 400, lead],
    [id, { categoryId: design.id, typeId: development.typeId }, 400, lead],
    [archived.id, fits, 400, lead],
    [unseen.id, fits, 404, client],
    [id, fits, 404, elsewhere.people.owner],
    // The task already has this category.
    [id, { categoryId: design.id }, 200, lead],
  ] as const)
    expect([kind, (await setCategory(task, kind, by)).status]).toEqual([kind, status]);
  expect(await readAllContents()).toEqual(before);
});
