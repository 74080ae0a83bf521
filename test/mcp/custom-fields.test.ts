import { beforeAll, describe, expect, it } from 'vitest';
import { api } from '../support/api.ts';
import { addFieldsToProject, createField } from '../support/custom-fields.ts';
import { createWorld, type World } from '../support/world.ts';
import { callTool, createOAuthToken, getResultText, getToolResult } from './client.ts';

let world: World;
let token: string;
let effortField: number;
let owner: number;

beforeAll(async () => {
  world = await createWorld();
  token = await createOAuthToken(world, world.people.lead);
  effortField = await createField(world, 'select', 'Effort');
  owner = await createField(world, 'person', 'Product owner');
  await addFieldsToProject(world, world.projects.joined.id, [effortField, owner]);
});

const readValues = async (id: number) =>
  (await api(world.people.lead.token).get(`/tasks/${id}?expand=customFields`)).body.customFields;

describe('custom fields in MCP tools', () => {
  it('can be set, read and used as filters, by the names of fields, options and people', async () => {
    const { member } = world.people;
    const fields = { effort: 'large', 'Product owner': member.email };
    const created = await callTool(token, 'create_task', {
      tasks: [{ project: world.projects.joined.id, name: 'Sized', fields }],
    });
    const id = created.results[0].task.id;
    expect(await readValues(id)).toEqual({ [`cf_${effortField}`]: 3, [`cf_${owner}`]: member.userId });
    const shown = await getToolResult(token, 'get_task', { id });
    expect(getResultText(shown)).toContain('Effort: Large');
    expect(getResultText(shown)).toContain(`Product owner: ${member.name}`);
    await callTool(token, 'update_task', {
      updates: [{ id, fields: { [`cf_${effortField}`]: 1, 'Product owner': null } }],
    });
    expect(await readValues(id)).toEqual({ [`cf_${effortField}`]: 1, [`cf_${owner}`]: null });
    const found = await callTool(token, 'find_tasks', { fields: { Effort: 'Small' } });
    expect(found.data.map((task: { id: number }) => task.id)).toEqual([id]);
    const none = await callTool(token, 'find_tasks', { fields: { Effort: 'Large' } });
    expect(none.data).toEqual([]);
  });

  it('are rejected if the field or option is unknown, and the error lists the valid names', async () => {
    const create = async (fields: object) =>
      getResultText(
        await getToolResult(token, 'create_task', {
          tasks: [{ project: world.projects.joined.id, name: 'x', fields }],
        }),
      );
    expect(await create({ Size: 'Large' })).toMatch(
      /is not a custom field of project \d+; the project has Effort, Product owner/,
    );
    expect(await create({ Effort: 'Huge' })).toContain('must be one of 1 (Small), 2 (Medium), 3 (Large)');
    const found = await getToolResult(token, 'find_tasks', { fields: { Effort: 'Huge' } });
    expect(getResultText(found)).toContain('must be one of 1 (Small)');
    expect(getResultText(await getToolResult(token, 'find_tasks', { fields: { Size: 1 } }))).toContain(
      'is not a custom field',
    );
  });
});
