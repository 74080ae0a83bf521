import { describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { createTask, createWorld } from '../../support/world.ts';

describe('PATCH /tasks/:id', () => {
  it('changes the fields that are sent, clears them if they are null, and keeps the others', async () => {
    const world = await createWorld();
    const { member, lead } = world.people;
    const task = await createTask(member, world.projects.joined.id, {
      description: '<p>a</p>',
      deadline: '2026-05-01',
      startDate: '2026-04-01',
      customEstimatedHours: '3',
      assigneeId: lead.userId,
    });
    const changed = await api(member.token).patch(`/tasks/${task.id}`, {
      name: 'Renamed',
      status: 'completed',
      deadline: null,
      description: null,
      startDate: null,
      customEstimatedHours: null,
      assigneeId: null,
    });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      name: 'Renamed',
      status: 'completed',
      priority: 'medium',
      deadline: null,
      description: null,
      startDate: null,
      customEstimatedHours: null,
      assignee: null,
    });
    expect(changed.body.followers).toHaveLength(2);
  });

  it('writes and records nothing if nothing changes', async () => {
    const world = await createWorld();
    const { member } = world.people;
    const task = await createTask(member, world.projects.joined.id, { priority: 'high' });
    for (const body of [{}, { priority: 'high' }, { name: task.name, assigneeId: null }]) {
      const answer = await api(member.token).patch(`/tasks/${task.id}`, body);
      expect([answer.status, answer.body, answer.cost.rowsWritten]).toEqual([200, task, 0]);
    }
    expect((await api(member.token).get(`/tasks/${task.id}/activities`)).body.meta.total).toBe(1);
  });

  it('records one history entry per changed field, with the source and, except for descriptions, the values', async () => {
    const world = await createWorld();
    const { member, lead } = world.people;
    const task = await createTask(member, world.projects.joined.id);
    await api(member.token).patch(`/tasks/${task.id}`, {
      name: 'B',
      status: 'in_progress',
      priority: 'low',
      assigneeId: lead.userId,
      startDate: '2026-01-01',
      deadline: '2026-01-31',
      customEstimatedHours: '1.5',
      description: 'text',
    });
    const { body } = await api(member.token).get(`/tasks/${task.id}/activities`);
    const entries = body.data.map((each: Record<string, unknown>) => [each.type, each.from, each.to]);
    expect(new Set(entries.map(String))).toEqual(
      new Set(
        [
          ['created', null, null],
          ['status_changed', 'todo', 'in_progress'],
          ['assignee_changed', null, lead.userId],
          ['priority_changed', 'medium', 'low'],
          ['name_changed', 'A task', 'B'],
          ['start_date_changed', null, '2026-01-01'],
          ['deadline_changed', null, '2026-01-31'],
          ['estimate_changed', null, '1.5'],
          ['description_changed', null, null],
        ].map(String),
      ),
    );
    const ids = body.data.map((each: { id: number }) => each.id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect(body.data.every((each: { via: string }) => each.via === 'session')).toBe(true);
  });

  it('notifies the followers and the new assignee, but never the person who made the change', async () => {
    const world = await createWorld();
    const { member, lead, admin } = world.people;
    const task = await createTask(member, world.projects.joined.id, { assigneeId: lead.userId });
    await api(lead.token).put('/notifications/read-all');
    await api(lead.token).patch(`/tasks/${task.id}`, { status: 'in_progress', assigneeId: admin.userId });
    const listNotificationTypes = async (token: string) =>
      (await api(token).get('/notifications?unreadOnly=true')).body.data.map(
        (each: { type: string }) => each.type,
      );
    expect(await listNotificationTypes(member.token)).toEqual(['task_status_changed']);
    expect(await listNotificationTypes(admin.token)).toEqual(['task_assigned']);
    expect(await listNotificationTypes(lead.token)).toEqual([]);
  });

  it('rejects a new project or id, an unknown assignee, and null for a required value', async () => {
    const world = await createWorld();
    const { member } = world.people;
    const task = await createTask(member, world.projects.joined.id);
    for (const body of [
      { projectId: 5 },
      { id: 5 },
      { assigneeId: 'usr_nobody' },
      { name: null },
      { status: null },
    ]) {
      const answer = await api(member.token).patch(`/tasks/${task.id}`, body);
      expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
    }
    expect((await api(member.token).get(`/tasks/${task.id}`)).body).toEqual(task);
  });

  it('keeps the changes that parallel requests make to the same task', async () => {
    const world = await createWorld();
    const { member } = world.people;
    const task = await createTask(member, world.projects.joined.id);
    const changes = [
      { name: 'B' },
      { priority: 'high' },
      { deadline: '2026-03-03' },
      { status: 'completed' },
    ];
    const answers = await Promise.all(
      changes.map((body) => api(member.token).patch(`/tasks/${task.id}`, body)),
    );
    expect(answers.map((each) => each.status)).toEqual([200, 200, 200, 200]);
    const { body } = await api(member.token).get(`/tasks/${task.id}`);
    expect(body).toMatchObject({ name: 'B', priority: 'high', deadline: '2026-03-03', status: 'completed' });
  });
});

