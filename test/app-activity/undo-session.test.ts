import { beforeAll, describe, expect, it } from 'vitest';
import { getAppSession, listAppSessions } from '../../src/app-activity/app-sessions.ts';
import { undoAppSession } from '../../src/app-activity/undo-session.ts';
import { callTool } from '../mcp/client.ts';
import { api } from '../support/api.ts';
import { getCell } from '../support/env.ts';
import { runForm } from '../support/forms.ts';
import { createTask, createWorld, type Person, type World } from '../support/world.ts';
import { connectApp, type OwnApp } from './connect-app.ts';

let world: World;
let member: Person;
let project: number;

beforeAll(async () => {
  world = await createWorld();
  member = world.people.member;
  project = world.projects.joined.id;
});

const previewUndo = (person: Person, app: OwnApp, range = {}) =>
  runForm(person.token, getAppSession, { app: app.app, ...range });
const undoApp = async (person: Person, app: OwnApp, range = {}) =>
  runForm(person.token, undoAppSession, { app: app.app, ...range });
const readTask = async (id: number) => (await api(member.token).get(`/tasks/${id}`)).body;
const countEvents = async () =>
  (await getCell(world.cell).prepare('SELECT count(*) AS n FROM events').first<{ n: number }>())?.n;

describe("undoing an app's changes", () => {
  it('restores every changed field, even if an agent changed it several times', async () => {
    const app = await connectApp(world, member);
    const { id } = await createTask(world.people.lead, project, {
      name: 'Write FAQ',
      description: '<p>Before</p>',
      priority: 'low',
      tags: ['one', 'two'],
      deadline: '2026-12-01',
      assigneeId: world.people.lead.userId,
    });
    const before = await readTask(id);
    await callTool(app.token, 'update_task', {
      updates: [
        { id, name: 'FAQ', description: 'After', status: 'completed', assignee: 'me', labels: ['three'] },
      ],
    });
    await callTool(app.token, 'update_task', {
      updates: [{ id, name: 'FAQ 2', deadline: null, priority: 'high' }],
    });
    await api(app.token).patch(`/tasks/${id}`, { description: '<p>Again</p>', startDate: '2026-11-01' });
    const { body: plan } = await previewUndo(member, app);
    expect(
      plan.steps.map(({ label, outcome }: { label: string; outcome: string }) => [label, outcome]),
    ).toEqual([
      ['Name', 'undo'],
      ['Description', 'undo'],
      ['Status', 'undo'],
      ['Priority', 'undo'],
      ['Assignee', 'undo'],
      ['Tags', 'undo'],
      ['Start', 'undo'],
      ['Deadline', 'undo'],
    ]);
    expect((await undoApp(member, app)).body).toEqual({
      undone: 8,
      kept: 0,
      impossible: 0,
      hasMore: false,
      next: null,
    });
    const after = await readTask(id);
    for (const [field, value] of Object.entries(before))
      if (!['updatedAt', 'followers'].includes(field)) expect(after[field], field).toEqual(value);
  });

  it('keeps later changes by others, and shows who made them', async () => {
    const app = await connectApp(world, member);
    const { id } = await createTask(world.people.lead, project, { name: 'Original', priority: 'low' });
    await callTool(app.token, 'update_task', { updates: [{ id, name: 'By the app', priority: 'high' }] });
    await api(world.people.lead.token).patch(`/tasks/${id}`, { name: 'By the lead' });
    const steps = (await previewUndo(member, app)).body.steps;
    expect(steps).toMatchObject([
      { label: 'Name', outcome: 'kept', reason: `${world.people.lead.name} changed it later.` },
      { label: 'Priority', outcome: 'undo', reason: null },
    ]);
    expect((await undoApp(member, app)).body).toMatchObject({ undone: 1, kept: 1 });
    expect(await readTask(id)).toMatchObject({ name: 'By the lead', priority: 'low' });
    const events = await countEvents();
    expect((await undoApp(member, app)).body).toMatchObject({ undone: 0, kept: 1 });
    expect(await countEvents()).toBe(events);
  });

  it('restores a value that someone else entered between two changes by the app', async () => {
    const app = await connectApp(world, member);
    const { id } = await createTask(world.people.lead, project, { name: 'First' });
    await api(app.token).patch(`/tasks/${id}`, { name: 'App' });
    await api(world.people.lead.token).patch(`/tasks/${id}`, { name: 'Lead' });
    await api(app.token).patch(`/tasks/${id}`, { name: 'App again' });
    expect((await undoApp(member, app)).body).toMatchObject({ undone: 1 });
    expect((await readTask(id)).name).toBe('Lead');
  });

  it('archives new tasks with their subtasks, unless someone else has worked on them', async () => {
    const app = await connectApp(world, member);
    const createTaskAsApp = async (fields: object) =>
      (await api(app.token).post('/tasks', { projectId: project, ...fields })).body.id as number;
    const parent = await createTaskAsApp({ name: 'Parent' });
    const child = await createTaskAsApp({ name: 'Child', parentId: parent });
    const used = await createTaskAsApp({ name: 'Used' });
    await api(world.people.lead.token).post(`/tasks/${used}/comments`, { content: 'Thanks!' });
    const { body } = await undoApp(member, app);
    expect(body).toMatchObject({ undone: 2, kept: 1 });
    expect([await readTask(parent), await readTask(child), await readTask(used)]).toMatchObject([
      { isArchived: true },
      { isArchived: true },
      { isArchived: false },
    ]);
    // The subtask was archived with its parent, so restoring the parent restores it.
    await api(member.token).post(`/tasks/${parent}/unarchive`);
    expect((await readTask(child)).isArchived).toBe(false);
  });

  it('deletes new comments, and unarchives tasks before restoring their fields', async () => {
    const app = await connectApp(world, member);
    const { id } = await createTask(world.people.lead, project, { name: 'Old name' });
    await api(app.token).patch(`/tasks/${id}`, { name: 'New name' });
    for (const content of ['One', 'Two']) await api(app.token).post(`/tasks/${id}/comments`, { content });
    await api(app.token).post(`/tasks/${id}/archive`);
    expect((await undoApp(member, app)).body).toMatchObject({ hasMore: true });
    expect((await undoApp(member, app)).body).toMatchObject({ undone: 3, hasMore: false });
    expect(await readTask(id)).toMatchObject({ name: 'Old name', isArchived: false, comments: [] });
  });

  it("lists changes that can't be undone", async () => {
    const app = await connectApp(world, member);
    const { id } = await createTask(world.people.lead, project, { name: 'Checklist' });
    for (const name of ['One', 'Two'])
      await api(member.token).post('/tasks', { projectId: project, name, parentId: id });
    const { body: subtasks } = await api(member.token).get(`/tasks/${id}/subtasks`);
    const ids = subtasks.data.map((task: { id: number }) => task.id).toReversed();
    await api(app.token).post(`/tasks/${id}/subtasks/order`, { ids });
    const { body } = await previewUndo(member, app);
    expect(body.steps).toMatchObject([
      { task: id, name: 'Checklist', label: 'Subtasks', outcome: 'impossible' },
    ]);
    expect((await undoApp(member, app)).body).toMatchObject({ undone: 0, impossible: 1 });
  });

  it("keeps other apps' changes, and returns 404 to anyone but the person who connected the app", async () => {
    const [app, other] = [await connectApp(world, member), await connectApp(world, member)];
    const [{ id: one }, { id: two }] = [
      await createTask(world.people.lead, project, { name: 'One' }),
      await createTask(world.people.lead, project, { name: 'Two' }),
    ];
    await api(app.token).patch(`/tasks/${one}`, { name: 'One by the app' });
    await api(other.token).patch(`/tasks/${two}`, { name: 'Two by the other app' });
    await undoApp(member, app);
    expect([(await readTask(one)).name, (await readTask(two)).name]).toEqual(['One', 'Two by the other app']);
    for (const person of [world.people.owner, world.people.client]) {
      expect((await undoApp(person, other)).status).toBe(404);
      expect((await previewUndo(person, other)).status).toBe(404);
      expect((await runForm(person.token, listAppSessions, { app: other.app })).status).toBe(404);
    }
    expect((await readTask(two)).name).toBe('Two by the other app');
  });

  it('reverts one session, or all changes since a given time', async () => {
    const app = await connectApp(world, member);
    const { id } = await createTask(world.people.lead, project, { name: 'Zero' });
    await api(app.token).patch(`/tasks/${id}`, { name: 'One' });
    await getCell(world.cell)
      .prepare('UPDATE events SET occurred_at = occurred_at - 7200000 WHERE ws = ? AND credential = ?')
      .bind(world.no, app.app)
      .run();
    await api(app.token).patch(`/tasks/${id}`, { name: 'Two' });
    const { body } = await runForm(member.token, listAppSessions, { app: app.app });
    expect(body.data.map(({ changes }: { changes: number }) => changes)).toEqual([1, 1]);
    const [newest, oldest] = body.data;
    expect((await undoApp(member, app, { from: oldest.from, until: oldest.until })).body).toMatchObject({
      undone: 0,
      kept: 1,
    });
    const since = new Date(Date.now() - 60 * 60_000).toISOString().slice(0, 16);
    expect((await undoApp(member, app, { since })).body).toMatchObject({ undone: 1 });
    expect((await readTask(id)).name).toBe('One');
    await undoApp(member, app, { from: newest.from, until: newest.until });
    expect((await undoApp(member, app, { from: oldest.from, until: oldest.until })).body).toMatchObject({
      undone: 1,
    });
    expect((await readTask(id)).name).toBe('Zero');
  });

  it('takes several requests for a long session', async () => {
    const app = await connectApp(world, member);
    const ids: number[] = [];
    for (let made = 0; made < 3; made += 1) {
      const tasks = Array.from({ length: 100 }, (_, at) => ({ projectId: project, name: `Task ${at}` }));
      const { body } = await api(world.people.lead.token).post('/tasks/bulk', { tasks });
      ids.push(...body.data.map(({ task }: { task: { id: number } }) => task.id));
    }
    for (let at = 0; at < 300; at += 100)
      await api(app.token).patch('/tasks/bulk', { ids: ids.slice(at, at + 100), set: { priority: 'high' } });
    const first = (await undoApp(member, app)).body;
    expect(first).toMatchObject({ undone: 200, hasMore: false });
    expect((await undoApp(member, app, { before: first.next })).body).toMatchObject({
      undone: 100,
      next: null,
    });
    const { body } = await api(member.token).get(`/tasks?projectId=${project}&priority=high&search=Task`);
    expect(body.meta.total).toBe(0);
  });
});
