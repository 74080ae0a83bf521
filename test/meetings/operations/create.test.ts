// This file is long because a new meeting depends on its fields, its project, and the organizer's role and plan.
import { describe, expect, it } from 'vitest';
import { actBeforeBatch } from '../../support/act-before-batch.ts';
import { api } from '../../support/api.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { getCell } from '../../support/env.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import { addPerson, createProject, createWorkspace, createWorld } from '../../support/world.ts';
import {
  buildMeetingBody,
  createMeeting,
  listMeetingTasks,
  MONDAY,
  runSql,
  WEEKLY_RULE,
} from '../meeting-fixtures.ts';

describe('POST /meetings', () => {
  it('creates one task per participant, and returns the meeting', async () => {
    const world = await createWorld();
    const { lead, member, client } = world.people;
    const { status, body } = await api(member.token).post(
      '/meetings',
      buildMeetingBody(world, {
        name: ' Kick-off <b>✓</b> ',
        description: '<p>Agenda</p><script>alert(1)</script>',
        participantIds: [client.userId, lead.userId],
        meetingLink: 'https://meet.example.com/x?y=1#z',
        location: 'Room 4',
        duration: { hours: 1, minutes: 90 },
      }),
    );
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: ' Kick-off <b>✓</b> ',
      description: '<p>Agenda</p>',
      project: world.projects.joined,
      date: MONDAY,
      time: '09:00',
      duration: { days: 0, hours: 2, minutes: 30 },
      meetingLink: 'https://meet.example.com/x?y=1#z',
      location: 'Room 4',
      recurrence: null,
      createdBy: { id: member.userId, name: member.name, email: member.email },
    });
    expect(body.participants).toMatchObject([
      { id: client.userId, name: client.name, email: client.email, status: 'todo' },
      { id: lead.userId, name: lead.name, email: lead.email, status: 'todo' },
    ]);
    expect((await api(member.token).get(`/meetings/${body.id}`)).body).toEqual(body);
    for (const { id, taskId } of body.participants) {
      const task = await api(lead.token).get(`/tasks/${taskId}`);
      expect(task.body).toMatchObject({
        name: ' Kick-off <b>✓</b> ',
        description: '<p>Agenda</p>',
        assignee: { id },
        project: world.projects.joined,
        deadline: MONDAY,
        scheduledTime: '09:00',
        status: 'todo',
        priority: 'medium',
        createdBy: { id: member.userId },
      });
    }
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('defaults to a duration of one hour, and drops duplicate participants', async () => {
    const world = await createWorld();
    const { lead, member } = world.people;
    const meeting = await createMeeting(world, {
      participantIds: [member.userId, lead.userId, member.userId, lead.userId],
      description: null,
      meetingLink: null,
      location: null,
      recurrence: null,
    });
    expect(meeting.duration).toEqual({ days: 0, hours: 1, minutes: 0 });
    expect(meeting.participants.map((each: { id: string }) => each.id)).toEqual([member.userId, lead.userId]);
    expect(await listMeetingTasks(world, meeting.id)).toHaveLength(2);
  });

  it('notifies every participant except the organizer about the assignment', async () => {
    const world = await createWorld();
    const { lead, member, client } = world.people;
    const meeting = await createMeeting(world, {
      participantIds: [lead.userId, member.userId, client.userId],
    });
    for (const person of [member, client]) {
      const own = meeting.participants.find((each: { id: string }) => each.id === person.userId);
      const { body } = await api(person.token).get('/notifications');
      expect(body.data).toMatchObject([
        { type: 'task_assigned', task: { id: own.taskId }, actor: { id: lead.userId } },
      ]);
    }
    expect((await api(lead.token).get('/notifications/count')).body).toEqual({ count: 0 });
  });

  it('stores the rule of a recurring meeting verbatim', async () => {
    const world = await createWorld();
    const meeting = await createMeeting(world, { recurrence: 'RRULE:freq=weekly;byday=mo' });
    expect(meeting.recurrence).toBe('RRULE:freq=weekly;byday=mo');
  });
});

