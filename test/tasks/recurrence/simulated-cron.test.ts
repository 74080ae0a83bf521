import { expect, it, onTestFinished, vi } from 'vitest';
import { addDays, toInstant, toWallClock } from '../../../src/kernel/dates/civil-date.ts';
import { runDatabaseJobs } from '../../../src/upkeep/keeper/run-database-jobs.ts';
import { updateWorkspace } from '../../../src/workspaces/settings/change-workspace.ts';
import { findInconsistencies } from '../../suites/faults/databases.ts';
import { api } from '../../support/api.ts';
import { findCounterDrift } from '../../support/counters.ts';
import { getKeeperMemory } from '../../support/cron.ts';
import { env, getCell } from '../../support/env.ts';
import { runForm } from '../../support/forms.ts';
import { createRandom } from '../../support/random.ts';
import { isLong } from '../../support/tier.ts';
import { createSessionToken, createTask, createWorld, type Person, type World } from '../../support/world.ts';

const SEED = 11;
const DAYS = isLong ? 10_000 : 100;
/** The normal tier is short, so rare events happen more often. */
const [OUTAGE_CHANCE, TIME_ZONE_CHANCE] = isLong ? [0.01, 0.01] : [0.05, 0.1];
const OUTAGE_DAYS_MAX = 30;
/** After an outage of 30 days, the cron job runs every minute until every missed day has its task. */
const CATCH_UP_TICKS_MAX = 2 * OUTAGE_DAYS_MAX;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/** In Pacific/Apia, 30 December 2011 doesn't exist. */
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/Santiago',
  'Africa/Cairo',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
];

type IsOn = (date: string) => boolean;
const isWeekday = (date: string, days: readonly number[]) =>
  days.includes(new Date(`${date}T00:00:00Z`).getUTCDay());

/** Rules that create the next task on the current one's day, each with an independent check of a date. */
const scheduled: Readonly<Record<string, IsOn>> = {
  'FREQ=DAILY': () => true,
  'FREQ=WEEKLY;BYDAY=MO,WE,FR': (date) => isWeekday(date, [1, 3, 5]),
  'FREQ=MONTHLY;BYMONTHDAY=-1': (date) => addDays(date, 1).endsWith('-01'),
};
/** Recurrences whose next task is created by completing the current one. */
const completed: Readonly<
  Record<string, { body: object; findNext: (slot: string, today: string) => string }>
