import { beforeEach, describe, expect, it } from 'vitest';
import { updateProjectColumn } from '../../src/projects/operations/project-columns.ts';
import { deleteCustomField, updateCustomField } from '../../src/tasks/custom-fields/change-custom-fields.ts';
import { createProjectFromTemplate } from '../../src/templates/operations/new-project.ts';
import { saveProjectTemplate, saveTaskTemplate } from '../../src/templates/operations/save-template.ts';
import { getTemplate } from '../../src/templates/operations/templates.ts';
import { findInconsistencies } from '../suites/faults/databases.ts';
import { api } from '../support/api.ts';
import { createField, createFieldOfEachType, useFields } from '../support/custom-fields.ts';
import { cellOf } from '../support/env.ts';
import { runForm } from '../support/forms.ts';
import { createMeeting, createProject, createTask, createWorld, type World } from '../support/world.ts';
import { Screens } from '../web/server/screens.ts';

let world: World;
let project: number;

beforeEach(async () => {
  world = await createWorld();
  project = world.projects.joined.id;
});

const member = () => api(world.people.member.token);
const saveTask = async (id: number): Promise<number> =>
  (await runForm(world.people.member.token, saveTaskTemplate, { id })).body.id;
const saveProject = async (id: number): Promise<number> =>
  (await runForm(world.people.member.token, saveProjectTemplate, { id })).body.id;
const readFields = async (id: number) =>
  (await member().get(`/tasks/${id}?expand=customFields`)).body.customFields;

describe('custom fields in a template', () => {
  it('keep their values, whatever their type, unless the request overrides them', async () => {
    const fields = await createFieldOfEachType(world);
    const key = (type: keyof typeof fields) => `cf_${fields[type]}`;
    const values = {
      [key('text')]: 'Brief',
      [key('number')]: 2.5,
      [key('date')]: '2030-02-28',
      [key('select')]: 2,
      [key('multi_select')]: [1, 3],
      [key('person')]: world.people.lead.userId,
      [key('url')]: 'https://example.com/brief',
      [key('checkbox')]: true,
    };
    const root = await createTask(world.people.member, project, { customFields: values });
    const step = { parentId: root.id, customFields: { [key('text')]: 'Step' } };
    await createTask(world.people.member, project, step);
    const templateId = await saveTask(root.id);
    const changes = { [key('number')]: 7, [key('select')]: null };
    const input = { projectId: project, templateId, customFields: changes };
    const { body } = await member().post('/tasks', input);
    expect(await readFields(body.id)).toEqual({ ...values, ...changes });
    const [subtask] = (await member().get(`/tasks/${body.id}/subtasks?expand=customFields`)).body.data;
    expect(subtask.customFields).toMatchObject({ [key('text')]: 'Step', [key('number')]: null });
    expect(await findInconsistencies([0])).toEqual([]);
  });

  it("are omitted if the field or option was deleted, or if the project doesn't use the field", async () => {
    const [kept, gone, other] = [
      await createField(world, 'select', 'Size'),
      await createField(world, 'text', 'Gone'),
      await createField(world, 'text', 'Elsewhere'),
    ];
    await useFields(world, project, [kept, gone, other]);
    const customFields = { [`cf_${kept}`]: 3, [`cf_${gone}`]: 'x', [`cf_${other}`]: 'y' };
    const { id } = await createTask(world.people.member, project, { customFields });
    const templateId = await saveTask(id);
    const { owner } = world.people;
    await runForm(owner.token, deleteCustomField, { id: gone });
    await runForm(owner.token, updateCustomField, { id: kept, options: [{ id: 1, name: 'Small' }] });
    await useFields(world, project, [kept]);
    const { body } = await member().post('/tasks', { projectId: project, templateId });
    expect(await readFields(body.id)).toEqual({ [`cf_${kept}`]: null });
    await useFields(world, project, [kept, other]);
    expect(await readFields(body.id)).toEqual({ [`cf_${kept}`]: null, [`cf_${other}`]: null });
    const again = await member().post('/tasks', { projectId: project, templateId });
    expect(await readFields(again.body.id)).toEqual({ [`cf_${kept}`]: null, [`cf_${other}`]: 'y' });
    expect(await findInconsistencies([0])).toEqual([]);
  });
});

describe('the template page', () => {
  it('lists the custom fields and relations of its tasks, and explains how to change them', async () => {
    const field = await createField(world, 'select', 'Size');
    await useFields(world, project, [field]);
    const { member: by } = world.people;
    const root = await createTask(by, project, { name: 'Launch', customFields: { [`cf_${field}`]: 2 } });
    const write = await createTask(by, project, { name: 'Write', parentId: root.id });
    const review = await createTask(by, project, { name: 'Review', parentId: root.id });
    await member().post(`/tasks/${review.id}/relations`, { type: 'blocked_by', taskId: write.id });
    const id = await saveTask(root.id);
    const { tasks } = (await runForm(by.token, getTemplate, { id })).body;
    expect(
      tasks.map(({ fields, relations }: { fields: unknown; relations: unknown }) => [fields, relations]),
    ).toEqual([
      [[{ name: 'Size', text: 'Medium' }], []],
      [[], [{ type: 'blocks', name: 'Review' }]],
      [[], [{ type: 'blocked_by', name: 'Write' }]],
    ]);
    const { html } = await (await Screens.of(world, by)).open(`/templates/${id}`);
    for (const text of [
      '<bdi>Size</bdi>: <bdi>Medium</bdi>',
      'Blocked by: <bdi>Write</bdi>',
      'save it as a template again',
    ])
      expect(html).toContain(text);
  });
});

