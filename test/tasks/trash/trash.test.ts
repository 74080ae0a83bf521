// This file is long because a deleted task must disappear from every response, and come back unchanged in every
// response.
import { beforeAll, describe, expect, it } from 'vitest';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { api } from '../../support/api.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { runCron } from '../../support/cron.ts';
import { getCell } from '../../support/env.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import { createTask, createWorld, type Person, type World } from '../../support/world.ts';
import { createLeaverWorld, type LeaverWorld, listPaths } from '../../workspaces/directory/leaver-world.ts';
import { createFilledTree } from './filled-tree.ts';

/** Requests the inbox and the paths of `listPaths`, except events and downloads, as each person. */
async function readAllResponses(stay: LeaverWorld): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const reader of Object.values(stay.world.people)) {
    for (const path of [...listPaths(stay), '/notifications?limit=100', '/notifications/count']) {
      if (path.startsWith('/events') || path.endsWith('download')) continue;
      const { status, body } = await api(reader.token).get(path);
      found[`${reader.role} ${path}`] = { status, body };
    }
  }
  return found;
}

const getIds = ({ body }: { body: { data: { id: number }[] } }) => body.data.map(({ id }) => id);

describe('a deleted task', () => {
  it('disappears for everyone together with its subtasks, and comes back unchanged when it is restored', async () => {
    const stay = await createLeaverWorld();
    const { world } = stay;
    const { people } = world;
    for (const { token } of Object.values(people)) await api(token).post('/timer/stop');
    const before = await readAllResponses(stay);
    const tree = await createFilledTree(world);
    const used = (await getCell(world.cell)
      .prepare('SELECT used FROM storage WHERE ws = ?')
      .bind(world.no)
      .first()) as { used: number };
    await api(people.client.token).post('/timer/stop');
    const filled = await readAllResponses(stay);
    expect(filled).not.toEqual(before);
    const download = await api(people.member.token).get(
      `/tasks/${tree.root.id}/attachments/${tree.file.id}/download`,
    );
    expect(download.status).toBe(200);

    const deleted = await api(people.lead.token).delete(`/tasks/${tree.root.id}`);
    expect([deleted.status, deleted.body]).toEqual([200, { success: true }]);
    const after = await readAllResponses(stay);
    for (const [name, was] of Object.entries(before)) expect(after[name], name).toEqual(was);
    expect(await findCounterDrift(world)).toEqual([]);
    expect(await findInconsistencies()).toEqual([]);
    const stored = await getCell(world.cell)
      .prepare('SELECT used FROM storage WHERE ws = ?')
      .bind(world.no)
      .first();
    expect(stored).toEqual(used);
    for (const { token } of Object.values(people)) {
      const call = api(token);
      expect((await call.get('/tasks?scope=all&search=quartz')).body.meta.total).toBe(0);
      expect((await call.get('/tasks?scope=all&tags=quartz')).body.meta.total).toBe(0);
      expect((await call.get('/dashboard/comments?search=quartz')).body.meta.total).toBe(0);
      expect((await call.get('/notifications?limit=100')).text).not.toContain('uartz');
      for (const id of tree.ids) {
        expect((await call.get(`/tasks/${id}`)).status).toBe(404);
        for (const part of ['comments', 'activities', 'attachments', 'subtasks', 'checklist']) {
          expect((await call.get(`/tasks/${id}/${part}`)).status).toBe(404);
        }
      }
    }
    expect((await fetch(download.body.url ?? download.body.downloadUrl)).status).toBe(404);

    const restored = await api(people.lead.token).post(`/tasks/${tree.root.id}/restore`);
    expect(restored.status).toBe(200);
    expect(restored.body).toMatchObject({ id: tree.root.id, name: 'quartz root' });
    const again = await readAllResponses(stay);
    const changed = /"(?:updatedAt)"/;
    for (const [name, was] of Object.entries(filled)) {
      if (changed.test(JSON.stringify(was))) continue;
      expect(again[name], name).toEqual(was);
    }
    expect(await findCounterDrift(world)).toEqual([]);
    expect(await findInconsistencies()).toEqual([]);
    const { body } = await api(people.lead.token).get(`/tasks/${tree.root.id}/activities`);
    expect(body.data.slice(0, 2)).toMatchObject([{ type: 'restored' }, { type: 'deleted' }]);
    expect((await api(people.lead.token).get('/tasks?scope=all&search=quartz')).body.meta.total).toBe(3);
  });
});

