import { beforeEach, describe, expect, it } from 'vitest';
import { updateProjectColumn } from '../../src/projects/operations/project-columns.ts';
import { deleteCustomField, updateCustomField } from '../../src/tasks/custom-fields/change-custom-fields.ts';
import { createProjectFromTemplate } from '../../src/templates/operations/new-project.ts';
import { saveProjectTemplate, saveTaskTemplate } from '../../src/templates/operations/save-template.ts';
import { getTemplate } from '../../src/templates/operations/templates.ts';
import { findInconsistencies } from '../suites/faults/databases.ts';
import { api } from '../support/api.ts';
import { addFieldsToProject, createField, createFields } from '../support/custom-fields.ts';
import { getCell } from '../support/env.ts';
import { runForm } from '../support/forms.ts';
import { createMeeting, createProject, createTask, createWorld, type World } from '../support/world.ts';
import { WorkspaceBrowser } from '../web/server/workspace-browser.ts';

let world: World;
let project: number;

beforeEach(async () => {
  world = await createWorld();
  project = world.projects.joined.id;
});

const createMemberClient = () => api(world.people.member.token);
const saveTask = async (id: number): Promise<number> =>
  (await runForm(world.people.member.token, saveTaskTemplate, { id })).body.id;
const saveProject = async (id: number): Promise<number> =>
  (await runForm(world.people.member.token, saveProjectTemplate, { id })).body.id;
const readFields = async (id: number) =>
  (await createMemberClient().get(`/tasks/${id}?expand=customFields`)).body.customFields;

describe('custom fields in a template', () => {
  it('keep their values, whatever their type, unless the request overrides them', async () => {
    const fields = await createFields(world);
    const getFieldKey = (type: keyof typeof fields) => `cf_${fields[type]}`;
    const values = {
      [getFieldKey('text')]: 'Brief',
      [getFieldKey('number')]: 2.5,
      [getFieldKey('date')]: '2030-02-28',
      [getFieldKey('select')]: 2,
      [getFieldKey('multi_select')]: [1, 3],
      [getFieldKey('person')]: world.people.lead.userId,
      [getFieldKey('url')]: 'https://example.com/brief',
      [getFieldKey('checkbox')]: true,
    };
    const root = await createTask(world.people.member, project, { customFields: values });
    const step = { parentId: root.id, customFields: { [getFieldKey('text')]: 'Step' } };
    await createTask(world.people.member, project, step);
    const templateId = await saveTask(root.id);
    const changes = { [getFieldKey('number')]: 7, [getFieldKey('select')]: null };
    const input = { projectId: project, templateId, customFields: changes };
    const { body } = await createMemberClient().post('/tasks', input);
    expect(await readFields(body.id)).toEqual({ ...values, ...changes });
    const [subtask] = (await createMemberClient().get(`/tasks/${body.id}/subtasks?expand=customFields`)).body
      .data;
    expect(subtask.customFields).toMatchObject({
      [getFieldKey('text')]: 'Step',
      [getFieldKey('number')]: null,
    });
    expect(await findInconsistencies([0])).toEqual([]);
  });

  it("are omitted if the field or option was deleted, or if the project doesn't use the field", async () => {
    const [kept, gone, other] = [
      await createField(world, 'select', 'Size'),
      await createField(world, 'text', 'Gone'),
      await createField(world, 'text', 'Elsewhere'),
    ];
    await addFieldsToProject(world, project, [kept, gone, other]);
    const customFields = { [`cf_${kept}`]: 3, [`cf_${gone}`]: 'x', [`cf_${other}`]: 'y' };
    const { id } = await createTask(world.people.member, project, { customFields });
    const templateId = await saveTask(id);
    const { owner } = world.people;
    await runForm(owner.token, deleteCustomField, { id: gone });
    await runForm(owner.token, updateCustomField, { id: kept, options: [{ id: 1, name: 'Small' }] });
    await addFieldsToProject(world, project, [kept]);
    const { body } = await createMemberClient().post('/tasks', { projectId: project, templateId });
    expect(await readFields(body.id)).toEqual({ [`cf_${kept}`]: null });
    await addFieldsToProject(world, project, [kept, other]);
    expect(await readFields(body.id)).toEqual({ [`cf_${kept}`]: null, [`cf_${other}`]: null });
    const again = await createMemberClient().post('/tasks', { projectId: project, templateId });
    expect(await readFields(again.body.id)).toEqual({ [`cf_${kept}`]: null, [`cf_${other}`]: 'y' });
    expect(await findInconsistencies([0])).toEqual([]);
  });
});