describe('a template of a project', () => {
  it('omits the tasks of meetings', async () => {
    const { lead } = world.people;
    await createTask(lead, project, { name: 'Plan' });
    await createMeeting(lead, project, { name: 'Kick-off' });
    const id = await saveProject(project);
    const { tasks } = (await runForm(world.people.member.token, getTemplate, { id })).body;
    expect(tasks.map(({ name }: { name: string }) => name)).toEqual(['Plan']);
  });
});

describe('relations in a template', () => {
  it('are created between new tasks, but not with other tasks', async () => {
    const { member: by } = world.people;
    const root = await createTask(by, project, { name: 'Launch' });
    const [first, second] = [
      await createTask(by, project, { name: 'Write', parentId: root.id }),
      await createTask(by, project, { name: 'Review', parentId: root.id }),
    ];
    const outside = await createTask(by, project, { name: 'Outside' });
    const relate = (id: number, type: string, taskId: number) =>
      member().post(`/tasks/${id}/relations`, { type, taskId });
    await relate(first.id, 'blocks', second.id);
    await relate(root.id, 'relates_to', second.id);
    await relate(root.id, 'duplicates', first.id);
    await relate(outside.id, 'blocks', first.id);
    const templateId = await saveTask(root.id);
    const { body } = await member().post('/tasks', { projectId: project, templateId });
    const related = async (id: number) =>
      (await member().get(`/tasks/${id}/relations`)).body.data.map(
        ({ type, task }: { type: string; task: { name: string } }) => `${type} ${task.name}`,
      );
    const { data } = (await member().get(`/tasks/${body.id}/subtasks?expand=structure`)).body;
    expect(data.map(({ name, isBlocked }: Record<string, unknown>) => [name, isBlocked])).toEqual([
      ['Write', false],
      ['Review', true],
    ]);
    expect(await related(body.id)).toEqual(['relates_to Review', 'duplicates Write']);
    expect(await related(data[0].id)).toEqual(['blocks Review', 'duplicated_by Launch']);
    expect(await findInconsistencies([0])).toEqual([]);
  });

  it("don't block a task if the request completes the blocker", async () => {
    const { member: by } = world.people;
    const root = await createTask(by, project, { name: 'Launch' });
    const step = await createTask(by, project, { name: 'After', parentId: root.id });
    await member().post(`/tasks/${root.id}/relations`, { type: 'blocks', taskId: step.id });
    const templateId = await saveTask(root.id);
    const input = { projectId: project, templateId, status: 'completed' };
    const { body } = await member().post('/tasks', input);
    const [after] = (await member().get(`/tasks/${body.id}/subtasks?expand=structure`)).body.data;
    expect(after.isBlocked).toBe(false);
    expect(await findInconsistencies([0])).toEqual([]);
  });

  it('are limited to 500 per template', async () => {
    const { member: by } = world.people;
    const source = (await createProject(world, { owner: by, name: 'Tangled' })).id;
    const tasks = Array.from({ length: 33 }, (_, index) => ({ projectId: source, name: `Task ${index}` }));
    const created = (await member().post('/tasks/bulk', { tasks })).body.data;
    const ids: number[] = created.map(({ task }: { task: { id: number } }) => task.id);
    const pairs = ids.flatMap((one, index) => ids.slice(index + 1).map((other) => [one, other] as const));
    const relate = (related: typeof pairs) =>
      cellOf(world.cell)
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

describe('a project from a template', () => {
  it('has the columns and custom fields of the original project', async () => {
    const { member: by, owner } = world.people;
    const source = (await createProject(world, { owner: by, members: [owner], name: 'Original' })).id;
    const setColumn = (column: string, fields: object) =>
      runForm(by.token, updateProjectColumn, { id: source, column, ...fields });
    await setColumn('in_progress', { label: 'Doing', limit: 3 });
    await setColumn('client_review', { isHidden: false });
    const [used, gone] = [await createField(world, 'text', 'Brief'), await createField(world, 'date')];
    await useFields(world, source, [used, gone]);
    const customFields = { [`cf_${used}`]: 'Short', [`cf_${gone}`]: '2030-01-01' };
    const task = await createTask(by, source, { name: 'Plan', customFields });
    const next = await createTask(by, source, { name: 'Do' });
    await member().post(`/tasks/${task.id}/relations`, { type: 'blocks', taskId: next.id });
    const templateId = await saveProject(source);
    await runForm(owner.token, deleteCustomField, { id: gone });
    const input = { templateId, name: 'Second' };
    const { body } = await runForm(by.token, createProjectFromTemplate, input);
    const statuses = async (id: number) => (await member().get(`/projects/${id}/statuses`)).body;
    expect(await statuses(body.id)).toEqual(await statuses(source));
    const byName = (tasks: { name: string }[]) => tasks.toSorted((a, b) => a.name.localeCompare(b.name));
    const { data } = (await member().get(`/tasks?projectId=${body.id}&expand=structure,customFields`)).body;
    expect(
      byName(data).map(({ name, isBlocked, customFields }: Record<string, unknown>) => [
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