describe('deleting a task', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });

  it.each(['owner', 'admin', 'lead', 'member', 'client'] as const)(
    'is allowed for owners, admins and the project lead (role: %s)',
    async (role) => {
      const person = world.people[role];
      const task = await createTask(world.people.lead, world.projects.joined.id, {
        assigneeId: person.userId,
      });
      const may = role !== 'member' && role !== 'client';
      const before = await readAllContents();
      const { status, body } = await api(person.token).delete(`/tasks/${task.id}`);
      expect(status).toBe(may ? 200 : 403);
      if (may) {
        expect((await api(person.token).delete(`/tasks/${task.id}`)).status).toBe(404);
        return;
      }
      expect(body.error.message).toContain('Only the project lead');
      expect(await readAllContents()).toEqual(before);
    },
  );

  it("isn't allowed for the lead of another project", async () => {
    const { owner, lead } = world.people;
    const task = await createTask(owner, world.projects.other.id);
    expect((await api(lead.token).delete(`/tasks/${task.id}`)).status).toBe(403);
  });

  it('works for archived tasks, and returns 404 for unknown tasks and tasks in other workspaces', async () => {
    const { lead } = world.people;
    const elsewhere = await createWorld();
    const foreign = await createTask(elsewhere.people.lead, elsewhere.projects.joined.id);
    const task = await createTask(lead, world.projects.joined.id);
    await api(lead.token).post(`/tasks/${task.id}/archive`);
    expect((await api(lead.token).delete(`/tasks/${task.id}`)).status).toBe(200);
    for (const id of [task.id, foreign.id, 999_999_999]) {
      expect((await api(lead.token).delete(`/tasks/${id}`)).status).toBe(404);
    }
    const restored = await api(lead.token).post(`/tasks/${task.id}/restore`);
    expect([restored.status, restored.body.isArchived]).toEqual([200, true]);
    expect((await api(lead.token).post(`/tasks/${task.id}/unarchive`)).body.isArchived).toBe(false);
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('stops all running timers on the task and its subtasks', async () => {
    const { lead, member, client } = world.people;
    const root = await createTask(lead, world.projects.joined.id);
    const child = await createTask(lead, world.projects.joined.id, { parentId: root.id });
    await api(member.token).post('/timer/start', { taskId: root.id });
    await api(client.token).post('/timer/start', { taskId: child.id });
    await api(lead.token).delete(`/tasks/${root.id}`);
    for (const { token } of [member, client]) {
      expect((await api(token).get('/timer/current')).body).toBeNull();
      expect(getIds(await api(token).get('/timer/entries'))).toEqual([]);
    }
    await api(lead.token).post(`/tasks/${root.id}/restore`);
    for (const { token } of [member, client]) {
      const [entry] = (await api(token).get('/timer/entries')).body.data;
      expect(entry.endTime).not.toBeNull();
    }
    expect(await findInconsistencies()).toEqual([]);
  });

  it("logs one event per task, with the task's name", async () => {
    const { lead } = world.people;
    const root = await createTask(lead, world.projects.joined.id, { name: 'Root' });
    const child = await createTask(lead, world.projects.joined.id, { name: 'Child', parentId: root.id });
    const { nextAfter } = (await api(lead.token).get('/events')).body.meta;
    await api(lead.token).delete(`/tasks/${root.id}`);
    await api(lead.token).post(`/tasks/${root.id}/restore`);
    const { data } = (await api(lead.token).get(`/events?after=${nextAfter}`)).body;
    expect(data).toMatchObject([
      { type: 'task.deleted', task: { id: root.id }, changes: { name: { from: 'Root', to: null } } },
      { type: 'task.deleted', task: { id: child.id }, changes: { name: { from: 'Child', to: null } } },
      { type: 'task.restored', task: { id: root.id }, project: { id: world.projects.joined.id } },
      { type: 'task.restored', task: { id: child.id } },
    ]);
  });

  it("decreases the parent's subtask count, and restoring increases it again", async () => {
    const { lead } = world.people;
    const parent = await createTask(lead, world.projects.joined.id);
    const child = await createTask(lead, world.projects.joined.id, {
      parentId: parent.id,
      status: 'completed',
    });
    const readSubtaskCounts = async () =>
      (await api(lead.token).get(`/tasks/${parent.id}?expand=structure`)).body.subtasks;
    await api(lead.token).delete(`/tasks/${child.id}`);
    expect(await readSubtaskCounts()).toEqual({ total: 0, completed: 0 });
    expect(getIds(await api(lead.token).get(`/tasks/${parent.id}/subtasks`))).toEqual([]);
    const restored = await api(lead.token).post(`/tasks/${child.id}/restore`);
    expect(restored.status).toBe(200);
    expect(await readSubtaskCounts()).toEqual({ total: 1, completed: 1 });
    expect(await findCounterDrift(world)).toEqual([]);
  });
});

