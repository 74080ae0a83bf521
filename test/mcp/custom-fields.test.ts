import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { createField, useFields } from '../support/custom-fields.ts';
import { createWorld, type World } from '../support/world.ts';
import { call, textOf, tokenOf, use } from './client.ts';

let world: World;
let token: string;
let effort: number;
let owner: number;

beforeAll(async () => {
  world = await createWorld();
  token = await tokenOf(world, world.people.lead);
  effort = await createField(world, 'select', 'Effort');
  owner = await createField(world, 'person', 'Product owner');
  await useFields(world, world.projects.joined.id, [effort, owner]);
});

const readValues = async (id: number) =>
  (await api(world.people.lead.token).get(`/tasks/${id}?expand=customFields`)).body.customFields;

describe('custom fields in tools', () => {
  it('can be set, read and filtered by the names of fields, options and people', async () => {
    const { member } = world.people;
    const fields = { effort: 'large', 'Product owner': member.email };
    const created = await use(token, 'create_task', {
      tasks: [{ project: world.projects.joined.id, name: 'Sized', fields }],
    });
    const id = created.results[0].task.id;
    expect(await readValues(id)).toEqual({ [`cf_${effort}`]: 3, [`cf_${owner}`]: member.userId });
    const shown = await call(token, 'get_task', { id });
    expect(textOf(shown)).toContain('Effort: Large');
    expect(textOf(shown)).toContain(`Product owner: ${member.name}`);
    await use(token, 'update_task', {
      updates: [{ id, fields: { [`cf_${effort}`]: 1, 'Product owner': null } }],
    });
    expect(await readValues(id)).toEqual({ [`cf_${effort}`]: 1, [`cf_${owner}`]: null });
    const found = await use(token, 'find_tasks', { fields: { Effort: 'Small' } });
    expect(found.data.map((task: { id: number }) => task.id)).toEqual([id]);
    const none = await use(token, 'find_tasks', { fields: { Effort: 'Large' } });
    expect(none.data).toEqual([]);
  });

  it('with an unknown name are rejected, and the error lists the existing names', async () => {
    const create = async (fields: object) =>
      textOf(
        await call(token, 'create_task', {
          tasks: [{ project: world.projects.joined.id, name: 'x', fields }],
        }),
      );
    expect(await create({ Size: 'Large' })).toMatch(
      /is not a custom field of project \d+; it has Effort, Product owner/,
    );
    expect(await create({ Effort: 'Huge' })).toContain('must be one of 1 (Small), 2 (Medium), 3 (Large)');
    const found = await call(token, 'find_tasks', { fields: { Effort: 'Huge' } });
    expect(textOf(found)).toContain('must be one of 1 (Small)');
    expect(textOf(await call(token, 'find_tasks', { fields: { Size: 1 } }))).toContain(
      'is not a custom field',
    );
  });
});