describe('the template page', () => {
  it('lists the custom fields and relations of its tasks, and explains how to change them', async () => {
    const field = await createField(world, 'select', 'Size');
    await addFieldsToProject(world, project, [field]);
    const { member: by } = world.people;
    const root = await createTask(by, project, { name: 'Launch', customFields: { [`cf_${field}`]: 2 } });
    const write = await createTask(by, project, { name: 'Write', parentId: root.id });
    const review = await createTask(by, project, { name: 'Review', parentId: root.id });
    await createMemberClient().post(`/tasks/${review.id}/relations`, {
      type: 'blocked_by',
      taskId: write.id,
    });
    const id = await saveTask(root.id);
    const { tasks } = (await runForm(by.token, getTemplate, { id })).body;
    expect(
      tasks.map(({ fields, relations }: { fields: unknown; relations: unknown }) => [fields, relations]),
    ).toEqual([
      [[{ name: 'Size', text: 'Medium' }], []],
      [[], [{ type: 'blocks', name: 'Review' }]],
      [[], [{ type: 'blocked_by', name: 'Write' }]],
    ]);
    const { html } = await (await WorkspaceBrowser.signIn(world, by)).open(`/templates/${id}`);
    for (const text of [
      '<bdi>Size</bdi>: <bdi>Medium</bdi>',
      'Blocked by: <bdi>Write</bdi>',
      'save it as a template again',
    ])
      expect(html).toContain(text);
  });
});

describe('a project template', () => {
  it('contains no tasks that belong to meetings', async () => {
    const { lead } = world.people;
    await createTask(lead, project, { name: 'Plan' });
    await createMeeting(lead, project, { name: 'Kick-off' });
    const id = await saveProject(project);
    const { tasks } = (await runForm(world.people.member.token, getTemplate, { id })).body;
    expect(tasks.map(({ name }: { name: string }) => name)).toEqual(['Plan']);
  });
});

