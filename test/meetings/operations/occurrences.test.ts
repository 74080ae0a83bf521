// This file is long because its tests share the functions that find a meeting's occurrences.
import { describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { env, getCell } from '../../support/env.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import { createWorld, type World } from '../../support/world.ts';
import {
  createMeeting,
  generateMeetingsAt,
  listMeetingTasks,
  MONDAY,
  runSql,
  WEEKLY_RULE,
} from '../meeting-fixtures.ts';

const findLatestOccurrence = async (world: World, id: number) => {
  const { body } = await api(world.people.owner.token).get(`/meetings/${id}`);
  return { date: body.date, time: body.time, participants: body.participants.length };
};

const listOccurrences = async (world: World, id: number) => [
  ...new Set(
    (await listMeetingTasks(world, id)).map(
      (task) => `${task.occurrence} ${task.due} ${task.scheduled_time}`,
    ),
  ),
];

describe("a meeting's next occurrence", () => {
  it('is created once the latest occurrence has started, and not before', async () => {
    const world = await createWorld();
    const { lead, member } = world.people;
    const first = await createMeeting(world, { recurrence: WEEKLY_RULE, duration: { minutes: 30 } });
    await generateMeetingsAt('2026-03-02T08:59:59Z');
    expect((await api(lead.token).get(`/meetings/${first.id}`)).body).toEqual(first);
    await generateMeetingsAt('2026-03-02T09:00:00Z');
    const { body } = await api(lead.token).get(`/meetings/${first.id}`);
    expect(body).toMatchObject({ ...first, date: '2026-03-09', participants: expect.anything() });
    expect(body.participants.map((each: { id: string }) => each.id)).toEqual([lead.userId, member.userId]);
    const task = await api(lead.token).get(`/tasks/${body.participants[1].taskId}`);
    expect(task.body).toMatchObject({
      name: 'Weekly sync',
      assignee: { id: member.userId },
      deadline: '2026-03-09',
      scheduledTime: '09:00',
      createdBy: { id: lead.userId },
    });
    const history = await api(lead.token).get(`/tasks/${body.participants[1].taskId}/activities`);
    expect(history.body.data).toMatchObject([{ type: 'created', via: 'system' }]);
    for (const person of [lead, member]) {
      const { body: inbox } = await api(person.token).get('/notifications?limit=1');
      expect(inbox.data).toMatchObject([{ type: 'task_assigned', task: { name: 'Weekly sync' } }]);
    }
    expect((await api(lead.token).get('/meetings')).body.meta.total).toBe(1);
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('is created only once, even if the recurrence job runs several times or concurrently', async () => {
    const world = await createWorld();
    const { id } = await createMeeting(world, { recurrence: WEEKLY_RULE });
    const moment = '2026-03-02T09:00:30Z';
    await Promise.all([generateMeetingsAt(moment), generateMeetingsAt(moment), generateMeetingsAt(moment)]);
    await generateMeetingsAt(moment);
    await generateMeetingsAt('2026-03-09T08:59:00Z');
    expect(await listOccurrences(world, id)).toEqual(['1 2026-03-02 09:00', '2 2026-03-09 09:00']);
    expect(await listMeetingTasks(world, id)).toHaveLength(4);
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it("is in the future after a long outage, and missed occurrences aren't created", async () => {
    const world = await createWorld();
    const { id } = await createMeeting(world, { recurrence: 'FREQ=DAILY' });
    await generateMeetingsAt('2026-06-15T12:00:00Z');
    await generateMeetingsAt('2026-06-15T12:01:00Z');
    expect(await listOccurrences(world, id)).toEqual(['1 2026-03-02 09:00', '2 2026-06-16 09:00']);
  });

  it("is the rule's last occurrence if the rule ended during an outage", async () => {
    const world = await createWorld();
    const counted = await createMeeting(world, { recurrence: 'FREQ=DAILY;COUNT=5' });
    const dated = await createMeeting(world, { recurrence: 'FREQ=DAILY;UNTIL=20260310' });
    await generateMeetingsAt('2026-06-15T12:00:00Z');
    await generateMeetingsAt('2026-06-15T12:01:00Z');
    expect(await listOccurrences(world, counted.id)).toEqual(['1 2026-03-02 09:00', '2 2026-03-06 09:00']);
    expect(await listOccurrences(world, dated.id)).toEqual(['1 2026-03-02 09:00', '2 2026-03-10 09:00']);
  });

  it.each(['FREQ=DAILY;COUNT=3', 'FREQ=DAILY;UNTIL=20260304', 'FREQ=DAILY;UNTIL=20260304T090000Z'])(
    'is not created after the end of the rule %s',
    async (recurrence) => {
      const world = await createWorld();
      const { id } = await createMeeting(world, { recurrence });
      for (let day = 2; day < 9; day += 1) await generateMeetingsAt(`2026-03-0${day}T09:00:10Z`);
      expect(await listOccurrences(world, id)).toEqual([
        '1 2026-03-02 09:00',
        '2 2026-03-03 09:00',
        '3 2026-03-04 09:00',
      ]);
    },
  );

  it("isn't created for canceled or one-time meetings", async () => {
    const world = await createWorld();
    const once = await createMeeting(world);
    const canceled = await createMeeting(world, { recurrence: WEEKLY_RULE });
    await api(world.people.lead.token).delete(`/meetings/${canceled.id}`);
    await generateMeetingsAt('2026-06-15T12:00:00Z');
    for (const { id } of [once, canceled])
      expect(await listOccurrences(world, id)).toEqual(['1 2026-03-02 09:00']);
  });

  it('follows the rule and the original time even if the latest occurrence was moved', async () => {
    const world = await createWorld();
    const me = api(world.people.lead.token);
    const { id } = await createMeeting(world, { recurrence: WEEKLY_RULE });
    await generateMeetingsAt('2026-03-02T09:00:00Z');
    await me.patch(`/meetings/${id}`, { date: '2026-03-06', time: '15:00' });
    await generateMeetingsAt('2026-03-06T14:59:00Z');
    expect(await findLatestOccurrence(world, id)).toMatchObject({ date: '2026-03-06', time: '15:00' });
    // The occurrence was moved from Monday, 9 March. No other occurrence may be created for that day.
    await generateMeetingsAt('2026-03-06T15:00:00Z');
    expect(await findLatestOccurrence(world, id)).toMatchObject({ date: '2026-03-16', time: '09:00' });
    await me.patch(`/meetings/${id}`, { date: '2026-03-24' });
    await generateMeetingsAt('2026-03-23T10:00:00Z');
    expect(await findLatestOccurrence(world, id)).toMatchObject({ date: '2026-03-24' });
    await generateMeetingsAt('2026-03-24T10:00:00Z');
    expect(await findLatestOccurrence(world, id)).toMatchObject({ date: '2026-03-30', time: '09:00' });
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it('includes only participants who are still in the project', async () => {
    const world = await createWorld();
    const { id } = await createMeeting(world, { recurrence: WEEKLY_RULE });
    await runSql(world, 'DELETE FROM project_members WHERE member = ?', world.people.member.member);
    await generateMeetingsAt('2026-03-02T09:00:00Z');
    expect(await findLatestOccurrence(world, id)).toEqual({
      date: '2026-03-09',
      time: '09:00',
      participants: 1,
    });
    expect(await findCounterDrift(world)).toEqual([]);
  });

  it.each(['lead', 'member'] as const)(
    "is not created after the meeting's creator or only participant (%s) has left, even if they rejoin",
    async (role) => {
      const world = await createWorld();
      const { member } = world.people;
      const { id } = await createMeeting(world, { recurrence: WEEKLY_RULE, participantIds: [member.userId] });
      const before = await listMeetingTasks(world, id);
      await runSql(world, 'DELETE FROM project_members WHERE member = ?', world.people[role].member);
      await generateMeetingsAt('2026-03-02T09:00:00Z');
      await runSql(
        world,
        'INSERT INTO project_members (project, member) VALUES (?, ?)',
        world.projects.joined.id,
        world.people[role].member,
      );
      await generateMeetingsAt('2026-03-09T09:00:00Z');
      expect(await listMeetingTasks(world, id)).toEqual(before);
    },
  );

  it('is created for meetings in every cell', async () => {
    const world = await createWorld({ cell: 1 });
    const { id } = await createMeeting(world, { recurrence: WEEKLY_RULE });
    await generateMeetingsAt('2026-03-02T09:00:00Z');
    expect(await findLatestOccurrence(world, id)).toMatchObject({ date: '2026-03-09' });
  });
});

describe("a workspace's time zone", () => {
  const createWorldInZone = async (timezone: string) => {
    const world = await createWorld();
    await runSql(world, 'UPDATE workspaces SET timezone = ? WHERE no = ?', timezone, world.no);
    return world;
  };

  it('determines when a meeting starts, before and after daylight saving time begins', async () => {
    const world = await createWorldInZone('America/New_York');
    const { id } = await createMeeting(world, { recurrence: WEEKLY_RULE });
    // 09:00 in New York is 14:00 UTC on 2 March and 13:00 UTC on 9 March.
    for (const [moment, date] of [
      ['2026-03-02T13:59:59Z', '2026-03-02'],
      ['2026-03-02T14:00:00Z', '2026-03-09'],
      ['2026-03-09T12:59:59Z', '2026-03-09'],
      ['2026-03-09T13:00:00Z', '2026-03-16'],
    ] as const) {
      await generateMeetingsAt(moment);
      expect(await findLatestOccurrence(world, id), moment).toMatchObject({ date, time: '09:00' });
    }
  });

  it('causes no missing or duplicate daily meetings when the clock skips or repeats an hour', async () => {
    for (const [first, days] of [
      ['2026-03-28', ['2026-03-28', '2026-03-29', '2026-03-30', '2026-03-31']],
      ['2026-10-24', ['2026-10-24', '2026-10-25', '2026-10-26', '2026-10-27']],
    ] as const) {
      const world = await createWorldInZone('Europe/Berlin');
      const { id } = await createMeeting(world, { date: first, time: '02:30', recurrence: 'FREQ=DAILY' });
      const began = Date.parse(`${first}T00:00:00Z`);
      for (let minutes = 0; minutes <= 60 * 60; minutes += 15) {
        await generateMeetingsAt(new Date(began + minutes * 60_000).toISOString());
      }
      expect(await listOccurrences(world, id)).toEqual(days.map((day, index) => `${index + 1} ${day} 02:30`));
    }
  });

  it('also determines when a moved meeting starts', async () => {
    const world = await createWorldInZone('Asia/Tokyo');
    const { id } = await createMeeting(world, { recurrence: WEEKLY_RULE });
    await api(world.people.lead.token).patch(`/meetings/${id}`, { date: '2026-03-03', time: '08:00' });
    await generateMeetingsAt('2026-03-02T22:59:59Z');
    expect(await findLatestOccurrence(world, id)).toMatchObject({ date: '2026-03-03' });
    await generateMeetingsAt('2026-03-02T23:00:00Z');
    expect(await findLatestOccurrence(world, id)).toMatchObject({ date: '2026-03-09', time: '09:00' });
  });
});

describe('the recurrence job', () => {
  /** Creates a cell that fails once while writing an occurrence, either at the given statement or after the batch. */
  function breakDatabase(db: D1Database, at: number | 'after'): { db: D1Database; broke: () => boolean } {
    let broke = false;
    const writes = new WeakSet<D1PreparedStatement>();
    const prepare = (query: string) => {
      const bind = (...params: unknown[]) => {
        const statement = db.prepare(query).bind(...params);
        if (/UPDATE meetings SET .*occurrence/.test(query)) writes.add(statement);
        return statement;
      };
      return { bind } as D1PreparedStatement;
    };
    return {
      broke: () => broke,
      db: {
        prepare,
        async batch(statements: D1PreparedStatement[]) {
          if (broke || !statements.some((each) => writes.has(each))) return db.batch(statements);
          if (at === 'after') {
            broke = true;
            await db.batch(statements);
            throw new Error('Network connection lost');
          }
          if (at >= statements.length) return db.batch(statements);
          broke = true;
          return db.batch(statements.toSpliced(at, 0, db.prepare("SELECT json_extract('{}', 'EW_CRASH')")));
        },
      } as D1Database,
    };
  }

  /** A failed run may write only to this table, to postpone the meeting. */
  const putOff = ['meetings'];

  it('writes no part of an occurrence if any statement fails, and creates it in a later run', async () => {
    let statements = 0;
    for (let at = 0; ; at += 1) {
      const world = await createWorld();
      const { id } = await createMeeting(world, { recurrence: WEEKLY_RULE });
      const before = await readAllContents(putOff);
      const { db, broke } = breakDatabase(env.CELL_0, at);
      await generateMeetingsAt('2026-03-02T09:00:00Z', { CELL_0: db });
      if (!broke()) break;
      statements += 1;
      expect(await listMeetingTasks(world, id), `statement ${at}`).toHaveLength(2);
      expect(await readAllContents(putOff)).toEqual(before);
      await generateMeetingsAt('2026-03-02T09:06:00Z');
      expect(await listOccurrences(world, id)).toEqual(['1 2026-03-02 09:00', '2 2026-03-09 09:00']);
      expect(await listMeetingTasks(world, id)).toHaveLength(4);
      expect(await findCounterDrift(world)).toEqual([]);
    }
    expect(statements).toBeGreaterThan(10);
  });

  it('creates one complete occurrence even if the response was lost after the write', async () => {
    const world = await createWorld();
    const { id } = await createMeeting(world, { recurrence: WEEKLY_RULE });
    const { db, broke } = breakDatabase(env.CELL_0, 'after');
    await generateMeetingsAt('2026-03-02T09:00:00Z', { CELL_0: db });
    expect(broke()).toBe(true);
    await generateMeetingsAt('2026-03-02T09:01:00Z');
    await generateMeetingsAt('2026-03-02T09:10:00Z');
    expect(await listOccurrences(world, id)).toEqual(['1 2026-03-02 09:00', '2 2026-03-09 09:00']);
    expect(await listMeetingTasks(world, id)).toHaveLength(4);
  });

  it("isn't delayed by meetings with invalid rules", async () => {
    const world = await createWorld();
    const broken: number[] = [];
    for (let made = 0; made < 21; made += 1) {
      const { id } = await createMeeting(world, { recurrence: WEEKLY_RULE, time: '08:00' });
      await runSql(world, "UPDATE meetings SET recurrence = 'FREQ=NEVER' WHERE id = ?", id);
      broken.push(id);
    }
    const { id } = await createMeeting(world, { recurrence: WEEKLY_RULE });
    await generateMeetingsAt('2026-03-02T09:00:00Z');
    await generateMeetingsAt('2026-03-02T09:01:00Z');
    expect(await findLatestOccurrence(world, id)).toMatchObject({ date: '2026-03-09' });
    for (const each of broken)
      expect(await findLatestOccurrence(world, each)).toMatchObject({ date: MONDAY });
  });

  it('creates no occurrence for a meeting that is being moved at the same time', async () => {
    const world = await createWorld();
    const { lead } = world.people;
    const { id } = await createMeeting(world, { recurrence: WEEKLY_RULE });
    let batches = 0;
    const db = getCell(0);
    const CELL_0 = {
      prepare: (sql: string) => db.prepare(sql),
      async batch(statements: D1PreparedStatement[]) {
        batches += 1;
        if (batches === 2) await api(lead.token).patch(`/meetings/${id}`, { date: '2026-03-05' });
        return db.batch(statements);
      },
    } as D1Database;
    await generateMeetingsAt('2026-03-02T09:00:00Z', { CELL_0 });
    expect(batches).toBe(2);
    expect(await listOccurrences(world, id)).toEqual(['1 2026-03-05 09:00']);
  });
});