describe('an archived task', () => {
  it("can't be changed until it is unarchived", async () => {
    const world = await createWorld();
    const { member } = world.people;
    const { id } = await createTask(member, world.projects.joined.id);
    const me = api(member.token);
    expect((await me.post(`/tasks/${id}/archive`)).body.isArchived).toBe(true);
    expect((await me.post(`/tasks/${id}/archive`)).status).toBe(200);
    for (const rejected of [
      await me.patch(`/tasks/${id}`, { name: 'B' }),
      await me.patch(`/tasks/${id}`, {}),
      await me.post(`/tasks/${id}/comments`, { content: 'B' }),
    ]) {
      expect([rejected.status, rejected.body.error.code]).toEqual([400, 'invalid_request']);
      expect(rejected.body.error.message).toContain(`POST /v1/tasks/${id}/unarchive`);
    }
    const listTasks = (query: string) => me.get(`/tasks?${query}`).then((answer) => answer.body.meta.total);
    expect([
      await listTasks(''),
      await listTasks('isArchived=true'),
      await listTasks('isArchived=false'),
    ]).toEqual([0, 1, 0]);
    expect((await me.post(`/tasks/${id}/unarchive`)).body.isArchived).toBe(false);
    expect((await me.post(`/tasks/${id}/unarchive`)).status).toBe(200);
    expect((await me.patch(`/tasks/${id}`, { name: 'B' })).status).toBe(200);
    const { body } = await me.get(`/tasks/${id}/activities`);
    expect(body.data.map((each: { type: string }) => each.type)).toEqual([
      'name_changed',
      'unarchived',
      'archived',
      'created',
    ]);
  });
});

describe('POST /tasks/:id/duplicate', () => {
  it('copies the fields and the followers, and schedules the copy in the next free hour', async () => {
    const world = await createWorld();
    const { member, lead, client } = world.people;
    const task = await createTask(member, world.projects.joined.id, {
      description: '<p>x</p>',
      priority: 'high',
      assigneeId: lead.userId,
      deadline: '2026-03-03',
    });
    await api(client.token).post(`/tasks/${task.id}/comments`, { content: 'I follow' });
    const first = await api(client.token).post(`/tasks/${task.id}/duplicate`);
    const second = await api(client.token).post(`/tasks/${task.id}/duplicate`);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(first.body).toMatchObject({
      name: 'A task (copy)',
      description: '<p>x</p>',
      priority: 'high',
      assignee: { id: lead.userId },
      deadline: '2026-03-03',
      scheduledTime: '09:00',
      comments: [],
      createdBy: { id: client.userId },
    });
    expect(second.body.scheduledTime).toBe('10:00');
    const followers = first.body.followers.map((each: { id: string }) => each.id);
    expect(new Set(followers)).toEqual(new Set([member.userId, lead.userId, client.userId]));
    const { body } = await api(member.token).get(`/tasks/${first.body.id}/activities`);
    expect(body.data.map((each: { type: string }) => each.type)).toEqual(['duplicated']);
  });

  it('gives parallel copies different times, and no time once the day is full', async () => {
    const world = await createWorld();
    const { member } = world.people;
    const fields = { assigneeId: member.userId, deadline: '2026-03-03' };
    const task = await createTask(member, world.projects.joined.id, fields);
    const hours: (string | null)[] = [];
    for (let round = 0; round < 5; round += 1) {
      const copies = await Promise.all(
        [0, 1].map(() => api(member.token).post(`/tasks/${task.id}/duplicate`)),
      );
      hours.push(...copies.map((each) => each.body.scheduledTime));
    }
    const taken = hours.filter((hour) => hour !== null);
    expect(taken).toHaveLength(9);
    expect(new Set(taken).size).toBe(9);
  });

  it('creates an unarchived copy of an archived task, without a time if there is no assignee', async () => {
    const world = await createWorld();
    const { member } = world.people;
    const task = await createTask(member, world.projects.joined.id, { deadline: '2026-03-03' });
    await api(member.token).post(`/tasks/${task.id}/archive`);
    const copy = await api(member.token).post(`/tasks/${task.id}/duplicate`);
    expect(copy.body).toMatchObject({ isArchived: false, scheduledTime: null, deadline: '2026-03-03' });
  });
});
