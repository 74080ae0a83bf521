import { beforeAll, expect, it } from 'vitest';
import {
  createCategory,
  createType,
  listCategoriesAndTypes,
  updateCategory,
  updateType,
} from '../../../src/tasks/categories/change-categories.ts';
import { updateDefaultHours } from '../../../src/tasks/categories/update-default-hours.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { api } from '../../support/api.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { runForm } from '../../support/forms.ts';
import { openScope } from '../../support/scope.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';

const roles = ['owner', 'admin', 'lead', 'member', 'client'] as const;
let world: World;
beforeAll(async () => {
  world = await createWorld();
});

it.each(roles)('only leads, admins and owners can change categories and types (role: %s)', async (role) => {
  const { token } = world.people[role];
  const may = role === 'owner' || role === 'admin' || role === 'lead';
  const [{ id: categoryId, typeId }] = world.categories;
  const calls = [
    [createCategory, { value: 'Été & Hiver', defaultEstimatedHours: 2.5 }],
    [createType, { categoryId, value: 'Été & Hiver' }],
    [updateCategory, { id: categoryId, value: `Design by ${role}` }],
    [updateType, { id: typeId, isActive: false }],
    [updateType, { id: typeId, isActive: true }],
  ] as const;
  for (const [operation, input] of calls) {
    const before = await readAllContents();
    const answer = await runForm(token, operation, input);
    expect([operation.name, answer.status]).toEqual([operation.name, may ? 200 : 403]);
    if (!may) expect(await readAllContents()).toEqual(before);
  }
  const tree = (await runForm(token, listCategoriesAndTypes, {})).body;
  expect(tree.mayChange).toBe(may);
  expect(tree.categories.find((each: { id: number }) => each.id === categoryId).types.length).toBeGreaterThan(
    0,
  );
});

it('every category has a unique key, even if its name is already used', async () => {
  const own = await createWorld();
  const { owner, admin } = own.people;
  const made = await Promise.all(
    [owner, admin, owner].map(({ token }) => runForm(token, createCategory, { value: 'Visual Design!' })),
  );
  expect(new Set(made.map(({ body }) => body.id)).size).toBe(3);
  const keys = (await api(owner.token).get('/task-categories')).body.data.map(
    ({ key }: { key: string }) => key,
  );
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys).toContain('visual-design');
  expect((await runForm(owner.token, createCategory, { value: '設計' })).status).toBe(200);
});

it('deactivated categories and types are still listed and shown on their tasks', async () => {
  const own = await createWorld();
  const { owner, lead } = own.people;
  const [{ id, typeId }] = own.categories;
  const task = await createTask(lead, own.projects.joined.id, { typeId });
  const before = (await api(lead.token).get('/task-types')).text;
  await runForm(owner.token, updateType, { id: typeId, isActive: false });
  await runForm(owner.token, updateCategory, { id, isActive: false });
  expect((await api(lead.token).get('/task-types')).text).toBe(before);
  expect((await api(lead.token).get(`/tasks/${task.id}`)).body.type.id).toBe(typeId);
  const [first] = (await runForm(owner.token, listCategoriesAndTypes, {})).body.categories;
  expect([first.isActive, first.types[0].isActive]).toEqual([false, false]);
});

it("a category's new default hours are applied in batches to its tasks without an estimate, and to the workload", async () => {
  const own = await createWorld();
  const { owner, lead } = own.people;
  const [{ id: categoryId, typeId }] = own.categories;
  const fields = { assigneeId: lead.userId, deadline: '2026-03-04' };
  for (let made = 0; made < 5; made += 1)
    await createTask(lead, own.projects.joined.id, { ...fields, categoryId });
  await createTask(lead, own.projects.joined.id, { ...fields, typeId });
  await createTask(lead, own.projects.joined.id, { ...fields, categoryId, customEstimatedHours: '7' });
  const readPlannedHours = async () => {
    const { workloads } = (await api(owner.token).get('/dashboard/workload?from=2026-03-02&to=2026-03-06'))
      .body;
    return workloads.find(({ user }: { user: { id: string } }) => user.id === lead.userId).plannedHours;
  };
  expect(await readPlannedHours()).toBe(6 * 2 + 7);
  await runForm(owner.token, updateCategory, { id: categoryId, defaultEstimatedHours: 3 });
  await runForm(owner.token, updateType, { id: typeId, defaultEstimatedHours: 0.5 });
  await Promise.all([1, 2].map(() => updateDefaultHours.run(openScope(), 0, { left: 15 })));
  await updateDefaultHours.run(openScope(), 0, { left: 100 });
  expect(await readPlannedHours()).toBe(5 * 3 + 0.5 + 7);
  expect(await findCounterDrift(own)).toEqual([]);
  expect(await findInconsistencies()).toEqual([]);
  const stale = await Promise.all([
    runForm(owner.token, updateCategory, { id: categoryId, defaultEstimatedHours: null }),
    runForm(lead.token, updateCategory, { id: categoryId, value: 'Both' }),
  ]);
  expect(stale.map(({ status }) => status)).toEqual([200, 200]);
  await updateDefaultHours.run(openScope(), 0, { left: 100 });
  expect(await readPlannedHours()).toBe(5 * 1 + 0.5 + 7);
  const [category] = (await api(owner.token).get('/task-categories')).body.data;
  expect(category).toMatchObject({ value: 'Both', defaultEstimatedHours: null });
});

it("changing another workspace's category returns 404", async () => {
  const elsewhere = await createWorld();
  const { token } = world.people.owner;
  const [{ id, typeId }] = elsewhere.categories;
  const before = await readAllContents();
  for (const [operation, input] of [
    [updateCategory, { id, value: 'X' }],
    [updateType, { id: typeId, value: 'X' }],
    [createType, { categoryId: id, value: 'X' }],
  ] as const) {
    expect([operation.name, (await runForm(token, operation, input)).status]).toEqual([operation.name, 404]);
  }
  expect(await readAllContents()).toEqual(before);
});