> = {
  'workdays after completion': {
    body: { rule: 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', mode: 'completion' },
    findNext: (slot, today) =>
      findNextOn((date) => isWeekday(date, [1, 2, 3, 4, 5]), slot < today ? today : slot),
  },
  'three days after completion': {
    body: { rule: 'FREQ=DAILY', mode: 'completion', days: 3 },
    findNext: (_, today) => addDays(today, 3),
  },
};

function findNextOn(isOn: IsOn, after: string): string {
  let day = addDays(after, 1);
  while (!isOn(day)) day = addDays(day, 1);
  return day;
}

/** Runs the minutely jobs of a cell, including the check whether they are due. */
async function runTick() {
  const pending: Promise<unknown>[] = [];
  const waitUntil = (work: Promise<unknown>) => void pending.push(work);
  await runDatabaseJobs({ env, memory: getKeeperMemory('cell 0'), waitUntil, cell: 0 }, ['* * * * *']);
  await Promise.all(pending);
}

interface CurrentTask {
  readonly id: number;
  readonly name: string;
  readonly slot: string;
}

async function listCurrentTasks({ no }: World): Promise<CurrentTask[]> {
  const query = `SELECT t.id, t.name, r.slot FROM recurrences r JOIN tasks t ON t.id = r.task
    WHERE r.ws = ? AND r.rule IS NOT NULL ORDER BY t.id`;
  return (await getCell(0).prepare(query).bind(no).all<CurrentTask>()).results;
}

it(`recurring tasks skip no day and repeat none in ${DAYS} days of the real job, despite outages of up to ${OUTAGE_DAYS_MAX} days, repeated and overlapping runs, time zone changes and daylight saving (seed ${SEED})`, async () => {
  const end = Date.now();
  // The simulated days end today, because the tasks of later tests must not be older than these.
  const start = end - DAYS * DAY_MINUTES * MINUTE_MS;
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  onTestFinished(() => void vi.useRealTimers());
  const random = createRandom(SEED);
  const world = await createWorld();
  const { member, owner } = world.people;
  /** Sessions end after a week. */
  const openSession = ({ userId }: Person) => createSessionToken(world, userId);

  let zone = 'UTC';
  const getToday = () => toWallClock(Date.now(), zone).date;
  const first = getToday();
  /** The latest date that a run of the cron job has seen. A time zone change can set today back, but not this. */
  let latest = first;
  const names = [...Object.keys(scheduled), ...Object.keys(completed)];
  const expected = new Map(names.map((name) => [name, [first]]));
  for (const name of names) {
    const { id } = await createTask(member, world.projects.joined.id, { name, deadline: first });
    const body = completed[name]?.body ?? { rule: name, mode: 'schedule' };
    expect((await api(member.token).put(`/tasks/${id}/recurrence`, { ...body })).status).toBe(200);
  }

  async function completeTask({ id, name, slot }: CurrentTask) {
    const call = api(await openSession(member));
    const requests = Array.from({ length: random.chance(0.2) ? 2 : 1 }, () =>
      call.patch(`/tasks/${id}`, { status: 'completed' }),
    );
    for (const { status } of await Promise.all(requests)) expect([name, status]).toEqual([name, 200]);
    const { findNext } = completed[name] ?? {};
    if (findNext) expected.get(name)?.push(findNext(slot, getToday()));
  }

  /** Runs the job once, twice in a row or twice at once, sometimes while people complete tasks. */
  async function runCron() {
    const finished = (await listCurrentTasks(world)).filter(() => random.chance(0.2));
    const runs = Array.from({ length: random.chance(0.1) ? 2 : 1 }, runTick);
    await Promise.all([...runs, ...finished.map(completeTask)]);
    if (random.chance(0.1)) await runTick();
    const today = getToday();
    if (today > latest) latest = today;
  }

  const findScheduledSlots = async () =>
    Object.fromEntries(
      (await listCurrentTasks(world)).flatMap(({ name, slot }) => (scheduled[name] ? [[name, slot]] : [])),
    );
  const listExpectedSlots = () =>
    Object.fromEntries(Object.entries(scheduled).map(([name, isOn]) => [name, findNextOn(isOn, latest)]));

  function findNextTick(now: number): number {
    if (random.chance(0.3)) {
      const midnight = toInstant(addDays(getToday(), 1), '00:00', zone);
      return Math.max(now + MINUTE_MS, midnight + random.integer(-1, 1) * MINUTE_MS);
    }
    const days = random.chance(OUTAGE_CHANCE) ? OUTAGE_DAYS_MAX : 1;
    return now + random.integer(1, days * DAY_MINUTES) * MINUTE_MS;
  }

  for (let now = start; now < end; now = Math.min(end, findNextTick(now))) {
    vi.setSystemTime(now);
    if (random.chance(TIME_ZONE_CHANCE)) {
      zone = random.pick(zones.filter((each) => each !== zone));
      const changed = await runForm(await openSession(owner), updateWorkspace, { timezone: zone });
      expect(changed.status).toBe(200);
    }
    await runCron();
    for (
      let ticks = 1;
      Object.values(await findScheduledSlots()).some((slot) => slot <= latest);
      ticks += 1
    ) {
      expect(ticks, `still catching up on ${getToday()}`).toBeLessThan(CATCH_UP_TICKS_MAX);
      now += MINUTE_MS;
      vi.setSystemTime(now);
      await runCron();
    }
    const time = `${new Date(now).toISOString()} in ${zone}`;
    expect([time, await findScheduledSlots()]).toEqual([time, listExpectedSlots()]);
  }

  for (const [name, isOn] of Object.entries(scheduled)) {
    const days = expected.get(name) as string[];
    const last = findNextOn(isOn, latest);
    for (let day = findNextOn(isOn, first); day <= last; day = findNextOn(isOn, day)) days.push(day);
  }
  const { results } = await getCell(0)
    .prepare('SELECT name, due FROM tasks WHERE ws = ? ORDER BY id')
    .bind(world.no)
    .all<{ name: string; due: string }>();
  for (const name of names) {
    const dates = results.filter((each) => each.name === name).map(({ due }) => due);
    expect([name, dates]).toEqual([name, expected.get(name)]);
  }
  expect(await findCounterDrift(world)).toEqual([]);
  expect(await findInconsistencies()).toEqual([]);
}, 3_600_000);
