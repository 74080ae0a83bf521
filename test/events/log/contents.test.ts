import { describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { createMeeting, createTask, createWorld } from '../../support/world.ts';
import { readAllEvents, readLatestSeq } from '../read-events.ts';

describe('an event', () => {
  it('contains the fields of a new task, or the old and new values of a change', async () => {
    const { people, projects } = await createWorld();
    const { lead, member } = people;
    const task = await createTask(lead, projects.joined.id, {
      name: 'Plan the launch',
      assigneeId: member.userId,
      deadline: '2026-12-24',
    });
    await api(lead.token).patch(`/tasks/${task.id}`, {
      status: 'in_progress',
      assigneeId: lead.userId,
      deadline: null,
      description: 'long',
    });
    const [created, updated, ...more] = await readAllEvents(lead);
    expect(more).toEqual([]);
    const about = { project: { id: projects.joined.id }, task: { id: task.id }, via: 'session' };
    const actor = { id: lead.userId, name: lead.name };
    expect(created).toMatchObject({ type: 'task.created', seq: 1, actor, ...about });
    expect(created?.changes).toEqual({
      name: { from: null, to: 'Plan the launch' },
      status: { from: null, to: 'todo' },
      priority: { from: null, to: 'medium' },
      assignee: { from: null, to: { id: member.userId, name: member.name } },
      deadline: { from: null, to: '2026-12-24' },
    });
    expect(updated).toMatchObject({ type: 'task.updated', seq: 2, actor, ...about });
    expect(updated?.changes).toEqual({
      status: { from: 'todo', to: 'in_progress' },
      assignee: {
        from: { id: member.userId, name: member.name },
        to: { id: lead.userId, name: lead.name },
      },
      description: null,
      deadline: { from: '2026-12-24', to: null },
    });
    expect(created?.id).not.toBe(updated?.id);
  });

  it('identifies comments, copied tasks, meetings and time entries by id', async () => {
    const { people, projects } = await createWorld();
    const { lead } = people;
    const { id } = await createTask(lead, projects.joined.id);
    const { body: comment } = await api(lead.token).post(`/tasks/${id}/comments`, { content: 'Hello' });
    await api(lead.token).patch(`/tasks/${id}/comments/${comment.id}`, { content: 'Hello you' });
    await api(lead.token).delete(`/tasks/${id}/comments/${comment.id}`);
    const { body: copy } = await api(lead.token).post(`/tasks/${id}/duplicate`);
    const meeting = await createMeeting(lead, projects.joined.id, { date: '2031-05-05', time: '10:00' });
    await api(lead.token).patch(`/meetings/${meeting.id}`, { time: '11:00' });
    await api(lead.token).delete(`/meetings/${meeting.id}`);
    await api(lead.token).post('/timer/start', { taskId: id });
    const { body: entry } = await api(lead.token).post('/timer/stop');
    await api(lead.token).post(`/tasks/${id}/archive`);
    await api(lead.token).post(`/tasks/${id}/unarchive`);
    const events = (await readAllEvents(lead)).filter(({ seq }) => seq > 1);
    expect(events.map(({ type }) => type)).toEqual([
      'comment.created',
      'comment.updated',
      'comment.deleted',
      'task.duplicated',
      'task.created',
      'meeting.created',
      'task.updated',
      'meeting.updated',
      'meeting.cancelled',
      'time_entry.started',
      'time_entry.stopped',
      'task.archived',
      'task.unarchived',
    ]);
    const findEvent = (type: string) => events.find((event) => event.type === type);
    for (const what of ['created', 'updated', 'deleted'])
      expect(findEvent(`comment.${what}`)).toMatchObject({ comment: { id: comment.id }, task: { id } });
    expect(findEvent('task.duplicated')).toMatchObject({ task: { id: copy.id }, copiedFrom: { id } });
    expect(findEvent('meeting.updated')).toMatchObject({
      meeting: { id: meeting.id },
      changes: { time: { from: '10:00', to: '11:00' } },
    });
    expect(findEvent('time_entry.stopped')).toMatchObject({
      timeEntry: { id: entry.id },
      changes: { endTime: { from: null, to: entry.endTime } },
    });
    expect(findEvent('task.archived')?.changes).toEqual({ isArchived: { from: false, to: true } });
  });

  it("isn't logged for a rejected or empty change", async () => {
    const { people, projects } = await createWorld();
    const { id } = await createTask(people.lead, projects.joined.id);
    const before = await readLatestSeq(people.lead);
    expect((await api(people.lead.token).patch(`/tasks/${id}`, { status: 'wrong' })).status).toBe(400);
    await api(people.lead.token).patch(`/tasks/${id}`, { status: 'todo' });
    await api(people.lead.token).post(`/tasks/${id}/unarchive`);
    expect(await readLatestSeq(people.lead)).toBe(before);
  });
});
