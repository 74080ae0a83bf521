import { describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { addPerson, createWorkspace, createWorld, type Person, type World } from '../../support/world.ts';
import { createMeeting, runSql, WEEKLY_RULE } from '../meeting-fixtures.ts';

const listMeetingNames = async (person: Person, query = '') => {
  const { body } = await api(person.token).get(`/meetings${query}`);
  return body.data.map((meeting: { name: string }) => meeting.name);
};

async function createTwoMeetings(world: World) {
  const { owner } = world.people;
  const here = await createMeeting(world, { name: 'here' });
  const there = await createMeeting(
    world,
    { name: 'there', projectId: world.projects.other.id, participantIds: [owner.userId] },
    owner,
  );
  return { here, there };
}

describe('meetings', () => {
  it('are listed from all projects for owners and admins, and only from joined projects for others', async () => {
    const world = await createWorld();
    await createTwoMeetings(world);
    const { owner, admin, lead, member, client } = world.people;
    for (const person of [owner, admin])
      expect((await listMeetingNames(person)).sort()).toEqual(['here', 'there']);
    for (const person of [lead, member, client]) expect(await listMeetingNames(person)).toEqual(['here']);
    expect(await listMeetingNames(lead, `?projectId=${world.projects.other.id}`)).toEqual([]);
    expect(await listMeetingNames(owner, `?projectId=${world.projects.other.id}`)).toEqual(['there']);
    expect(await listMeetingNames(owner, '?projectId=999999999')).toEqual([]);
  });

  it('can be opened in any project by owners, admins and leads, but only in joined projects by others', async () => {
    const world = await createWorld();
    const { here, there } = await createTwoMeetings(world);
    const { owner, admin, lead, member, client } = world.people;
    for (const person of [owner, admin, lead]) {
      for (const { id } of [here, there])
        expect((await api(person.token).get(`/meetings/${id}`)).status).toBe(200);
    }
    const outsider = await addPerson(await createWorkspace(), 'outsider', 'owner');
    const missing = (await api(member.token).get('/meetings/999999999')).text;
    for (const [person, { id }] of [
      [member, there],
      [client, there],
      [outsider, here],
    ] as const) {
      const me = api(person.token);
      const answers = [
        await me.get(`/meetings/${id}`),
        await me.patch(`/meetings/${id}`, { location: 'x' }),
        await me.delete(`/meetings/${id}`),
      ];
      for (const answer of answers) {
        expect(answer.status).toBe(404);
        expect(answer.text).toBe(missing.replace('999999999', String(id)));
      }
    }
    for (const person of [member, client]) {
      expect((await api(person.token).get(`/meetings/${here.id}`)).body).toEqual(here);
    }
  });

  it("aren't found by a task's id", async () => {
    const world = await createWorld();
    const { participants } = await createMeeting(world);
    // Every meeting creates at least one task, so no meeting's id is as high as the newest task's.
    const { status } = await api(world.people.lead.token).get(`/meetings/${participants[1].taskId}`);
    expect(status).toBe(404);
  });
});

describe('the meeting list', () => {
  const toDate = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

  it('contains upcoming meetings in order of their start, followed by past meetings, newest first', async () => {
    const world = await createWorld();
    const { lead } = world.people;
    for (const [name, date, time, recurrence] of [
      ['past', toDate(-20), '09:00', null],
      ['soon', toDate(2), '09:00', null],
      ['longer past', toDate(-40), '09:00', null],
      ['soon, earlier', toDate(2), '08:59', null],
      ['late', toDate(30), '09:00', null],
      ['recurring, past', toDate(-10), '09:00', 'FREQ=DAILY'],
      ['ended series', toDate(-10), '10:00', 'FREQ=DAILY;COUNT=1'],
      ['soon as well', toDate(2), '09:00', null],
    ] as const) {
      await createMeeting(world, { name, date, time, recurrence });
    }
    const over = ['ended series', 'past', 'longer past'];
    const coming = ['recurring, past', 'soon, earlier', 'soon', 'soon as well', 'late'];
    expect(await listMeetingNames(lead)).toEqual([...coming, ...over]);
    expect(await listMeetingNames(lead, '?order=asc')).toEqual([...coming, ...over]);
    expect(await listMeetingNames(lead, '?order=desc')).toEqual([...coming.toReversed(), ...over]);
    for (const order of ['asc', 'desc']) {
      const all = await listMeetingNames(lead, `?order=${order}`);
      const paged: string[] = [];
      for (let offset = 0; offset < 9; offset += 3) {
        const { body } = await api(lead.token).get(`/meetings?order=${order}&limit=3&offset=${offset}`);
        expect(body.meta).toEqual({ total: 8, limit: 3, offset, hasMore: offset < 6 });
        paged.push(...body.data.map((meeting: { name: string }) => meeting.name));
      }
      expect(paged).toEqual(all);
    }
    expect((await api(lead.token).get('/meetings?offset=50')).body).toMatchObject({
      data: [],
      meta: { total: 8 },
    });
  });

  it("uses the workspace's time zone to decide which meetings are past", async () => {
    const world = await createWorld();
    await runSql(world, "UPDATE workspaces SET timezone = 'Pacific/Kiritimati' WHERE no = ?", world.no);
    const local = new Date(Date.now() + 14 * 3_600_000);
    const toLocalTime = (minutes: number) => {
      const text = new Date(local.getTime() + minutes * 60_000).toISOString();
      return { date: text.slice(0, 10), time: text.slice(11, 16) };
    };
    await createMeeting(world, { name: 'an hour ago', ...toLocalTime(-60) });
    await createMeeting(world, { name: 'in an hour', ...toLocalTime(60) });
    expect(await listMeetingNames(world.people.lead)).toEqual(['in an hour', 'an hour ago']);
  });

  it('can be filtered by day, inclusive at both ends', async () => {
    const world = await createWorld();
    const { lead, owner } = world.people;
    for (const date of ['2026-03-01', '2026-03-02', '2026-03-03'])
      await createMeeting(world, { name: date, date });
    for (const person of [lead, owner]) {
      expect(await listMeetingNames(person, '?from=2026-03-02&to=2026-03-02')).toEqual(['2026-03-02']);
      expect((await listMeetingNames(person, '?from=2026-03-02')).sort()).toEqual([
        '2026-03-02',
        '2026-03-03',
      ]);
      expect(
        (await listMeetingNames(person, `?to=2026-03-02&projectId=${world.projects.joined.id}`)).sort(),
      ).toEqual(['2026-03-01', '2026-03-02']);
      expect(await listMeetingNames(person, '?from=2026-03-03&to=2026-03-01')).toEqual([]);
    }
  });

  it('rejects unknown filters and invalid values', async () => {
    const world = await createWorld();
    const me = api(world.people.lead.token);
    for (const query of [
      'from=2026-02-30',
      'to=soon',
      'order=up',
      'projectId=x',
      'status=todo',
      'limit=101',
    ]) {
      expect((await me.get(`/meetings?${query}`)).status, query).toBe(400);
    }
  });

  it('returns only the requested fields', async () => {
    const world = await createWorld();
    await createMeeting(world, { recurrence: WEEKLY_RULE });
    const { body } = await api(world.people.lead.token).get('/meetings?fields=name,recurrence');
    expect(body.data).toEqual([{ name: 'Weekly sync', recurrence: WEEKLY_RULE }]);
  });
});
