// This file is long because task templates and project templates share the functions that save and read them.
import { beforeEach, describe, expect, it } from 'vitest';
import {
  addTemplateTask,
  deleteTemplateTask,
  updateTemplateTask,
} from '../../src/templates/operations/edit-tasks.ts';
import { createProjectFromTemplate } from '../../src/templates/operations/new-project.ts';
import { saveProjectTemplate, saveTaskTemplate } from '../../src/templates/operations/save-template.ts';
import { deleteTemplate, getTemplate, updateTemplate } from '../../src/templates/operations/templates.ts';
import { findInconsistencies } from '../suites/faults/databases.ts';
import { api } from '../support/api.ts';
import { getCell } from '../support/env.ts';
import { runForm } from '../support/forms.ts';
import { createProject, createTask, createWorld, type Person, type World } from '../support/world.ts';

let world: World;
let project: number;

beforeEach(async () => {
  world = await createWorld();
  project = world.projects.joined.id;
});

const createClient = (person: Person = world.people.member) => api(person.token);
const getToday = () => new Date().toISOString().slice(0, 10);
const addDaysTo = (days: number, from = getToday()) =>
  new Date(Date.parse(`${from}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** Creates a task with a checklist, tags, dates, two levels of subtasks and an archived subtask. */
async function createTree(by: Person = world.people.member) {
  const root = await createTask(by, project, {
    name: 'Publish a post',
    description: '<p>Follow the guide.</p>',
    priority: 'high',
    tags: ['blog'],
    customEstimatedHours: '3.5',
    deadline: addDaysTo(7),
    checklist: [{ text: 'Proofread', isDone: true }, { text: 'Publish' }],
    assigneeId: by.userId,
  });
  const draft = await createTask(by, project, {
    name: 'Write a draft',
    parentId: root.id,
    startDate: addDaysTo(1),
    deadline: addDaysTo(3),
    status: 'completed',
  });
  const picture = await createTask(by, project, { name: 'Find a picture', parentId: draft.id });
  const gone = await createTask(by, project, { name: 'Not needed', parentId: root.id });
  await createClient(by).post(`/tasks/${gone.id}/archive`);
  return { root, draft, picture };
}

const saveTemplateAs = async (id: number, by: Person = world.people.member): Promise<number> =>
  (await runForm(by.token, saveTaskTemplate, { id })).body.id;

async function readTree(id: number) {
  const task = (await createClient().get(`/tasks/${id}?expand=structure`)).body;
  const { items } = (await createClient().get(`/tasks/${id}/checklist`)).body;
  const { data } = (await createClient().get(`/tasks/${id}/subtasks`)).body;
  const subtasks: unknown[] = [];
  for (const each of data) subtasks.push(await readTree(each.id));
  const { name, description, status, priority, tags, startDate, deadline, customEstimatedHours, assignee } =
    task;
  return {
    ...{ name, description, status, priority, tags, startDate, deadline, customEstimatedHours },
    assignee: assignee?.id ?? null,
    checklist: items,
    subtasks,
  };
}

describe('a task template', () => {
  it('contains subtasks, checklists, tags and relative dates, but no checked items, statuses or assignees', async () => {
    const { root } = await createTree();
    const templateId = await saveTemplateAs(root.id);
    const listed = await createClient().get('/templates?kind=task');
    expect(listed.body.data).toEqual([
      { id: templateId, kind: 'task', name: 'Publish a post', description: null, projectId: null },
    ]);
    const created = await createClient().post('/tasks', { projectId: project, templateId });
    expect([created.status, created.body.name]).toEqual([201, 'Publish a post']);
    const plain = { description: null, status: 'todo', tags: [], customEstimatedHours: null, assignee: null };
    expect(await readTree(created.body.id)).toEqual({
      ...{
        name: 'Publish a post',
        description: '<p>Follow the guide.</p>',
        status: 'todo',
        priority: 'high',
      },
      ...{
        tags: ['blog'],
        startDate: null,
        deadline: addDaysTo(7),
        customEstimatedHours: '3.5',
        assignee: null,
      },
      checklist: [
        { id: 1, text: 'Proofread', isDone: false },
        { id: 2, text: 'Publish', isDone: false },
      ],
      subtasks: [
        {
          ...{ ...plain, name: 'Write a draft', priority: 'medium', checklist: [] },
          ...{ startDate: addDaysTo(1), deadline: addDaysTo(3) },
          subtasks: [
            {
              ...{ ...plain, name: 'Find a picture', priority: 'medium', checklist: [] },
              ...{ startDate: null, deadline: null, subtasks: [] },
            },
          ],
        },
      ],
    });
    expect(await findInconsistencies([0])).toEqual([]);
  });

  it('is overridden by the fields in the request, and its dates move with the deadline', async () => {
    const { root } = await createTree();
    const templateId = await saveTemplateAs(root.id);
    const { body } = await createClient().post('/tasks', {
      ...{ projectId: project, templateId, name: 'Another post', priority: 'low', tags: [] },
      ...{ deadline: '2030-06-17', description: '', checklist: [{ text: 'Only this' }] },
      ...{ status: 'in_progress', assigneeId: world.people.lead.userId },
    });
    const tree = await readTree(body.id);
    expect(tree).toMatchObject({
      ...{ name: 'Another post', priority: 'low', tags: [], deadline: '2030-06-17', description: null },
      ...{ status: 'in_progress', assignee: world.people.lead.userId, customEstimatedHours: '3.5' },
      checklist: [{ id: 1, text: 'Only this', isDone: false }],
      subtasks: [{ startDate: '2030-06-11', deadline: '2030-06-13' }],
    });
  });

  it('creates all its tasks in one batch, and only once per Idempotency-Key', async () => {
    const { root } = await createTree();
    const templateId = await saveTemplateAs(root.id);
    const before = (await createClient().get('/tasks?scope=all')).body.meta.total;
    const headers = { 'Idempotency-Key': 'use-1' };
    const first = await createClient().post('/tasks', { projectId: project, templateId }, headers);
    const again = await createClient().post('/tasks', { projectId: project, templateId }, headers);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(first.cost.trips).toBeLessThanOrEqual(2);
    expect((await createClient().get('/tasks?scope=all')).body.meta.total).toBe(before + 3);
    const events = (await createClient().get('/events?after=0&limit=300&types=task.created')).body.data;
    expect(events.slice(-3).map((each: { task: { id: number } }) => each.task.id)).toEqual([
      first.body.id - 2,
      first.body.id - 1,
      first.body.id,
    ]);
  });

  it('can be used to create subtasks, unless they would be nested too deeply', async () => {
    const { root } = await createTree();
    const templateId = await saveTemplateAs(root.id);
    const chain = [root.id];
    for (let level = 2; level <= 3; level += 1)
      chain.push((await createTask(world.people.member, project, { parentId: chain.at(-1) })).id);
    const fits = await createClient().post('/tasks', { projectId: project, templateId, parentId: chain[1] });
    expect(fits.status).toBe(201);
    const tooDeep = await createClient().post('/tasks', {
      projectId: project,
      templateId,
      parentId: chain[2],
    });
    expect([tooDeep.status, tooDeep.body.error.message]).toEqual([
      400,
      `parentId ${chain[2]} can't have this subtask, because tasks can be nested at most 5 levels deep.`,
    ]);
    expect(await findInconsistencies([0])).toEqual([]);
  });

  it('is rejected with 404 if it is unknown, deleted, of another kind or in another workspace', async () => {
    const { root } = await createTree();
    const templateId = await saveTemplateAs(root.id);
    const ofProject = (await runForm(world.people.member.token, saveProjectTemplate, { id: project })).body
      .id;
    const other = await createWorld();
    const createFromTemplate = (id: number, by = createClient(), projectId = project) =>
      by.post('/tasks', { projectId, templateId: id });
    const foreign = await createFromTemplate(
      templateId,
      api(other.people.owner.token),
      other.projects.joined.id,
    );
    await runForm(world.people.member.token, deleteTemplate, { id: templateId });
    for (const answer of [
      foreign,
      await createFromTemplate(templateId),
      await createFromTemplate(ofProject),
      await createFromTemplate(999_999),
    ]) {
      expect([answer.status, answer.headers.get('Error-Field')]).toEqual([404, 'templateId']);
    }
    const nameless = await createClient().post('/tasks', { projectId: project });
    expect([nameless.status, nameless.headers.get('Error-Field')]).toEqual([400, 'name']);
  });
});

