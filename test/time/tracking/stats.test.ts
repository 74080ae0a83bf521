import { describe, expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { createRandom } from '../../support/random.ts';
import { createTask, createWorld } from '../../support/world.ts';
import { insertEntry, readStoredEntries, type StoredEntry, setTimezone } from './stored-entries.ts';

const DAY_MS = 86_400_000;

/** Computes the day independently of the tested code. */
const formatDay = (ms: number, timeZone: string) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(ms);
const shiftDay = (day: string, days: number) =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

function getExpectedDays(period: string, today: string): { from: string; to: string } {
  const [year = 0, month = 0] = today.split('-').map(Number);
  const sinceMonday = (new Date(today).getUTCDay() + 6) % 7;
  const lastOfMonth = new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
  const days: Record<string, { from: string; to: string }> = {
    day: { from: today, to: today },
    week: { from: shiftDay(today, -sinceMonday), to: shiftDay(today, 6 - sinceMonday) },
    month: { from: `${today.slice(0, 7)}-01`, to: lastOfMonth },
  };
  return days[period] ?? { from: shiftDay(today, -6), to: today };
}

function sumSeconds(entries: readonly StoredEntry[], now: number) {
  const seconds = entries.map((each) => Math.floor(((each.ended_at ?? now) - each.started_at) / 1000));
  return seconds.reduce((sum, each) => sum + each, 0);
}

/** Rounds half up with integers, because `toFixed` would round 7.145 down. */
const toHours = (seconds: number) => Math.floor((seconds * 100 + 1800) / 3600) / 100;

describe('GET /timer/stats', () => {
  it.each(['UTC', 'Pacific/Auckland', 'America/Los_Angeles'])(
    'returns the sums of the stored entries for every period in the time zone %s',
    async (timezone) => {
      const world = await createWorld();
      const { member, lead } = world.people;
      await setTimezone(world, timezone);
      const tasks = await Promise.all(
        [world.projects.joined, world.projects.joined, world.projects.other].map(async (project) => ({
          ...(await createTask(member, project.id)),
          project,
        })),
      );
      const random = createRandom(7);
      const startedAt = Date.now();
      for (let made = 0; made < 60; made += 1) {
        // Half of the entries are recent, so that every period contains finished entries.
        const start = startedAt - random.integer(1, (made < 30 ? 3 : 40) * DAY_MS);
        const end = start + random.integer(0, 7_200_000);
        await insertEntry(world, member, random.pick(tasks).id, start, Math.min(end, startedAt));
      }
      await insertEntry(world, member, tasks[0]?.id ?? 0, startedAt - 5_000, null);
      await insertEntry(world, lead, tasks[0]?.id ?? 0, startedAt - 5_000, null);
      const stored = await readStoredEntries(world, member);

      for (const period of ['day', 'week', 'month', 'rolling', 'year', 'WEEK', '']) {
        const before = Date.now();
        const { status, body } = await api(member.token).get(`/timer/stats?period=${period}`);
        const after = Date.now();
        expect(status).toBe(200);
        const days = getExpectedDays(period, formatDay(before, timezone));
        expect(body).toMatchObject({
          period: ['day', 'week', 'month'].includes(period) ? period : 'rolling',
          ...days,
        });
        const counted = stored.filter((each) => {
          const day = formatDay(each.started_at, timezone);
          return days.from <= day && day <= days.to;
        });
        const expectTotals = (
          entries: StoredEntry[],
          found: { totalSeconds: number; totalHours: number },
        ) => {
          expect(found.totalSeconds).toBeGreaterThanOrEqual(sumSeconds(entries, before));
          expect(found.totalSeconds).toBeLessThanOrEqual(sumSeconds(entries, after));
          expect(found.totalHours).toBeCloseTo(toHours(found.totalSeconds), 2);
        };
        expect(body.entryCount).toBe(counted.length);
        expectTotals(counted, body);
        const expectedTasks = tasks.filter((task) => counted.some((each) => each.task === task.id));
        expect(body.tasks).toHaveLength(expectedTasks.length);
        for (const task of expectedTasks) {
          const found = body.tasks.find((each: { taskId: number }) => each.taskId === task.id);
          const own = counted.filter((each) => each.task === task.id);
          expect(found).toMatchObject({
            taskName: task.name,
            project: task.project,
            entryCount: own.length,
          });
          expectTotals(own, found);
        }
        const order = body.tasks.map((each: { totalSeconds: number }) => each.totalSeconds);
        expect(order).toEqual([...order].sort((a, b) => b - a));
      }
    },
  );

  it('defaults to the current week, and returns zeros without entries', async () => {
    const world = await createWorld();
    const { body } = await api(world.people.client.token).get('/timer/stats');
    expect(body).toEqual({
      period: 'week',
      ...getExpectedDays('week', formatDay(Date.now(), 'UTC')),
      totalSeconds: 0,
      totalHours: 0,
      entryCount: 0,
      tasks: [],
    });
    const trimmed = await api(world.people.client.token).get('/timer/stats?fields=totalHours');
    expect(trimmed.body).toEqual({ totalHours: 0 });
  });

  it('orders tasks by time, then by id, and rounds hours to two decimals', async () => {
    const world = await createWorld();
    const { member } = world.people;
    const made = [];
    for (let index = 0; index < 3; index += 1) made.push(await createTask(member, world.projects.joined.id));
    const [first = 0, second = 0, third = 0] = made.map((each) => each.id);
    const end = Date.now();
    // 5,700.9 seconds count as 5,700, which is 1.58 hours.
    await insertEntry(world, member, third, end - 5_700_900, end);
    await insertEntry(world, member, second, end - 1_000_000, end);
    await insertEntry(world, member, first, end - 1_000_999, end);
    const { body } = await api(member.token).get('/timer/stats?period=other');
    const rows = body.tasks.map((each: Record<string, unknown>) => [
      each.taskId,
      each.totalSeconds,
      each.totalHours,
    ]);
    expect(rows).toEqual([
      [third, 5700, 1.58],
      [first, 1000, 0.28],
      [second, 1000, 0.28],
    ]);
    expect(body).toMatchObject({ totalSeconds: 7700, totalHours: 2.14, entryCount: 3 });
  });

  it('rejects unknown and repeated parameters, and unknown fields', async () => {
    const world = await createWorld();
    for (const query of ['from=2026-01-01', 'period=day&period=week', 'fields=total']) {
      expect((await api(world.people.member.token).get(`/timer/stats?${query}`)).status).toBe(400);
    }
  });
});