describe('relations in a template', () => {
  it('are created between the new tasks, but not with tasks outside the template', async () => {
    const { member: by } = world.people;
    const root = await createTask(by, project, { name: 'Launch' });
    const [first, second] = [
      await createTask(by, project, { name: 'Write', parentId: root.id }),
      await createTask(by, project, { name: 'Review', parentId: root.id }),
    ];
    const outside = await createTask(by, project, { name: 'Outside' });
    const relate = (id: number, type: string, taskId: number) =>
      createMemberClient().post(`/tasks/${id}/relations`, { type, taskId });
    await relate(first.id, 'blocks', second.id);
    await relate(root.id, 'relates_to', second.id);
    await relate(root.id, 'duplicates', first.id);
    await relate(outside.id, 'blocks', first.id);
    const templateId = await saveTask(root.id);
    const { body } = await createMemberClient().post('/tasks', { projectId: project, templateId });
    const listRelations = async (id: number) =>
      (await createMemberClient().get(`/tasks/${id}/relations`)).body.data.map(
        ({ type, task }: { type: string; task: { name: string } }) => `${type} ${task.name}`,
      );
    const { data } = (await createMemberClient().get(`/tasks/${body.id}/subtasks?expand=structure`)).body;
    expect(data.map(({ name, isBlocked }: Record<string, unknown>) => [name, isBlocked])).toEqual([
      ['Write', false],
      ['Review', true],
    ]);
    expect(await listRelations(body.id)).toEqual(['relates_to Review', 'duplicates Write']);
    expect(await listRelations(data[0].id)).toEqual(['blocks Review', 'duplicated_by Launch']);
    expect(await findInconsistencies([0])).toEqual([]);
  });

  it("don't block a new subtask if its blocker is created as completed", async () => {
    const { member: by } = world.people;
    const root = await createTask(by, project, { name: 'Launch' });
    const step = await createTask(by, project, { name: 'After', parentId: root.id });
    await createMemberClient().post(`/tasks/${root.id}/relations`, { type: 'blocks', taskId: step.id });
    const templateId = await saveTask(root.id);
    const input = { projectId: project, templateId, status: 'completed' };
    const { body } = await createMemberClient().post('/tasks', input);
    const [after] = (await createMemberClient().get(`/tasks/${body.id}/subtasks?expand=structure`)).body.data;
    expect(after.isBlocked).toBe(false);
    expect(await findInconsistencies([0])).toEqual([]);
  });

  it('are limited to 500 per template', async () => {
    const { member: by } = world.people;
    const source = (await createProject(world, { owner: by, name: 'Tangled' })).id;
    const tasks = Array.from({ length: 33 }, (_, index) => ({ projectId: source, name: `Task ${index}` }));
    const created = (await createMemberClient().post('/tasks/bulk', { tasks })).body.data;
    const ids: number[] = created.map(({ task }: { task: { id: number } }) => task.id);
    const pairs = ids.flatMap((one, index) => ids.slice(index + 1).map((other) => [one, other] as const));
    const relate = (related: typeof pairs) =>
      getCell(world.cell)
        .prepare(
          `INSERT INTO task_relations (ws, type, source, target)
           SELECT ?, 'relates_to', value ->> 0, value ->> 1 FROM json_each(?)`,
        )
        .bind(world.no, JSON.stringify(related))
        .run();
    await relate(pairs.slice(0, 500));
    const templateId = await saveProject(source);
    const input = { templateId, name: 'Copy' };
    const copy = await runForm(by.token, createProjectFromTemplate, input);
    expect([copy.status, copy.trips]).toEqual([200, 2]);
    await relate(pairs.slice(500, 501));
    const rejected = await runForm(by.token, saveProjectTemplate, { id: source });
    expect([rejected.status, rejected.body.error.message]).toEqual([
      400,
      expect.stringContaining('up to 500 relations'),
    ]);
    expect(await findInconsistencies([0])).toEqual([]);
  });
});

describe('a project created from a template', () => {
  it('has the columns and custom fields of the original project', async () => {
    const { member: by, owner } = world.people;
    const source = (await createProject(world, { owner: by, members: [owner], name: 'Original' })).id;
    const setColumn = (column: string, fields: object) =>
      runForm(by.token, updateProjectColumn, { id: source, column, ...fields });
    await setColumn('in_progress', { label: 'Doing', limit: 3 });
    await setColumn('client_review', { isHidden: false });
    const [used, gone] = [await createField(world, 'text', 'Brief'), await createField(world, 'date')];
    await addFieldsToProject(world, source, [used, gone]);
    const customFields = { [`cf_${used}`]: 'Short', [`cf_${gone}`]: '2030-01-01' };
    const task = await createTask(by, source, { name: 'Plan', customFields });
    const next = await createTask(by, source, { name: 'Do' });
    await createMemberClient().post(`/tasks/${task.id}/relations`, { type: 'blocks', taskId: next.id });
    const templateId = await saveProject(source);
    await runForm(owner.token, deleteCustomField, { id: gone });
    const input = { templateId, name: 'Second' };
    const { body } = await runForm(by.token, createProjectFromTemplate, input);
    const listStatuses = async (id: number) =>
      (await createMemberClient().get(`/projects/${id}/statuses`)).body;
    expect(await listStatuses(body.id)).toEqual(await listStatuses(source));
    const sortByName = (tasks: { name: string }[]) => tasks.toSorted((a, b) => a.name.localeCompare(b.name));
    const { data } = (
      await createMemberClient().get(`/tasks?projectId=${body.id}&expand=structure,customFields`)
    ).body;
    expect(
      sortByName(data).map(({ name, isBlocked, customFields }: Record<string, unknown>) => [
        name,
        isBlocked,
        customFields,
      ]),
    ).toEqual([
      ['Do', true, { [`cf_${used}`]: null }],
      ['Plan', false, { [`cf_${used}`]: 'Short' }],
    ]);
    expect(await findInconsistencies([0])).toEqual([]);
  });
});
