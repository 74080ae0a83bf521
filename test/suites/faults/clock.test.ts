import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { filledSession, storageOf } from '../../files/uploads/uploading.ts';
import { tick } from '../../support/cron.ts';
import { cellOf } from '../../support/env.ts';
import { everyNth } from '../../support/tier.ts';
import { createTask, createWorld, sessionToken, type World } from '../../support/world.ts';
import { ask } from './asking.ts';
import { whatIsOff } from './store.ts';
import { writeCases } from './writes.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const real = Date.now();

beforeEach(() => {
  // Fakes only the clock, not the timers.
  vi.useFakeTimers({ toFake: ['Date'], now: real });
});
afterEach(() => {
  vi.useRealTimers();
});

const jump = (ms: number) => vi.setSystemTime(real + ms);
it('every write succeeds before and after the clock jumps', async () => {
  const world = await createWorld();
  for (const [name, write] of everyNth(3, Object.entries(writeCases))) {
    if (write.isPublic) continue;
    for (const ms of [0, 2 * DAY_MS, -2 * DAY_MS, HOUR_MS]) {
      jump(0);
      const request = await write.prepare(world);
      // Upload sessions expire after a day, so later requests would fail.
      if (ms > DAY_MS && /Upload$/.test(name) && name !== 'initUpload') continue;
      if (ms > DAY_MS && name === 'confirmAttachment') continue;
      jump(ms);
      const key = crypto.randomUUID();
      const first = await ask(request, key);
      expect([first.status, name, ms]).toEqual([write.status, name, ms]);
      const repeated = await ask(request, key);
      if (!write.isSecret) expect(repeated.body, name).toEqual(first.body);
    }
  }
  jump(0);
  // Keys that were stored while the clock was behind are now two days old.
  await tick('* * * * *');
  expect(await whatIsOff()).toEqual([]);
});

it('an idempotency key is kept when the clock goes back, and expires after a real day', async () => {
  const world = await createWorld();
  const { member } = world.people;
  const request = {
    method: 'POST',
    path: '/tasks',
    body: { projectId: world.projects.joined.id, name: 'once' },
    person: member,
  };
  const first = await ask(request, 'k');
  jump(-3 * DAY_MS);
  expect((await ask(request, 'k')).body).toEqual(first.body);
  jump(23 * HOUR_MS);
  expect((await ask(request, 'k')).body).toEqual(first.body);
  jump(25 * HOUR_MS);
  expect((await ask(request, 'k')).body.id).not.toBe(first.body.id);
});

it('tracked time is never counted twice and never negative, even if the clock jumps', async () => {
  const world = await createWorld();
  const { member } = world.people;
  const { id } = await createTask(member, world.projects.joined.id);
  const start = { method: 'POST', path: '/timer/start', body: { taskId: id }, person: member };
  const stop = { method: 'POST', path: '/timer/stop', person: member };
  for (const ms of [0, HOUR_MS, -DAY_MS, -2 * DAY_MS, HOUR_MS]) {
    jump(ms);
    expect((await ask(start, null)).status).toBe(201);
  }
  jump(-5 * DAY_MS);
  expect((await ask(stop, null)).body.durationSeconds).toBe(0);
  expect((await ask(stop, null)).status).toBe(404);
  const { results } = await cellOf(0)
    .prepare('SELECT started_at, ended_at FROM time_entries WHERE ws = ? ORDER BY id')
    .bind(world.no)
    .all<{ started_at: number; ended_at: number }>();
  expect(results).toHaveLength(5);
  results.forEach((entry, index) => {
    expect(entry.ended_at).toBeGreaterThanOrEqual(entry.started_at);
    expect(entry.started_at).toBeGreaterThanOrEqual(results[index - 1]?.ended_at ?? 0);
  });
  expect(await whatIsOff()).toEqual([]);
});

