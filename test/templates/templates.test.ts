// This file is long because templates of tasks and of projects are tested with the same helpers.
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
import { cellOf } from '../support/env.ts';
import { runForm } from '../support/forms.ts';
import { createProject, createTask, createWorld, type Person, type World } from '../support/world.ts';

let world: World;
let project: number;

beforeEach(async () => {
  world = await createWorld();
  project = world.projects.joined.id;
});

const rest = (person: Person = world.people.member) => api(person.token);
const today = () => new Date().toISOString().slice(0, 10);
const inDays = (days: number, from = today()) =>
  new Date(Date.parse(`${from}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** A task with two levels of subtasks, checklists, tags and dates. */
async function createTree(by: Person = world.people.member) {
  const root = await createTask(by, project, {
    name: 'Publish a post',
    description: '<p>Follow the guide.</p>',
    priority: 'high',
    tags: ['blog'],
    customEstimatedHours: '3.5',
    deadline: inDays(7),
    checklist: [{ text: 'Proofread', isDone: true }, { text: 'Publish' }],
    assigneeId: by.userId,
  });
  const draft = await createTask(by, project, {
    name: 'Write a draft',
    parentId: root.id,
    startDate: inDays(1),
    deadline: inDays(3),
    status: 'completed',
  });
  const picture = await createTask(by, project, { name: 'Find a picture', parentId: draft.id });
  const gone = await createTask(by, project, { name: 'Not needed', parentId: root.id });
  await rest(by).post(`/tasks/${gone.id}/archive`);
  return { root, draft, picture };
}

const save = async (id: number, by: Person = world.people.member): Promise<number> =>
  (await runForm(by.token, saveTaskTemplate, { id })).body.id;

async function readTree(id: number) {
  const task = (await rest().get(`/tasks/${id}?expand=structure`)).body;
  const { items } = (await rest().get(`/tasks/${id}/checklist`)).body;
  const { data } = (await rest().get(`/tasks/${id}/subtasks`)).body;
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
    const templateId = await save(root.id);
    const listed = await rest().get('/templates?kind=task');
    expect(listed.body.data).toEqual([
      { id: templateId, kind: 'task', name: 'Publish a post', description: null, projectId: null },
    ]);
    const created = await rest().post('/tasks', { projectId: project, templateId });
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
        deadline: inDays(7),
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
          ...{ startDate: inDays(1), deadline: inDays(3) },
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
    const templateId = await save(root.id);
    const { body } = await rest().post('/tasks', {
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

  it('creates all tasks in one batch, or none', async () => {
    const { root } = await createTree();
    const templateId = await save(root.id);
    const before = (await rest().get('/tasks?scope=all')).body.meta.total;
    const headers = { 'Idempotency-Key': 'use-1' };
    const first = await rest().post('/tasks', { projectId: project, templateId }, headers);
    const again = await rest().post('/tasks', { projectId: project, templateId }, headers);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(first.cost.trips).toBeLessThanOrEqual(2);
    expect((await rest().get('/tasks?scope=all')).body.meta.total).toBe(before + 3);
    const events = (await rest().get('/events?after=0&limit=300&types=task.created')).body.data;
    expect(events.slice(-3).map((each: { task: { id: number } }) => each.task.id)).toEqual([
      first.body.id - 2,
      first.body.id - 1,
      first.body.id,
    ]);
  });

  it('can create its tasks as subtasks, unless they would be nested too deeply', async () => {
    const { root } = await createTree();
    const templateId = await save(root.id);
    const chain = [root.id];
    for (let level = 2; level <= 3; level += 1)
      chain.push((await createTask(world.people.member, project, { parentId: chain.at(-1) })).id);
    const fits = await rest().post('/tasks', { projectId: project, templateId, parentId: chain[1] });
    expect(fits.status).toBe(201);
    const tooDeep = await rest().post('/tasks', { projectId: project, templateId, parentId: chain[2] });
    expect([tooDeep.status, tooDeep.body.error.message]).toEqual([
      400,
      `parentId ${chain[2]} would put tasks more than 5 levels deep.`,
    ]);
    expect(await findInconsistencies([0])).toEqual([]);
  });

  it('returns 404 if it is unknown, deleted, of another kind or in another workspace', async () => {
    const { root } = await createTree();
    const templateId = await save(root.id);
    const ofProject = (await runForm(world.people.member.token, saveProjectTemplate, { id: project })).body
      .id;
    const other = await createWorld();
    const use = (id: number, by = rest(), projectId = project) =>
      by.post('/tasks', { projectId, templateId: id });
    const foreign = await use(templateId, api(other.people.owner.token), other.projects.joined.id);
    await runForm(world.people.member.token, deleteTemplate, { id: templateId });
    for (const answer of [foreign, await use(templateId), await use(ofProject), await use(999_999)]) {
      expect([answer.status, answer.headers.get('Error-Field')]).toEqual([404, 'templateId']);
    }
    const nameless = await rest().post('/tasks', { projectId: project });
    expect([nameless.status, nameless.headers.get('Error-Field')]).toEqual([400, 'name']);
  });
});

describe('people in a workspace', () => {
  it('see templates for all projects, except clients, who see only templates of their own projects', async () => {
    const { root } = await createTree();
    const { owner, client, member } = world.people;
    const shared = await save(root.id);
    const ofTheirs = await save(root.id);
    const ofOthers = await save(root.id, owner);
    const { token } = owner;
    await runForm(token, updateTemplate, { id: ofTheirs, projectId: project });
    await runForm(token, updateTemplate, { id: ofOthers, projectId: world.projects.other.id });
    const list = async (by: Person) =>
      (await rest(by).get('/templates')).body.data.map(({ id }: { id: number }) => id);
    expect(await list(member)).toEqual([shared, ofTheirs, ofOthers]);
    expect(await list(client)).toEqual([ofTheirs]);
    for (const id of [shared, ofOthers]) {
      const answer = await rest(client).post('/tasks', { projectId: project, templateId: id });
      expect(answer.status).toBe(404);
      expect((await runForm(client.token, getTemplate, { id })).status).toBe(404);
    }
    const used = await rest(client).post('/tasks', { projectId: project, templateId: ofTheirs });
    expect(used.status).toBe(201);
    const events = (await rest(client).get('/events?after=0&limit=300&types=template.*')).text;
    expect(events).not.toContain('Publish a post');
  });

  it('can change their own templates, and leads can change all templates', async () => {
    const { root } = await createTree();
    const { owner, lead, member, client } = world.people;
    const [own, ofOwner] = [await save(root.id), await save(root.id, owner)];
    const rename = async (by: Person, id: number) =>
      (await runForm(by.token, updateTemplate, { id, name: `By ${by.userId}` })).status;
    expect(await Promise.all([rename(member, own), rename(lead, ofOwner)])).toEqual([200, 200]);
    expect(await rename(member, ofOwner)).toBe(403);
    await runForm(owner.token, updateTemplate, { id: own, projectId: project });
    expect(await rename(client, own)).toBe(403);
    expect((await runForm(client.token, saveTaskTemplate, { id: root.id })).status).toBe(403);
    expect((await runForm(member.token, deleteTemplate, { id: ofOwner })).status).toBe(403);
    expect((await rest().get('/templates')).body.meta.total).toBe(2);
  });
});

describe('editing a template', () => {
  it('changes, adds and deletes tasks', async () => {
    const { root } = await createTree();
    const { token } = world.people.member;
    const id = await save(root.id);
    const read = async () => (await runForm(token, getTemplate, { id })).body.tasks;
    const [, draft] = await read();
    await runForm(token, addTemplateTask, { id, name: 'Announce it' });
    await runForm(token, addTemplateTask, { id, name: 'Ask for a quote', parentId: draft.id });
    const added = (await read()).find(({ name }: { name: string }) => name === 'Announce it');
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
    expect((await read()).map(({ name }: { name: string }) => name)).toEqual(['Publish a post', 'Announce']);
    const { body } = await rest().post('/tasks', { projectId: project, templateId: id });
    expect(await readTree(body.id)).toMatchObject({
      subtasks: [
        {
          ...{ name: 'Announce', priority: 'low', tags: ['news'], deadline: inDays(8) },
          checklist: [{ text: 'Mail' }, { text: 'Chat' }],
        },
      ],
    });
    const events = (await rest().get('/events?after=0&limit=300&types=template.*')).body.data;
    expect(events.map(({ type }: { type: string }) => type)).toEqual([
      'template.created',
      ...Array(4).fill('template.updated'),
    ]);
    expect(events.at(-1)).toMatchObject({ template: { id }, changes: { tasks: null } });
  });

  it("can't delete the first task, nest tasks too deeply, or change unknown tasks", async () => {
    const { root } = await createTree();
    const { token } = world.people.member;
    const id = await save(root.id);
    const add = (parentId: number) => runForm(token, addTemplateTask, { id, name: 'Deep', parentId });
    expect((await runForm(token, deleteTemplateTask, { id, itemId: 1 })).status).toBe(400);
    expect((await runForm(token, updateTemplateTask, { id, itemId: 77, name: 'x' })).status).toBe(404);
    expect([(await add(3)).status, (await add(4)).status, (await add(5)).status]).toEqual([200, 200, 400]);
    expect((await add(99)).status).toBe(404);
  });
});

describe('a project template', () => {
  it('creates a project with its tasks in one batch, with dates relative to its first day', async () => {
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
      await rest().get(`/tasks?projectId=${created.body.id}&expand=detail,structure&sort=due`)
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
    const newProject = (await rest().get(`/projects/${created.body.id}`)).body;
    expect([newProject.name, newProject.taskCount, newProject.owner.id]).toEqual([
      'Second launch',
      3,
      member.userId,
    ]);
    expect(await findInconsistencies([0])).toEqual([]);
  });

  it("can be empty, and returns 404 for people who can't see it", async () => {
    const { member, client } = world.people;
    const source = (await createProject(world, { owner: member, name: 'Empty' })).id;
    const templateId = (await runForm(member.token, saveProjectTemplate, { id: source })).body.id;
    const use = (by: Person) => runForm(by.token, createProjectFromTemplate, { templateId, name: 'New' });
    expect((await use(member)).status).toBe(200);
    expect((await use(client)).status).toBe(404);
    await runForm(member.token, updateTemplate, { id: templateId, projectId: project });
    expect((await use(client)).status).toBe(403);
  });

  it('becomes available in all projects when its project is deleted', async () => {
    const { member, owner } = world.people;
    const source = (await createProject(world, { owner: member, name: 'Gone' })).id;
    const id = (await runForm(member.token, saveProjectTemplate, { id: source })).body.id;
    await runForm(member.token, updateTemplate, { id, projectId: source });
    const { deleteProject } = await import('../../src/projects/deletion/delete-project.ts');
    expect((await runForm(owner.token, deleteProject, { id: source, name: 'Gone' })).status).toBe(200);
    expect((await rest().get('/templates')).body.data).toMatchObject([{ id, projectId: null }]);
  });
});

describe('the limits for templates', () => {
  it('allow up to 200 tasks per template and 100 templates', async () => {
    const { member } = world.people;
    const source = (await createProject(world, { owner: member, name: 'Large' })).id;
    const tasks = Array.from({ length: 100 }, (_, index) => ({ projectId: source, name: `Task ${index}` }));
    for (let sent = 0; sent < 200; sent += 100) await rest().post('/tasks/bulk', { tasks });
    const saved = await runForm(member.token, saveProjectTemplate, { id: source });
    expect(saved.status).toBe(200);
    const input = { templateId: saved.body.id, name: 'Copy' };
    const created = await runForm(member.token, createProjectFromTemplate, input);
    expect([created.status, created.trips]).toEqual([200, 2]);
    expect((await rest().get(`/projects/${created.body.id}`)).body.taskCount).toBe(200);
    await createTask(member, source);
    const rejected = await runForm(member.token, saveProjectTemplate, { id: source });
    expect([rejected.status, rejected.body.error.message]).toEqual([
      400,
      expect.stringContaining('up to 200 tasks'),
    ]);
    await cellOf(world.cell)
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
    expect((await rest().get('/templates?limit=1')).body.meta.total).toBe(100);
  });
});
