// This file is long because every change to a meeting also affects its tasks, counters and notifications.
import { describe, expect, it } from 'vitest';
import { actBeforeBatch } from '../../support/act-before-batch.ts';
import { api } from '../../support/api.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { getCell } from '../../support/env.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import { createWorld, type Person } from '../../support/world.ts';
import {
  createMeeting,
  generateMeetingsAt,
  listMeetingTasks,
  runSql,
  WEEKLY_RULE,
} from '../meeting-fixtures.ts';

const listNotifications = async (person: Person) =>
  (await api(person.token).get('/notifications')).body.data.map((each: { type: string }) => each.type);

describe('PATCH /meetings/{id}', () => {
  it("moves the meeting and every participant's task, including archived tasks", async () => {
    const world = await createWorld();
    const { lead, member, client } = world.people;
    const meeting = await createMeeting(world, {
      participantIds: [lead.userId, member.userId, client.userId],
    });
    await api(client.token).post(`/tasks/${meeting.participants[2].taskId}/archive`);
    const answer = await api(member.token).patch(`/meetings/${meeting.id}`, {
      date: '2026-07-01',
      time: '16:45',
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ...meeting, date: '2026-07-01', time: '16:45' });
    for (const task of await listMeetingTasks(world, meeting.id)) {
      expect(task).toMatchObject({ due: '2026-07-01', scheduled_time: '16:45' });
      const { body } = await api(lead.token).get(`/tasks/${task.id}/activities`);
      expect(body.data[0]).toMatchObject({
        type: 'deadline_changed',
        field: 'deadline',
        from: meeting.date,
        to: '2026-07-01',
        actor: { id: member.userId },
        via: 'session',
      });
    }
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('keeps the time if only the date is sent, and vice versa', async () => {
    const world = await createWorld();
    const me = api(world.people.lead.token);
    const { id, date, time } = await createMeeting(world);
    const [before] = await listMeetingTasks(world, id);
    expect((await me.patch(`/meetings/${id}`, { time: '10:00' })).body).toMatchObject({
      date,
      time: '10:00',
    });
    const [retimed] = await listMeetingTasks(world, id);
    expect(retimed).toMatchObject({
      due: date,
      scheduled_time: '10:00',
      activity_count: before?.activity_count,
    });
    expect(retimed?.version).toBe((before?.version ?? 0) + 1);
    expect((await me.patch(`/meetings/${id}`, { date: '2026-12-31' })).body).toMatchObject({
      date: '2026-12-31',
      time: '10:00',
    });
    expect(time).toBe('09:00');
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('keeps the counters correct, even if tasks are overdue or their deadlines were changed before', async () => {
    const world = await createWorld();
    await runSql(world, "UPDATE workspaces SET past_cutoff = '2026-03-05' WHERE no = ?", world.no);
    const me = api(world.people.lead.token);
    const { id, participants } = await createMeeting(world, { date: '2026-03-10' });
    await me.patch(`/tasks/${participants[0].taskId}`, { deadline: '2026-03-01', status: 'completed' });
    await me.patch(`/tasks/${participants[1].taskId}`, { deadline: null, assigneeId: null });
    for (const date of ['2026-03-01', '2026-03-12', '2026-03-05', '2026-03-04']) {
      expect((await me.patch(`/meetings/${id}`, { date })).body.date).toBe(date);
      expect(await findCounterDrift(world)).toEqual([]);
    }
    expect((await listMeetingTasks(world, id)).map((task) => task.due)).toEqual(['2026-03-04', '2026-03-04']);
  });

  it('sets and clears the link and location without changing any task', async () => {
    const world = await createWorld();
    const me = api(world.people.lead.token);
    const { id } = await createMeeting(world, { location: 'Room 4', meetingLink: 'https://example.com' });
    const tasks = await listMeetingTasks(world, id);
    const changed = await me.patch(`/meetings/${id}`, { location: null, meetingLink: 'https://example.org' });
    expect(changed.body).toMatchObject({ location: null, meetingLink: 'https://example.org' });
    expect((await me.patch(`/meetings/${id}`, { meetingLink: null })).body.meetingLink).toBeNull();
    expect(await listMeetingTasks(world, id)).toEqual(tasks);
  });

  it('notifies every participant except the person who made the change, each about their own task', async () => {
    const world = await createWorld();
    const { lead, member } = world.people;
    const { id, participants } = await createMeeting(world);
    await api(lead.token).patch(`/meetings/${id}`, { location: 'Room 5' });
    const { body } = await api(member.token).get('/notifications?limit=1');
    expect(body.data).toMatchObject([
      {
        type: 'meeting_updated',
        task: { id: participants[1].taskId },
        project: world.projects.joined,
        actor: { id: lead.userId },
      },
    ]);
    expect(await listNotifications(lead)).toEqual([]);
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('writes nothing if no value changes', async () => {
    const world = await createWorld();
    const { id, date, time } = await createMeeting(world, { location: 'Room 4' });
    const before = await readAllContents();
    const same = { date, time, location: 'Room 4', meetingLink: null };
    const answer = await api(world.people.lead.token).patch(`/meetings/${id}`, same);
    expect([answer.status, answer.cost.rowsWritten]).toEqual([200, 0]);
    expect(await readAllContents()).toEqual(before);
  });

  it('rejects an empty change, read-only fields and invalid values', async () => {
    const world = await createWorld();
    const me = api(world.people.lead.token);
    const { id } = await createMeeting(world);
    const before = await readAllContents();
    for (const [body, message] of [
      [{}, 'at least one of date, time, meetingLink and location'],
      [{ name: 'Other' }, "unknown field 'name'"],
      [{ participantIds: [] }, "unknown field 'participantIds'"],
      [{ date: null }, 'date must be a string'],
      [{ date: '2026-02-30' }, 'date must be a real date'],
      [{ time: null }, 'time must be a string'],
      [{ time: '24:00' }, 'time must be'],
      [{ meetingLink: 'ftp://example.com' }, 'meetingLink must be a URL'],
      [{ location: 'x'.repeat(201) }, 'at most 200 characters'],
    ] as const) {
      const answer = await me.patch(`/meetings/${id}`, body);
      expect([answer.status, answer.body.error.code], message).toEqual([400, 'invalid_request']);
      expect(answer.body.error.message).toContain(message);
      expect((await me.patch('/meetings/999999999', body)).status).toBe(400);
    }
    expect(await readAllContents()).toEqual(before);
  });

  it("returns 403 to people who can see the meeting but aren't in the project", async () => {
    const world = await createWorld();
    const { owner, admin, lead } = world.people;
    const here = await createMeeting(world);
    const there = await createMeeting(
      world,
      { projectId: world.projects.other.id, participantIds: [owner.userId] },
      admin,
    );
    const before = await readAllContents();
    for (const [person, { id }] of [
      [owner, here],
      [admin, here],
      [lead, there],
    ] as const) {
      const answer = await api(person.token).patch(`/meetings/${id}`, { location: 'x' });
      expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden']);
    }
    expect(await readAllContents()).toEqual(before);
  });

  it("doesn't change past occurrences of a recurring meeting", async () => {
    const world = await createWorld();
    const { lead } = world.people;
    const { id } = await createMeeting(world, { recurrence: WEEKLY_RULE });
    await generateMeetingsAt('2026-03-02T09:00:00Z');
    const past = (await listMeetingTasks(world, id)).filter((task) => task.occurrence === 1);
    const changed = await api(lead.token).patch(`/meetings/${id}`, { date: '2026-03-10', time: '11:00' });
    expect(changed.body).toMatchObject({ date: '2026-03-10', time: '11:00' });
    const tasks = await listMeetingTasks(world, id);
    expect(tasks.filter((task) => task.occurrence === 1)).toEqual(past);
    expect(tasks.filter((task) => task.occurrence === 2)).toMatchObject([
      { due: '2026-03-10', scheduled_time: '11:00' },
      { due: '2026-03-10', scheduled_time: '11:00' },
    ]);
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('keeps concurrent changes to different fields, with correct counters', async () => {
    const world = await createWorld();
    const { id } = await createMeeting(world);
    const { lead, member } = world.people;
    const answers = await Promise.all([
      api(lead.token).patch(`/meetings/${id}`, { date: '2026-05-05' }),
      api(member.token).patch(`/meetings/${id}`, { time: '15:00' }),
      api(lead.token).patch(`/meetings/${id}`, { location: 'Room 9' }),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    const { body } = await api(lead.token).get(`/meetings/${id}`);
    expect(body).toMatchObject({ date: '2026-05-05', time: '15:00', location: 'Room 9' });
    for (const task of await listMeetingTasks(world, id)) {
      expect(task).toMatchObject({ due: '2026-05-05', scheduled_time: '15:00' });
    }
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('changes nothing if the caller leaves the project between the read and the write', async () => {
    const world = await createWorld();
    const { member } = world.people;
    const { id } = await createMeeting(world);
    await api(member.token).get('/me');
    const except = ['project_members'];
    const before = await readAllContents(except);
    const leaveProject = () => runSql(world, 'DELETE FROM project_members WHERE member = ?', member.member);
    const CELL_0 = actBeforeBatch(getCell(0), 2, leaveProject);
    const answer = await api(member.token, { CELL_0 }).patch(`/meetings/${id}`, { date: '2026-05-05' });
    expect(answer.status).toBe(404);
    expect(await readAllContents(except)).toEqual(before);
  });
});

describe('DELETE /meetings/{id}', () => {
  it('requires a lead, admin or owner, and returns 403 to others who can see the meeting', async () => {
    const world = await createWorld();
    const { owner, admin, lead, member, client } = world.people;
    for (const person of [owner, admin, lead]) {
      const { id } = await createMeeting(world);
      const answer = await api(person.token).delete(`/meetings/${id}`);
      expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    }
    const { id } = await createMeeting(world, {}, member);
    const before = await readAllContents();
    for (const person of [member, client]) {
      const answer = await api(person.token).delete(`/meetings/${id}`);
      expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden']);
    }
    expect(await readAllContents()).toEqual(before);
    const there = await createMeeting(
      world,
      { projectId: world.projects.other.id, participantIds: [owner.userId] },
      owner,
    );
    expect((await api(lead.token).delete(`/meetings/${there.id}`)).status).toBe(200);
  });

  it('hides the meeting everywhere, keeps its tasks, and notifies the other participants once', async () => {
    const world = await createWorld();
    const { lead, member } = world.people;
    const { id, participants } = await createMeeting(world);
    const me = api(lead.token);
    const answers = await Promise.all([me.delete(`/meetings/${id}`), me.delete(`/meetings/${id}`)]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 404]);
    expect((await me.get(`/meetings/${id}`)).status).toBe(404);
    expect((await me.patch(`/meetings/${id}`, { location: 'x' })).status).toBe(404);
    expect((await me.get('/meetings')).body).toMatchObject({ data: [], meta: { total: 0 } });
    for (const { taskId } of participants)
      expect((await me.get(`/tasks/${taskId}`)).body.isArchived).toBe(false);
    const { body } = await api(member.token).get('/notifications');
    expect(body.data).toMatchObject([
      { type: 'meeting_cancelled', task: { id: participants[1].taskId }, project: world.projects.joined },
      { type: 'task_assigned' },
    ]);
    expect(await listNotifications(lead)).toEqual([]);
    expect(await findCounterDrift(world)).toEqual([]);
  });
});