describe('GET /meetings/{id}', () => {
  it("returns the status of each participant's task", async () => {
    const world = await createWorld();
    const { lead, member } = world.people;
    const meeting = await createMeeting(world);
    await api(member.token).patch(`/tasks/${meeting.participants[1].taskId}`, { status: 'client_review' });
    const { body } = await api(lead.token).get(`/meetings/${meeting.id}`);
    expect(body.participants.map((each: { status: string }) => each.status)).toEqual([
      'todo',
      'client_review',
    ]);
  });

  it('returns only the requested fields', async () => {
    const world = await createWorld();
    const meeting = await createMeeting(world);
    const { body } = await api(world.people.lead.token).get(`/meetings/${meeting.id}?fields=name,time`);
    expect(body).toEqual({ name: 'Weekly sync', time: '09:00' });
  });
});

describe('scheduling a meeting', () => {
  it("returns 403 outside the project, even to owners and admins, and 404 if the project isn't visible", async () => {
    const world = await createWorld();
    const { owner, admin, lead, member, client } = world.people;
    const { joined, other } = world.projects;
    const elsewhere = await createWorld();
    const before = await readAllContents();
    for (const [person, projectId, status] of [
      [owner, joined.id, 403],
      [admin, joined.id, 403],
      [lead, other.id, 403],
      [member, other.id, 403],
      [client, other.id, 404],
      [owner, 999_999_999, 404],
      [lead, elsewhere.projects.joined.id, 404],
    ] as const) {
      const answer = await api(person.token).post('/meetings', buildMeetingBody(world, { projectId }));
      expect([answer.status, answer.body.error.code], `${person.role} ${projectId}`).toEqual([
        status,
        status === 403 ? 'forbidden' : 'not_found',
      ]);
    }
    expect(await readAllContents()).toEqual(before);
    for (const person of [lead, member, client]) await createMeeting(world, {}, person);
    for (const person of [owner, admin]) {
      await createMeeting(world, { projectId: other.id, participantIds: [admin.userId] }, person);
    }
  });

  it('is limited to leads, admins and owners, and to plans with recurring meetings, if the meeting is recurring', async () => {
    const world = await createWorld();
    const { owner, admin, lead, member, client } = world.people;
    const recurrence = WEEKLY_RULE;
    for (const person of [member, client]) {
      const answer = await api(person.token).post('/meetings', buildMeetingBody(world, { recurrence }));
      expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden']);
      expect(answer.body.error.message).toContain(`your role is ${person.role}`);
    }
    await createMeeting(world, { recurrence }, lead);
    for (const person of [owner, admin]) {
      await createMeeting(
        world,
        { recurrence, projectId: world.projects.other.id, participantIds: [owner.userId] },
        person,
      );
    }
    const medium = await createWorld({ plan: 'medium' });
    await createMeeting(medium, { recurrence });
    const free = await createWorld({ plan: 'free' });
    const before = await readAllContents();
    const rejected = await api(free.people.lead.token).post(
      '/meetings',
      buildMeetingBody(free, { recurrence }),
    );
    expect([rejected.status, rejected.body.error.code]).toEqual([403, 'forbidden_plan']);
    expect(await readAllContents()).toEqual(before);
    await createMeeting(free);
  });

  it('returns 400 with the ids of participants outside the project', async () => {
    const world = await createWorld();
    const { lead, member, owner, admin } = world.people;
    const outsider = await addPerson(await createWorkspace(), 'outsider', 'member');
    const before = await readAllContents();
    const answer = await api(lead.token).post(
      '/meetings',
      buildMeetingBody(world, {
        participantIds: [member.userId, owner.userId, admin.userId, outsider.userId, 'usr_none'],
      }),
    );
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
    for (const id of [owner.userId, admin.userId, outsider.userId, 'usr_none']) {
      expect(answer.body.error.message).toContain(`'${id}'`);
    }
    expect(answer.body.error.message).not.toContain(member.userId);
    expect(await readAllContents()).toEqual(before);
  });

  it('is checked in this order: credential, input, project, membership, role, plan, participants', async () => {
    const world = await createWorld({ plan: 'free' });
    const { owner, lead, member, client } = world.people;
    const wrong = {
      time: '24:00',
      projectId: world.projects.other.id,
      recurrence: WEEKLY_RULE,
      participantIds: ['usr_none'],
    };
    const createAndReadError = async (token: string | undefined, fields: Record<string, unknown>) => {
      const { status, body } = await api(token).post('/meetings', buildMeetingBody(world, fields));
      return [status, body.error.code];
    };
    const { time: _time, ...wellFormed } = wrong;
    const here = { ...wellFormed, projectId: world.projects.joined.id };
    expect(await createAndReadError(undefined, wrong)).toEqual([401, 'unauthorized']);
    expect(await createAndReadError(client.token, wrong)).toEqual([400, 'invalid_request']);
    expect(await createAndReadError(client.token, { ...wellFormed, recurrence: 'FREQ=HOURLY' })).toEqual([
      400,
      'invalid_request',
    ]);
    expect(await createAndReadError(client.token, wellFormed)).toEqual([404, 'not_found']);
    expect(await createAndReadError(member.token, wellFormed)).toEqual([403, 'forbidden']);
    expect(await createAndReadError(owner.token, here)).toEqual([403, 'forbidden']);
    expect(await createAndReadError(member.token, here)).toEqual([403, 'forbidden']);
    expect(await createAndReadError(lead.token, here)).toEqual([403, 'forbidden_plan']);
    expect(await createAndReadError(lead.token, { ...here, recurrence: null })).toEqual([
      400,
      'invalid_request',
    ]);
  });
});

