import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openFilledSession, readStorage } from '../../files/uploads/uploading.ts';
import { runCron } from '../../support/cron.ts';
import { getCell } from '../../support/env.ts';
import { pickEveryNth } from '../../support/tier.ts';
import { createSessionToken, createTask, createWorld, type World } from '../../support/world.ts';
import { findInconsistencies } from './databases.ts';
import { sendTestRequest } from './test-requests.ts';
import { writeCases } from './write-cases.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const realNow = Date.now();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: realNow });
});
afterEach(() => {
  vi.useRealTimers();
});

const moveClock = (ms: number) => vi.setSystemTime(realNow + ms);
it('every write succeeds after the clock jumps forward or back', async () => {
  const world = await createWorld();
  for (const [name, write] of pickEveryNth(3, Object.entries(writeCases))) {
    if (write.isPublic) continue;
    for (const ms of [0, 2 * DAY_MS, -2 * DAY_MS, HOUR_MS]) {
      moveClock(0);
      const request = await write.prepare(world);
      // Upload sessions expire after a day, so later requests would fail.
      if (ms > DAY_MS && /Upload$/.test(name) && name !== 'initUpload') continue;
      if (ms > DAY_MS && name === 'confirmAttachment') continue;
      moveClock(ms);
      const key = crypto.randomUUID();
      const first = await sendTestRequest(request, key);
      expect([first.status, name, ms]).toEqual([write.status, name, ms]);
      const repeated = await sendTestRequest(request, key);
      if (!write.isSecret) expect(repeated.body, name).toEqual(first.body);
    }
  }
  moveClock(0);
  // Idempotency keys that were stored while the clock was set back are now two days old.
  await runCron('* * * * *');
  expect(await findInconsistencies()).toEqual([]);
});

it('an idempotency key is kept when the clock is set back, and still expires after 24 hours', async () => {
  const world = await createWorld();
  const { member } = world.people;
  const request = {
    method: 'POST',
    path: '/tasks',
    body: { projectId: world.projects.joined.id, name: 'once' },
    person: member,
  };
  const first = await sendTestRequest(request, 'k');
  moveClock(-3 * DAY_MS);
  expect((await sendTestRequest(request, 'k')).body).toEqual(first.body);
  moveClock(23 * HOUR_MS);
  expect((await sendTestRequest(request, 'k')).body).toEqual(first.body);
  moveClock(25 * HOUR_MS);
  expect((await sendTestRequest(request, 'k')).body.id).not.toBe(first.body.id);
});

it('tracked time is never counted twice and never negative, even if the clock jumps', async () => {
  const world = await createWorld();
  const { member } = world.people;
  const { id } = await createTask(member, world.projects.joined.id);
  const start = { method: 'POST', path: '/timer/start', body: { taskId: id }, person: member };
  const stop = { method: 'POST', path: '/timer/stop', person: member };
  for (const ms of [0, HOUR_MS, -DAY_MS, -2 * DAY_MS, HOUR_MS]) {
    moveClock(ms);
    expect((await sendTestRequest(start, null)).status).toBe(201);
  }
  moveClock(-5 * DAY_MS);
  expect((await sendTestRequest(stop, null)).body.durationSeconds).toBe(0);
  expect((await sendTestRequest(stop, null)).status).toBe(404);
  const { results } = await getCell(0)
    .prepare('SELECT started_at, ended_at FROM time_entries WHERE ws = ? ORDER BY id')
    .bind(world.no)
    .all<{ started_at: number; ended_at: number }>();
  expect(results).toHaveLength(5);
  results.forEach((entry, index) => {
    expect(entry.ended_at).toBeGreaterThanOrEqual(entry.started_at);
    expect(entry.started_at).toBeGreaterThanOrEqual(results[index - 1]?.ended_at ?? 0);
  });
  expect(await findInconsistencies()).toEqual([]);
});

it("the dashboard's due counts stay correct if the cron job runs early, late or years ahead", async () => {
  const world = await createWorld();
  const { member } = world.people;
  for (const deadline of ['2020-01-01', '2026-03-01', '2026-03-04', '2026-03-08', '2031-01-01', null]) {
    await createTask(member, world.projects.joined.id, { deadline });
  }
  const path = '/dashboard/stats?localDate=2026-03-04';
  const readStats = async () => (await sendTestRequest({ method: 'GET', path, person: member }, null)).body;
  const before = await readStats();
  for (const at of ['2026-03-02', '2036-01-01', '2026-03-05']) {
    vi.setSystemTime(new Date(`${at}T03:00:00Z`));
    await runCron('* * * * *');
    await runCron('17 3 * * *');
    expect(await findInconsistencies(), at).toEqual([]);
    moveClock(0);
    expect(await readStats(), at).toEqual(before);
    await createTask(member, world.projects.joined.id, { deadline: '2026-03-04', name: 'moves' });
    await getCell(0).prepare('DELETE FROM idempotency_keys').run();
    before.dueToday += 1;
    before.dueThisWeek += 1;
    if ('total' in before) before.total += 1;
    expect(await readStats(), `${at}, another task`).toEqual(before);
  }
});

it('sessions last seven days, even if the clock was wrong when they started', async () => {
  const world = await createWorld();
  const requestMe = async (issuedAt: number) => {
    const token = await createSessionToken(world, world.people.member.userId, realNow + issuedAt);
    return (await sendTestRequest({ method: 'GET', path: '/me', person: { token } }, null)).status;
  };
  expect(await requestMe(2 * DAY_MS)).toBe(200);
  expect(await requestMe(-6 * DAY_MS)).toBe(200);
  expect(await requestMe(-8 * DAY_MS)).toBe(401);
  const { token } = world.people.member;
  moveClock(8 * DAY_MS);
  expect((await sendTestRequest({ method: 'GET', path: '/me', person: { token } }, null)).status).toBe(401);
  moveClock(0);
  expect((await sendTestRequest({ method: 'GET', path: '/me', person: { token } }, null)).status).toBe(200);
});

it("storage is freed once, even if the clock jumps past an upload's expiry and back", async () => {
  const world = await createWorld();
  const { member } = world.people;
  const session = await openFilledSession(member, { projectId: world.projects.joined.id });
  const kept = await openFilledSession(member, { projectId: world.projects.joined.id });
  moveClock(-DAY_MS);
  await runCron('* * * * *');
  expect((await sendTestRequest(toCompleteRequest(world, kept), null)).status).toBe(201);
  moveClock(2 * DAY_MS);
  expect((await sendTestRequest(toCompleteRequest(world, session), null)).status).toBe(404);
  await Promise.all([runCron('* * * * *'), runCron('* * * * *')]);
  moveClock(0);
  expect((await sendTestRequest(toCompleteRequest(world, session), null)).status).toBe(404);
  expect(await readStorage(world)).toEqual({ used: 100, trulyUsed: 100, reserved: 0, trulyReserved: 0 });
  expect(await findInconsistencies()).toEqual([]);
});

it('the next occurrence of a meeting is created once, even if the clock passes its date twice', async () => {
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
  const { body: meeting } = await sendTestRequest(
    { method: 'POST', path: '/meetings', body, person: lead },
    null,
  );
  const countTasks = async () =>
    (
      await getCell(0)
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
    await Promise.all([runCron('* * * * *'), runCron('* * * * *')]);
    expect([at, await countTasks()]).toEqual([at, count]);
  }
  expect(await findInconsistencies()).toEqual([]);
});

function toCompleteRequest({ people }: World, session: string) {
  return { method: 'POST', path: `/chunked-upload/complete/${session}`, person: people.member };
}
