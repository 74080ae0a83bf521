import { beforeAll, describe, expect, it } from 'vitest';
import { undoTaskMoves } from '../../../src/tasks/bulk/undo-moves.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { api } from '../../support/api.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { runForm } from '../../support/forms.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import { createProject, createTask, createWorld, type World } from '../../support/world.ts';
import { createFilledTree } from '../trash/filled-tree.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});

const getIds = ({ body }: { body: { data: { id: number }[] } }) => body.data.map(({ id }) => id);
const moveTo = (token: string, id: number, projectId: number) =>
  api(token).post(`/tasks/${id}/move`, { projectId });

describe('moving a task', () => {
  it('moves its subtasks, comments, files, time, history, checklist and tags with it', async () => {
    const { people, projects } = world;
    const { owner, lead, member, client } = people;
    const tree = await createFilledTree(world);
    const requestParts = (id: number) =>
      ['comments', 'attachments', 'checklist'].map((part) => api(owner.token).get(`/tasks/${id}/${part}`));
    const readParts = async (id: number) => (await Promise.all(requestParts(id))).map(({ body }) => body);
    const before = await readParts(tree.root.id);
    const entries = (await api(member.token).get('/timer/entries')).body.data;
    const entryIds = (await api(owner.token).get(`/tasks/${tree.root.id}/activities`)).body.data;

    const moved = await moveTo(lead.token, tree.root.id, projects.other.id);
    expect(moved.status).toBe(200);
    expect(moved.body).toMatchObject({
      id: tree.root.id,
      project: { id: projects.other.id },
      tags: ['quartz'],
    });
    expect(moved.headers.get('ETag')).toBe(
      (await api(lead.token).get(`/tasks/${tree.root.id}`)).headers.get('ETag'),
    );

    expect(await readParts(tree.root.id)).toEqual(before);
    expect((await api(member.token).get('/timer/entries')).body.data).toMatchObject(
      entries.map((entry: { id: number }) => ({ id: entry.id, project: { id: projects.other.id } })),
    );
    const history = (await api(owner.token).get(`/tasks/${tree.root.id}/activities`)).body.data;
    expect(history[0]).toMatchObject({
      type: 'moved',
      field: 'project',
      from: String(projects.joined.id),
      to: String(projects.other.id),
      actor: { id: lead.userId },
    });
    expect(history.slice(1)).toEqual(entryIds);
    for (const id of tree.ids) {
      expect((await api(owner.token).get(`/tasks/${id}`)).body.project.id).toBe(projects.other.id);
    }
    const listIds = async (project: number) =>
      getIds(await api(owner.token).get(`/tasks?scope=all&projectId=${project}&limit=100`));
    expect(await listIds(projects.other.id)).toEqual(expect.arrayContaining([tree.root.id, tree.child.id]));
    expect(await listIds(projects.joined.id)).not.toEqual(expect.arrayContaining([tree.root.id]));
    const searchTasks = (project: number) =>
      api(owner.token).get(`/tasks?scope=all&search=quartz&projectId=${project}`);
    expect((await searchTasks(projects.other.id)).body.meta.total).toBe(3);
    expect((await searchTasks(projects.joined.id)).body.meta.total).toBe(0);
    const listComments = (project: number) =>
      api(owner.token).get(`/dashboard/comments?projectId=${project}`);
    expect((await listComments(projects.other.id)).body.meta.total).toBe(4);
    // The client is still assigned to the subtask, but can't see the other tasks.
    expect(getIds(await api(client.token).get('/tasks?scope=all'))).toEqual([tree.child.id]);
    expect(await findCounterDrift(world)).toEqual([]);
    expect(await findInconsistencies()).toEqual([]);
  });

  it("removes followers who can't see the new project, except the assignee", async () => {
    const { people, projects } = world;
    const { owner, lead, member, client } = people;
    const followed = await createTask(client, projects.joined.id, { assigneeId: member.userId });
    const assigned = await createTask(client, projects.joined.id, { assigneeId: client.userId });
    const listFollowers = async (id: number) =>
      (await api(owner.token).get(`/tasks/${id}`)).body.followers.map((each: { id: string }) => each.id);
    for (const { id } of [followed, assigned]) await moveTo(lead.token, id, projects.other.id);
    expect(await listFollowers(followed.id)).toEqual([member.userId]);
    expect(await listFollowers(assigned.id)).toEqual([client.userId]);
    expect((await api(client.token).get(`/tasks/${followed.id}`)).status).toBe(404);
    expect((await api(client.token).get(`/tasks/${assigned.id}`)).status).toBe(200);
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('removes a subtask from its parent', async () => {
    const { lead } = world.people;
    const parent = await createTask(lead, world.projects.joined.id);
    const child = await createTask(lead, world.projects.joined.id, { parentId: parent.id });
    await moveTo(lead.token, child.id, world.projects.other.id);
    const readStructure = async (id: number) =>
      (await api(lead.token).get(`/tasks/${id}?expand=structure`)).body;
    expect((await readStructure(child.id)).parent).toBeNull();
    expect((await readStructure(parent.id)).subtasks).toEqual({ total: 0, completed: 0 });
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('returns 200 and writes nothing if the task is already in the project', async () => {
    const { lead } = world.people;
    const task = await createTask(lead, world.projects.joined.id);
    const before = await readAllContents();
    const { status, body } = await moveTo(lead.token, task.id, world.projects.joined.id);
    expect([status, body.id]).toEqual([200, task.id]);
    expect(await readAllContents()).toEqual(before);
  });

  it('returns an error for archived, hidden and unknown tasks, hidden and unknown projects, and outdated ETags', async () => {
    const { lead, client, owner } = world.people;
    const { joined, other } = world.projects;
    const elsewhere = await createWorld();
    const task = await createTask(lead, joined.id);
    const hidden = await createTask(owner, other.id);
    const archived = await createTask(lead, joined.id);
    await api(lead.token).post(`/tasks/${archived.id}/archive`);
    const before = await readAllContents();
    const getMoveStatus = async (token: string, id: number, project: number) =>
      (await moveTo(token, id, project)).status;
    expect(await getMoveStatus(lead.token, archived.id, other.id)).toBe(400);
    expect(await getMoveStatus(client.token, task.id, other.id)).toBe(404);
    expect(await getMoveStatus(client.token, hidden.id, joined.id)).toBe(404);
    expect(await getMoveStatus(lead.token, task.id, elsewhere.projects.joined.id)).toBe(404);
    expect(await getMoveStatus(lead.token, 999_999_999, other.id)).toBe(404);
    const stale = await api(lead.token).post(
      `/tasks/${task.id}/move`,
      { projectId: other.id },
      { 'If-Match': '"99"' },
    );
    expect(stale.status).toBe(412);
    expect(await readAllContents()).toEqual(before);
  });

  it("logs an event in both projects, and the events omit a project that the reader can't see", async () => {
    const { lead, client, owner } = world.people;
    const { joined, other } = world.projects;
    const task = await createTask(lead, joined.id);
    const { nextAfter } = (await api(lead.token).get('/events')).body.meta;
    await moveTo(lead.token, task.id, other.id);
    const listNewEvents = async (token: string) =>
      (await api(token).get(`/events?after=${nextAfter}`)).body.data;
    const both = { from: { id: joined.id }, to: { id: other.id } };
    expect(await listNewEvents(owner.token)).toMatchObject([
      { type: 'task.moved', project: { id: joined.id }, changes: { project: both } },
      { type: 'task.moved', project: { id: other.id }, changes: { project: both } },
    ]);
    expect(await listNewEvents(client.token)).toMatchObject([
      {
        type: 'task.moved',
        project: { id: joined.id },
        changes: { project: { from: { id: joined.id }, to: { id: null } } },
      },
    ]);
  });

  it('loses no concurrent change to the task, and leaves the data consistent', async () => {
    const { lead, owner } = world.people;
    const { joined, other } = world.projects;
    const task = await createTask(lead, joined.id);
    const results = await Promise.all([
      moveTo(owner.token, task.id, other.id),
      api(lead.token).patch(`/tasks/${task.id}`, { status: 'completed', assigneeId: lead.userId }),
      api(lead.token).post('/tasks', { projectId: joined.id, name: 'Late', parentId: task.id }),
      api(lead.token).post(`/tasks/${task.id}/comments`, { content: 'Late' }),
    ]);
    expect(results.map(({ status }) => status).slice(0, 2)).toEqual([200, 200]);
    const { body } = await api(lead.token).get(`/tasks/${task.id}`);
    expect(body).toMatchObject({ project: { id: other.id }, status: 'completed' });
    expect(await findCounterDrift(world)).toEqual([]);
    expect(await findInconsistencies()).toEqual([]);
  });
});

describe('undoing a move', () => {
  it('returns the task to its original project and parent, but only for the person who moved it', async () => {
    const { lead, member } = world.people;
    const { joined, other } = world.projects;
    const parent = await createTask(lead, joined.id);
    const task = await createTask(lead, joined.id, { parentId: parent.id });
    await moveTo(member.token, task.id, other.id);
    expect((await runForm(lead.token, undoTaskMoves, { ids: [task.id], since: 0 })).status).toBe(400);
    expect((await runForm(member.token, undoTaskMoves, { ids: [task.id], since: 0 })).status).toBe(200);
    const { body } = await api(lead.token).get(`/tasks/${task.id}?expand=structure`);
    expect(body).toMatchObject({ project: { id: joined.id }, parent: { id: parent.id } });
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('returns an error once someone else has moved the task', async () => {
    const { lead, member } = world.people;
    const third = await createProject(world, { owner: lead, members: [member] });
    const task = await createTask(lead, world.projects.joined.id);
    await moveTo(member.token, task.id, world.projects.other.id);
    await moveTo(lead.token, task.id, third.id);
    expect((await runForm(member.token, undoTaskMoves, { ids: [task.id], since: 0 })).status).toBe(400);
  });
});