describe('input to POST /meetings', () => {
  it('is rejected if a field is invalid, and nothing is written', async () => {
    const world = await createWorld();
    const { lead } = world.people;
    const before = await readAllContents();
    const rejections: [Record<string, unknown>, string][] = [
      [{ projectId: undefined }, 'projectId is required'],
      [{ name: undefined }, 'name is required'],
      [{ name: '  ' }, 'name must not be blank'],
      [{ name: 'x'.repeat(201) }, 'at most 200 characters'],
      [{ description: 'x'.repeat(10_001) }, 'at most 10000 characters'],
      [{ description: '<'.repeat(10_000) }, 'description must be at most 36000 bytes'],
      [{ date: undefined }, 'date is required'],
      [{ date: '2026-02-30' }, 'date must be a real date'],
      [{ date: '2026-3-2' }, 'date must be a real date'],
      [{ date: '2026-03-02T09:00:00Z' }, 'date must be a real date'],
      [{ time: undefined }, 'time is required'],
      [{ time: '24:00' }, "time must be a time of day from 00:00 to 23:59 in the form HH:MM; got '24:00'"],
      [{ time: '9:00' }, 'time must be'],
      [{ time: '09:60' }, 'time must be'],
      [{ time: '09:00:00' }, 'time must be'],
      [{ participantIds: undefined }, 'participantIds is required'],
      [{ participantIds: [] }, 'participantIds must have at least 1 item'],
      [{ participantIds: Array.from({ length: 51 }, (_, at) => `usr_${at}`) }, 'at most 50 people'],
      [{ participantIds: [7] }, 'participantIds[0] must be a string'],
      [{ participantIds: lead.userId }, 'participantIds must be an array'],
      [{ meetingLink: 'ftp://example.com/x' }, 'meetingLink must be a URL'],
      [{ meetingLink: 'javascript:alert(1)' }, 'meetingLink must be a URL'],
      [{ meetingLink: 'meet.example.com' }, 'meetingLink must be a URL'],
      [{ meetingLink: ' https://example.com' }, 'meetingLink must be a URL'],
      [{ meetingLink: '' }, 'meetingLink must be a URL'],
      [{ meetingLink: `https://example.com/${'x'.repeat(2000)}` }, 'at most 2000 characters'],
      [{ location: 'x'.repeat(201) }, 'at most 200 characters'],
      [{ duration: {} }, 'duration must be from 1 minute to 31 days'],
      [{ duration: { hours: 0, minutes: 0, days: 0 } }, 'duration must be from 1 minute to 31 days'],
      [{ duration: { hours: -1, days: 1 } }, 'duration.hours must be at least 0'],
      [{ duration: { minutes: 1.5 } }, 'duration.minutes must be an integer'],
      [{ duration: { days: 31, minutes: 1 } }, 'duration must be from 1 minute to 31 days'],
      [{ duration: { weeks: 1 } }, "unknown field 'duration.weeks'"],
      [{ duration: 60 }, 'duration must be an object'],
      [{ recurrence: 'FREQ=SECONDLY' }, "FREQ set to one of DAILY, WEEKLY, MONTHLY; got 'SECONDLY'"],
      [{ recurrence: 'FREQ=DAILY;BYHOUR=9' }, "unknown part 'BYHOUR'"],
      [{ recurrence: 'FREQ=DAILY;COUNT=2;UNTIL=20260401' }, 'both COUNT and UNTIL'],
      [{ recurrence: 'FREQ=DAILY;UNTIL=20260301' }, 'ends before it starts'],
      [{ recurrence: 'FREQ=DAILY;INTERVAL=7;BYDAY=TU' }, 'has no occurrence on or after'],
      [{ recurrence: `FREQ=DAILY;BYDAY=${'MO,'.repeat(300)}` }, 'at most 500 characters'],
      [{ recurrence: 5 }, 'recurrence must be a string'],
      [{ createdBy: 'usr_x' }, "unknown field 'createdBy'"],
    ];
    for (const [fields, message] of rejections) {
      const answer = await api(lead.token).post('/meetings', buildMeetingBody(world, fields));
      expect([answer.status, answer.body.error.code], message).toEqual([400, 'invalid_request']);
      expect(answer.body.error.message).toContain(message);
    }
    expect(await readAllContents()).toEqual(before);
  });

  it('is accepted if a value is exactly at its limit', async () => {
    const world = await createWorld();
    const edges: Record<string, unknown>[] = [
      { name: 'x'.repeat(200) },
      { description: '漢'.repeat(10_000) },
      { date: '2024-02-29', time: '00:00' },
      { date: '1999-12-31', time: '23:59' },
      { location: 'x'.repeat(200) },
      { meetingLink: 'HTTP://Example.com' },
      { duration: { days: 31 } },
      { duration: { minutes: 1 } },
    ];
    for (const fields of edges)
      expect(await createMeeting(world, fields)).toMatchObject(omitDuration(fields));

    function omitDuration({ duration, ...rest }: Record<string, unknown>) {
      return duration ? { duration } : rest;
    }
  });
});

