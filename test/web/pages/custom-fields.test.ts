import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { createField, createFieldOfEachType, type Fields, useFields } from '../../support/custom-fields.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import { Screens } from '../server/screens.ts';

let world: World;
let lead: Screens;
let member: Screens;
let fields: Fields;

beforeAll(async () => {
  world = await createWorld();
  lead = await Screens.of(world, world.people.lead);
  member = await Screens.of(world, world.people.member);
  fields = await createFieldOfEachType(world);
});

const readValues = async (id: number) =>
  (await api(world.people.lead.token).get(`/tasks/${id}?expand=customFields`)).body.customFields;

describe('the custom fields page', () => {
  it('creates, changes, deletes and restores a field without JavaScript', async () => {
    const created = { name: 'Stage', type: 'select', newOptions: 'Early' };
    expect((await lead.send('/fields', '/fields', created)).status).toBe(303);
    const find = async () =>
      (await api(world.people.lead.token).get('/custom-fields?limit=100')).body.data.find(
        ({ name }: { name: string }) => name.startsWith('Stage'),
      );
    const { id, options } = await find();
    expect(options.map(({ name }: { name: string }) => name)).toEqual(['Early']);
    const path = `/fields/${id.slice(3)}`;
    const changed = {
      name: 'Stages',
      optionId: '1',
      optionName: 'First',
      optionColor: 'red',
      newOptions: 'Last',
    };
    expect((await lead.send('/fields', path, changed)).status).toBe(303);
    expect((await find()).options).toEqual([
      { id: 1, name: 'First', color: 'red' },
      { id: 2, name: 'Last', color: 'gray' },
    ]);
    expect((await lead.send('/fields', `${path}/remove`, {})).status).toBe(303);
    expect(await find()).toBeUndefined();
    expect((await lead.open('/fields')).html).toContain('Restore Stages');
    expect((await lead.send('/fields', `${path}/restore`, {})).status).toBe(303);
    expect((await find()).name).toBe('Stages');
  });

  it('shows the fields to members, without forms', async () => {
    const { html } = await member.open('/fields');
    expect(html).toContain('Multi-select');
    expect(html).not.toContain('Create field');
  });
});

describe('custom fields in the app', () => {
  it("can be changed and cleared on a task's page", async () => {
    const { id } = await createTask(world.people.member, world.projects.joined.id);
    const send = (field: number, value: Record<string, string>) =>
      member.send(`/tasks/${id}`, `/tasks/${id}/fields/${field}`, value);
    const sent: readonly (readonly [keyof Fields, string, unknown])[] = [
      ['text', 'Ada', 'Ada'],
      ['number', '2.5', 2.5],
      ['date', '2026-12-04', '2026-12-04'],
      ['select', '2', 2],
      ['person', world.people.lead.userId, world.people.lead.userId],
      ['url', 'https://example.com', 'https://example.com'],
      ['checkbox', 'true', true],
    ];
    for (const [type, value, stored] of sent) {
      expect([type, (await send(fields[type], { value })).status]).toEqual([type, 303]);
      expect((await readValues(id))[`cf_${fields[type]}`]).toBe(stored);
    }
    expect((await send(fields.multi_select, { options: '3' })).status).toBe(303);
    expect((await readValues(id))[`cf_${fields.multi_select}`]).toEqual([3]);
    expect((await send(fields.number, { value: 'soon' })).status).toBe(400);
    expect((await send(fields.number, { value: '' })).status).toBe(303);
    expect((await readValues(id))[`cf_${fields.number}`]).toBeNull();
    expect((await member.open(`/tasks/${id}`)).html).toContain('href="https://example.com"');
  });

  it('can be used as list columns, filters and CSV columns', async () => {
    const { joined } = world.projects;
    const size = await createField(world, 'select', '<b>Size</b>');
    await useFields(world, joined.id, [...Object.values(fields), size]);
    const { name } = await createTask(world.people.member, joined.id, {
      name: 'Sized task',
      customFields: { [`cf_${size}`]: 3, [`cf_${fields.person}`]: world.people.lead.userId },
    });
    await createTask(world.people.member, joined.id, { name: 'Other task' });
    const query = `project=${joined.id}&cols=status,cf_${size},cf_${fields.person}`;
    const { html } = await member.open(`/tasks?${query}&fields=${size}-3`);
    expect(html).toContain(name);
    expect(html).not.toContain('Other task');
    expect(html).toContain('&lt;b&gt;Size&lt;/b&gt;');
    expect(html).not.toContain('<b>Size</b>');
    const csv = await member.open(`/tasks.csv?${query}&fields=${size}-3`);
    expect(csv.html).toContain(`"${world.people.lead.name}","Large"`);
    expect((await member.open(`/tasks?${query}&fields=${size}-9`)).html).toContain('no longer exists');
  });
});
