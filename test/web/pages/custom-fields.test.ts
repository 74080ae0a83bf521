import { beforeAll, describe, expect, it } from 'vitest';
import { createCustomField } from '../../../src/tasks/custom-fields/change-custom-fields.ts';
import { FIELDS_PER_PROJECT_MAX } from '../../../src/tasks/custom-fields/custom-fields.schema.ts';
import { api } from '../../support/api.ts';
import { addFieldsToProject, createField, createFields, type FieldIds } from '../../support/custom-fields.ts';
import { runForm } from '../../support/forms.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import { WorkspaceBrowser } from '../server/workspace-browser.ts';

let world: World;
let lead: WorkspaceBrowser;
let member: WorkspaceBrowser;
let fields: FieldIds;

beforeAll(async () => {
  world = await createWorld();
  lead = await WorkspaceBrowser.signIn(world, world.people.lead);
  member = await WorkspaceBrowser.signIn(world, world.people.member);
  fields = await createFields(world);
});

const readValues = async (id: number) =>
  (await api(world.people.lead.token).get(`/tasks/${id}?expand=customFields`)).body.customFields;

const readProjectFields = async (): Promise<string[]> =>
  (await api(world.people.lead.token).get('/custom-fields?limit=100')).body.data
    .filter(({ projectIds }: { projectIds: number[] }) => projectIds.includes(world.projects.joined.id))
    .map(({ name }: { name: string }) => name);

describe('the custom fields page', () => {
  it('can be used without JavaScript to create, change, delete and restore a field', async () => {
    const created = { name: 'Stage', type: 'select', newOptions: 'Early' };
    expect((await lead.send('/fields', '/fields', created)).status).toBe(303);
    const findField = async () =>
      (await api(world.people.lead.token).get('/custom-fields?limit=100')).body.data.find(
        ({ name }: { name: string }) => name.startsWith('Stage'),
      );
    const { id, options } = await findField();
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
    expect((await findField()).options).toEqual([
      { id: 1, name: 'First', color: 'red' },
      { id: 2, name: 'Last', color: 'gray' },
    ]);
    expect((await lead.send('/fields', `${path}/remove`, {})).status).toBe(303);
    expect(await findField()).toBeUndefined();
    expect((await lead.open('/fields')).html).toContain('Restore Stages');
    expect((await lead.send('/fields', `${path}/restore`, {})).status).toBe(303);
    expect((await findField()).name).toBe('Stages');
  });

  it("adds a new field to a project immediately if it is opened from the project's settings", async () => {
    const { owner } = world.people;
    const settings = `/projects/${world.projects.joined.id}/settings`;
    expect((await lead.open(settings)).html).toContain(
      `/fields?project=${world.projects.joined.id}#new-field`,
    );
    const before = await readProjectFields();
    const created = { name: 'Region', type: 'text', projectId: String(world.projects.joined.id) };
    expect((await lead.send('/fields', '/fields', created)).status).toBe(303);
    expect(await readProjectFields()).toEqual([...before, 'Region']);
    const { status, body } = await runForm(owner.token, createCustomField, {
      name: 'Nowhere',
      type: 'text',
      projectId: 999_999,
    });
    expect([status, body.error.code]).toEqual([404, 'not_found']);
    expect((await api(owner.token).get('/custom-fields?limit=100')).body.data).not.toContainEqual(
      expect.objectContaining({ name: 'Nowhere' }),
    );
  });

  it('rejects a new field for a project that already uses the maximum number of fields', async () => {
    const own = await createWorld();
    const ids = [];
    for (let count = 0; count < FIELDS_PER_PROJECT_MAX; count += 1)
      ids.push(await createField(own, 'checkbox', `Field ${count}`));
    await addFieldsToProject(own, own.projects.joined.id, ids);
    const input = { name: 'One more', type: 'text', projectId: own.projects.joined.id };
    const { status, body } = await runForm(own.people.owner.token, createCustomField, input);
    expect([status, body.error.message]).toEqual([
      400,
      'projectId must be a project with fewer than 20 fields. Turn off a field first.',
    ]);
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
    const submitValue = (field: number, value: Record<string, string>) =>
      member.send(`/tasks/${id}`, `/tasks/${id}/fields/${field}`, value);
    const sent: readonly (readonly [keyof FieldIds, string, unknown])[] = [
      ['text', 'Ada', 'Ada'],
      ['number', '2.5', 2.5],
      ['date', '2026-12-04', '2026-12-04'],
      ['select', '2', 2],
      ['person', world.people.lead.userId, world.people.lead.userId],
      ['url', 'https://example.com', 'https://example.com'],
      ['checkbox', 'true', true],
    ];
    for (const [type, value, stored] of sent) {
      expect([type, (await submitValue(fields[type], { value })).status]).toEqual([type, 303]);
      expect((await readValues(id))[`cf_${fields[type]}`]).toBe(stored);
    }
    expect((await submitValue(fields.multi_select, { options: '3' })).status).toBe(303);
    expect((await readValues(id))[`cf_${fields.multi_select}`]).toEqual([3]);
    expect((await submitValue(fields.number, { value: 'soon' })).status).toBe(400);
    expect((await submitValue(fields.number, { value: '' })).status).toBe(303);
    expect((await readValues(id))[`cf_${fields.number}`]).toBeNull();
    expect((await member.open(`/tasks/${id}`)).html).toContain('href="https://example.com"');
  });

  it.each([
    ['text', 'x'.repeat(501)],
    ['number', 'soon'],
    ['date', '2026-02-30'],
    ['select', '9'],
    ['person', 'usr_unknown'],
    ['url', 'example.com'],
    ['checkbox', 'maybe'],
  ] as const)('show an error next to the field if its value is rejected (%s)', async (type, value) => {
    const { id } = await createTask(world.people.member, world.projects.joined.id);
    const path = `/tasks/${id}/fields/${fields[type]}`;
    const { status, html } = await member.send(`/tasks/${id}`, path, { value });
    expect(status).toBe(400);
    const field = new RegExp(`<(?:input|select)[^>]* id="cf_${fields[type]}"[^>]*>`).exec(html)?.[0];
    expect(field).toContain('aria-invalid="true"');
    expect((await readValues(id))[`cf_${fields[type]}`]).toBeNull();
  });

  it('can be used as list columns, filters and CSV columns', async () => {
    const { joined } = world.projects;
    const size = await createField(world, 'select', '<b>Size</b>');
    await addFieldsToProject(world, joined.id, [...Object.values(fields), size]);
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
    // A board filtered by a custom field has no quick-add field, because it would not show a new task.
    expect((await member.open(`/board?${query}`)).html).toContain('class="quick-add"');
    expect((await member.open(`/board?${query}&fields=${size}-3`)).html).not.toContain('class="quick-add"');
  });
});