it('the due counts of the dashboard stay the same if the cron runs early, late or years ahead', async () => {
  const world = await createWorld();
  const { member } = world.people;
  for (const deadline of ['2020-01-01', '2026-03-01', '2026-03-04', '2026-03-08', '2031-01-01', null]) {
    await createTask(member, world.projects.joined.id, { deadline });
  }
  const path = '/dashboard/stats?localDate=2026-03-04';
  const stats = async () => (await ask({ method: 'GET', path, person: member }, null)).body;
  const before = await stats();
  for (const at of ['2026-03-02', '2036-01-01', '2026-03-05']) {
    vi.setSystemTime(new Date(`${at}T03:00:00Z`));
    await tick('* * * * *');
    await tick('17 3 * * *');
    expect(await whatIsOff(), at).toEqual([]);
    jump(0);
    expect(await stats(), at).toEqual(before);
    await createTask(member, world.projects.joined.id, { deadline: '2026-03-04', name: 'moves' });
    await cellOf(0).prepare('DELETE FROM idempotency_keys').run();
    before.dueToday += 1;
    before.dueThisWeek += 1;
    if ('total' in before) before.total += 1;
    expect(await stats(), `${at}, another task`).toEqual(before);
  }
});

it('sessions last seven days, whatever the clock showed when they started', async () => {
  const world = await createWorld();
  const me = async (issuedAt: number) => {
    const token = await sessionToken(world, world.people.member.userId, real + issuedAt);
    return (await ask({ method: 'GET', path: '/me', person: { token } }, null)).status;
  };
  expect(await me(2 * DAY_MS)).toBe(200);
  expect(await me(-6 * DAY_MS)).toBe(200);
  expect(await me(-8 * DAY_MS)).toBe(401);
  const { token } = world.people.member;
  jump(8 * DAY_MS);
  expect((await ask({ method: 'GET', path: '/me', person: { token } }, null)).status).toBe(401);
  jump(0);
  expect((await ask({ method: 'GET', path: '/me', person: { token } }, null)).status).toBe(200);
});

it('storage is freed once, even if the clock jumps past the end of an upload and back', async () => {
  const world = await createWorld();
  const { member } = world.people;
  const session = await filledSession(member, { projectId: world.projects.joined.id });
  const kept = await filledSession(member, { projectId: world.projects.joined.id });
  jump(-DAY_MS);
  await tick('* * * * *');
  expect((await ask(completing(world, kept), null)).status).toBe(201);
  jump(2 * DAY_MS);
  expect((await ask(completing(world, session), null)).status).toBe(404);
  await Promise.all([tick('* * * * *'), tick('* * * * *')]);
  jump(0);
  expect((await ask(completing(world, session), null)).status).toBe(404);
  expect(await storageOf(world)).toEqual({ used: 100, trulyUsed: 100, reserved: 0, trulyReserved: 0 });
  expect(await whatIsOff()).toEqual([]);
});

it('the next occurrence of a meeting is created once, even if the clock passes it twice', async () => {
  const world = await createWorld();
  const { lead } = world.people;
  const body = {
    projectId: world.projects.joined.id,
    name: 'Daily',
    date: '2027-01-04',
    time: '10:00',
    participantIds: [lead.userId],
    recurrence: 'FREQ=DAILY',
  };
  const { body: meeting } = await ask({ method: 'POST', path: '/meetings', body, person: lead }, null);
  const tasks = async () =>
    (
      await cellOf(0)
        .prepare('SELECT count(*) AS n FROM meeting_tasks WHERE meeting = ?')
        .bind(meeting.id)
        .first<{ n: number }>()
    )?.n;
  for (const [at, count] of [
    ['2027-01-04T10:00:30Z', 2],
    ['2027-01-03T00:00:00Z', 2],
    ['2027-01-04T10:00:30Z', 2],
    ['2027-01-05T10:00:30Z', 3],
  ] as const) {
    vi.setSystemTime(new Date(at));
    await Promise.all([tick('* * * * *'), tick('* * * * *')]);
    expect([at, await tasks()]).toEqual([at, count]);
  }
  expect(await whatIsOff()).toEqual([]);
});

function completing({ people }: World, session: string) {
  return { method: 'POST', path: `/chunked-upload/complete/${session}`, person: people.member };
}