describe('restoring a task', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });

  const createTaskAs = (person: Person, fields = {}) => createTask(person, world.projects.joined.id, fields);

  it.each([
    ['deleted', async (person: Person, id: number) => api(person.token).delete(`/tasks/${id}`)],
    ['archived', async (person: Person, id: number) => api(person.token).post(`/tasks/${id}/archive`)],
    [
      'moved',
      async (person: Person, id: number) =>
        api(person.token).post(`/tasks/${id}/move`, { projectId: world.projects.other.id }),
    ],
  ] as const)("doesn't return a subtask to a parent that has since been %s", async (_, change) => {
    const { lead, owner } = world.people;
    const parent = await createTaskAs(lead);
    const child = await createTaskAs(lead, { parentId: parent.id });
    await api(lead.token).delete(`/tasks/${child.id}`);
    expect((await change(owner, parent.id)).status).toBe(200);
    expect((await api(lead.token).post(`/tasks/${child.id}/restore`)).status).toBe(200);
    const { body } = await api(lead.token).get(`/tasks/${child.id}?expand=structure`);
    expect(body.parent).toBeNull();
    expect(await findCounterDrift(world)).toEqual([]);
    expect(await findInconsistencies()).toEqual([]);
  });

  it('works only once, only for people who may delete the task, and never for a subtask without its parent', async () => {
    const { lead, member, owner, client } = world.people;
    const root = await createTaskAs(lead);
    const child = await createTaskAs(lead, { parentId: root.id });
    await api(lead.token).delete(`/tasks/${root.id}`);
    const before = await readAllContents();
    for (const person of [member, client]) {
      expect((await api(person.token).post(`/tasks/${root.id}/restore`)).status).toBe(404);
      expect((await api(person.token).get('/tasks/trash')).body.meta.total).toBe(0);
    }
    expect((await api(lead.token).post(`/tasks/${child.id}/restore`)).status).toBe(404);
    expect(
      (await api(lead.token).post(`/tasks/${root.id}/move`, { projectId: world.projects.other.id })).status,
    ).toBe(404);
    expect(await readAllContents()).toEqual(before);
    const trash = await api(owner.token).get('/tasks/trash?limit=1');
    expect(trash.body.data).toMatchObject([
      {
        id: root.id,
        project: { id: world.projects.joined.id },
        deletedBy: { id: lead.userId, name: lead.name },
      },
    ]);
    expect((await api(owner.token).post(`/tasks/${root.id}/restore`)).status).toBe(200);
    expect((await api(owner.token).post(`/tasks/${root.id}/restore`)).status).toBe(404);
    expect((await api(owner.token).get(`/tasks/${child.id}`)).status).toBe(200);
  });

  it('makes the task block other tasks again', async () => {
    const { lead } = world.people;
    const [blocker, blocked] = [await createTaskAs(lead), await createTaskAs(lead)];
    await api(lead.token).post(`/tasks/${blocker.id}/relations`, { type: 'blocks', taskId: blocked.id });
    const isBlocked = async () =>
      (await api(lead.token).get(`/tasks/${blocked.id}?expand=structure`)).body.isBlocked;
    expect(await isBlocked()).toBe(true);
    await api(lead.token).delete(`/tasks/${blocker.id}`);
    expect(await isBlocked()).toBe(false);
    expect((await api(lead.token).get(`/tasks/${blocked.id}/relations`)).body.data).toEqual([]);
    expect(await findInconsistencies()).toEqual([]);
    await api(lead.token).post(`/tasks/${blocker.id}/restore`);
    expect(await isBlocked()).toBe(true);
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('resumes a recurrence that was paused in the trash', async () => {
    const { lead } = world.people;
    const task = await createTaskAs(lead, { name: 'Recurring', deadline: '2026-01-01' });
    await api(lead.token).put(`/tasks/${task.id}/recurrence`, { rule: 'FREQ=DAILY', mode: 'schedule' });
    await api(lead.token).delete(`/tasks/${task.id}`);
    await runCron('* * * * *');
    const countTasks = async () =>
      (await api(lead.token).get('/tasks?scope=all&search=Recurring')).body.meta.total;
    expect(await countTasks()).toBe(0);
    expect(await findInconsistencies()).toEqual([]);
    await api(lead.token).post(`/tasks/${task.id}/restore`);
    expect(await findInconsistencies()).toEqual([]);
    await runCron('* * * * *');
    expect(await countTasks()).toBeGreaterThan(1);
  });

  it("returns the task's ETag", async () => {
    const { lead } = world.people;
    const task = await createTaskAs(lead);
    await api(lead.token).delete(`/tasks/${task.id}`);
    const restored = await api(lead.token).post(`/tasks/${task.id}/restore`);
    const reread = await api(lead.token).get(`/tasks/${task.id}`);
    expect(restored.headers.get('ETag')).toBe(reread.headers.get('ETag'));
  });
});