describe('creating a meeting while its project changes', () => {
  const except = ['project_members'];
  const buildRemoval = (world: { cell: number }, project: number, member: number) =>
    getCell(world.cell)
      .prepare('DELETE FROM project_members WHERE project = ? AND member = ?')
      .bind(project, member)
      .run();

  it('writes nothing if a participant is removed between the read and the write', async () => {
    const world = await createWorld();
    const { lead, member } = world.people;
    await api(lead.token).get('/me');
    const before = await readAllContents(except);
    const removeFromProject = () => buildRemoval(world, world.projects.joined.id, member.member);
    const CELL_0 = actBeforeBatch(getCell(0), 2, removeFromProject);
    const answer = await api(lead.token, { CELL_0 }).post('/meetings', buildMeetingBody(world));
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
    expect(answer.body.error.message).toContain(member.userId);
    expect(await readAllContents(except)).toEqual(before);
  });

  it('returns 403 and writes nothing if the organizer is removed', async () => {
    const world = await createWorld();
    const { lead, member, client } = world.people;
    await api(member.token).get('/me');
    const before = await readAllContents(except);
    const removeFromProject = () => buildRemoval(world, world.projects.joined.id, member.member);
    const CELL_0 = actBeforeBatch(getCell(0), 2, removeFromProject);
    const body = buildMeetingBody(world, { participantIds: [lead.userId, client.userId] });
    const answer = await api(member.token, { CELL_0 }).post('/meetings', body);
    expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden']);
    expect(await readAllContents(except)).toEqual(before);
  });

  it('succeeds if someone joins the project', async () => {
    const world = await createWorld();
    const { lead, owner } = world.people;
    const project = await createProject(world, { owner: lead });
    await api(lead.token).get('/me');
    const joinProject = () =>
      runSql(world, 'INSERT INTO project_members (project, member) VALUES (?, ?)', project.id, owner.member);
    const CELL_0 = actBeforeBatch(getCell(0), 2, joinProject);
    const body = buildMeetingBody(world, { projectId: project.id, participantIds: [lead.userId] });
    expect((await api(lead.token, { CELL_0 }).post('/meetings', body)).status).toBe(201);
  });
});