describe('people in a workspace', () => {
  it('see all templates, except clients, who see only templates for their own projects', async () => {
    const { root } = await createTree();
    const { owner, client, member } = world.people;
    const shared = await saveTemplateAs(root.id);
    const ofTheirs = await saveTemplateAs(root.id);
    const ofOthers = await saveTemplateAs(root.id, owner);
    const { token } = owner;
    await runForm(token, updateTemplate, { id: ofTheirs, projectId: project });
    await runForm(token, updateTemplate, { id: ofOthers, projectId: world.projects.other.id });
    const listTemplates = async (by: Person) =>
      (await createClient(by).get('/templates')).body.data.map(({ id }: { id: number }) => id);
    expect(await listTemplates(member)).toEqual([shared, ofTheirs, ofOthers]);
    expect(await listTemplates(client)).toEqual([ofTheirs]);
    for (const id of [shared, ofOthers]) {
      const answer = await createClient(client).post('/tasks', { projectId: project, templateId: id });
      expect(answer.status).toBe(404);
      expect((await runForm(client.token, getTemplate, { id })).status).toBe(404);
    }
    const used = await createClient(client).post('/tasks', { projectId: project, templateId: ofTheirs });
    expect(used.status).toBe(201);
    const events = (await createClient(client).get('/events?after=0&limit=300&types=template.*')).text;
    expect(events).not.toContain('Publish a post');
  });

  it('can change their own templates, and leads can change all templates', async () => {
    const { root } = await createTree();
    const { owner, lead, member, client } = world.people;
    const [own, ofOwner] = [await saveTemplateAs(root.id), await saveTemplateAs(root.id, owner)];
    const renameTemplate = async (by: Person, id: number) =>
      (await runForm(by.token, updateTemplate, { id, name: `By ${by.userId}` })).status;
    expect(await Promise.all([renameTemplate(member, own), renameTemplate(lead, ofOwner)])).toEqual([
      200, 200,
    ]);
    expect(await renameTemplate(member, ofOwner)).toBe(403);
    await runForm(owner.token, updateTemplate, { id: own, projectId: project });
    expect(await renameTemplate(client, own)).toBe(403);
    expect((await runForm(client.token, saveTaskTemplate, { id: root.id })).status).toBe(403);
    expect((await runForm(member.token, deleteTemplate, { id: ofOwner })).status).toBe(403);
    expect((await createClient().get('/templates')).body.meta.total).toBe(2);
  });
});

describe('editing a template', () => {
  it('can change, add and delete its tasks', async () => {
    const { root } = await createTree();
    const { token } = world.people.member;
    const id = await saveTemplateAs(root.id);
    const readTemplate = async () => (await runForm(token, getTemplate, { id })).body.tasks;
    const [, draft] = await readTemplate();
    await runForm(token, addTemplateTask, { id, name: 'Announce it' });
    await runForm(token, addTemplateTask, { id, name: 'Ask for a quote', parentId: draft.id });
    const added = (await readTemplate()).find(({ name }: { name: string }) => name === 'Announce it');
    expect(added).toMatchObject({ id: 4, parentId: 1, priority: 'medium', dueDay: null, checklist: [] });
    const changes = {
      name: 'Announce',
      dueDay: 8,
      tags: ['news'],
      checklist: ['Mail', 'Chat'],
      priority: 'low',
    };
    await runForm(token, updateTemplateTask, { id, itemId: added.id, ...changes });
    await runForm(token, deleteTemplateTask, { id, itemId: draft.id });
    expect((await readTemplate()).map(({ name }: { name: string }) => name)).toEqual([
      'Publish a post',
      'Announce',
    ]);
    const { body } = await createClient().post('/tasks', { projectId: project, templateId: id });
    expect(await readTree(body.id)).toMatchObject({
      subtasks: [
        {
          ...{ name: 'Announce', priority: 'low', tags: ['news'], deadline: addDaysTo(8) },
          checklist: [{ text: 'Mail' }, { text: 'Chat' }],
        },
      ],
    });
    const events = (await createClient().get('/events?after=0&limit=300&types=template.*')).body.data;
    expect(events.map(({ type }: { type: string }) => type)).toEqual([
      'template.created',
      ...Array(4).fill('template.updated'),
    ]);
    expect(events.at(-1)).toMatchObject({ template: { id }, changes: { tasks: null } });
  });

  it("can't delete the first task, nest tasks too deeply, or change unknown tasks", async () => {
    const { root } = await createTree();
    const { token } = world.people.member;
    const id = await saveTemplateAs(root.id);
    const addTask = (parentId: number) => runForm(token, addTemplateTask, { id, name: 'Deep', parentId });
    expect((await runForm(token, deleteTemplateTask, { id, itemId: 1 })).status).toBe(400);
    expect((await runForm(token, updateTemplateTask, { id, itemId: 77, name: 'x' })).status).toBe(404);
    expect([(await addTask(3)).status, (await addTask(4)).status, (await addTask(5)).status]).toEqual([
      200, 200, 400,
    ]);
    expect((await addTask(99)).status).toBe(404);
  });
});

describe('a project template', () => {
  it("creates a project with its tasks in one batch, with dates relative to the project's first day", async () => {
    const { owner, member } = world.people;
    const source = (await createProject(world, { owner: member, members: [owner], name: 'Launch' })).id;
    const first = await createTask(member, source, {
      name: 'Plan',
      startDate: '2026-03-02',
      deadline: '2026-03-04',
    });
    await createTask(member, source, { name: 'Agenda', parentId: first.id, checklist: [{ text: 'Room' }] });
    await createTask(member, source, { name: 'Launch', deadline: '2026-03-16', tags: ['big'] });
    const templateId = (await runForm(member.token, saveProjectTemplate, { id: source })).body.id;
    const input = { templateId, name: 'Second launch', startDate: '2027-01-01' };
    const created = await runForm(member.token, createProjectFromTemplate, input);
    expect([created.status, created.trips]).toEqual([200, 2]);
    const { data } = (
      await createClient().get(`/tasks?projectId=${created.body.id}&expand=detail,structure&sort=due`)
    ).body;
    const shown = data.map(
      ({ name, startDate, deadline, tags, parent, checklist }: Record<string, unknown>) => [
        name,
        startDate,
        deadline,
        tags,
        (parent as { name: string } | null)?.name ?? null,
        checklist,
      ],
    );
    expect(shown).toEqual([
      ['Plan', '2027-01-01', '2027-01-03', [], null, { total: 0, done: 0 }],
      ['Launch', null, '2027-01-15', ['big'], null, { total: 0, done: 0 }],
      ['Agenda', null, null, [], 'Plan', { total: 1, done: 0 }],
    ]);
    const newProject = (await createClient().get(`/projects/${created.body.id}`)).body;
    expect([newProject.name, newProject.taskCount, newProject.owner.id]).toEqual([
      'Second launch',
      3,
      member.userId,
    ]);
    expect(await findInconsistencies([0])).toEqual([]);
  });

  it("can be empty, and can't be used by clients", async () => {
    const { member, client } = world.people;
    const source = (await createProject(world, { owner: member, name: 'Empty' })).id;
    const templateId = (await runForm(member.token, saveProjectTemplate, { id: source })).body.id;
    const createFromTemplate = (by: Person) =>
      runForm(by.token, createProjectFromTemplate, { templateId, name: 'New' });
    expect((await createFromTemplate(member)).status).toBe(200);
    expect((await createFromTemplate(client)).status).toBe(404);
    await runForm(member.token, updateTemplate, { id: templateId, projectId: project });
    expect((await createFromTemplate(client)).status).toBe(403);
  });

  it('becomes available to the whole workspace when its project is deleted', async () => {
    const { member, owner } = world.people;
    const source = (await createProject(world, { owner: member, name: 'Gone' })).id;
    const id = (await runForm(member.token, saveProjectTemplate, { id: source })).body.id;
    await runForm(member.token, updateTemplate, { id, projectId: source });
    const { deleteProject } = await import('../../src/projects/deletion/delete-project.ts');
    expect((await runForm(owner.token, deleteProject, { id: source, name: 'Gone' })).status).toBe(200);
    expect((await createClient().get('/templates')).body.data).toMatchObject([{ id, projectId: null }]);
  });
});

describe('the limits for templates', () => {
  it('allow up to 200 tasks per template and 100 templates', async () => {
    const { member } = world.people;
    const source = (await createProject(world, { owner: member, name: 'Large' })).id;
    const tasks = Array.from({ length: 100 }, (_, index) => ({ projectId: source, name: `Task ${index}` }));
    for (let sent = 0; sent < 200; sent += 100) await createClient().post('/tasks/bulk', { tasks });
    const saved = await runForm(member.token, saveProjectTemplate, { id: source });
    expect(saved.status).toBe(200);
    const input = { templateId: saved.body.id, name: 'Copy' };
    const created = await runForm(member.token, createProjectFromTemplate, input);
    expect([created.status, created.trips]).toEqual([200, 2]);
    expect((await createClient().get(`/projects/${created.body.id}`)).body.taskCount).toBe(200);
    await createTask(member, source);
    const rejected = await runForm(member.token, saveProjectTemplate, { id: source });
    expect([rejected.status, rejected.body.error.message]).toEqual([
      400,
      expect.stringContaining('up to 200 tasks'),
    ]);
    await getCell(world.cell)
      .prepare(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 99)
         INSERT INTO templates (ws, kind, name, content, creator, created_at)
         SELECT ws, kind, name, content, creator, created_at FROM templates, n WHERE ws = ?`,
      )
      .bind(world.no)
      .run();
    const { id } = await createTask(member, project);
    const full = await runForm(member.token, saveTaskTemplate, { id });
    expect([full.status, full.body.error.message]).toEqual([
      400,
      expect.stringContaining('up to 100 templates'),
    ]);
    expect((await createClient().get('/templates?limit=1')).body.meta.total).toBe(100);
  });
});
