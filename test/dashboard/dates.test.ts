import { describe, expect, it } from 'vitest';
import { toDueState } from '../../src/dashboard/tasks/due-state.ts';
import { api } from '../support/api.ts';
import { createTask, createWorld } from '../support/world.ts';
import { computeStats, readModel } from './model.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const toDate = (ms: number) => new Date(ms).toISOString().slice(0, 10);

describe("the dashboard's localDate parameter", () => {
  it('determines which tasks are overdue, due today and due this week, in every time zone and on leap days', async () => {
    const world = await createWorld();
    const { owner } = world.people;
    const moments = [
      '2027-12-31T12:00:00Z',
      '2028-01-01T03:00:00Z',
      '2028-02-29T12:00:00Z',
      '2028-03-01T00:30:00Z',
    ];
    for (const around of ['2027-12-24', '2028-02-22']) {
      for (let offset = 0; offset < 16; offset += 1) {
        await createTask(owner, world.projects.joined.id, {
          deadline: toDate(Date.parse(around) + offset * DAY_MS),
        });
      }
    }
    const model = await readModel(world);
    const caller = model.members.find((each) => each.no === owner.member);
    if (!caller) throw new Error('the owner is a member');
    for (const moment of moments) {
      for (let offset = -12; offset <= 14; offset += 1) {
        const localDate = toDate(Date.parse(moment) + offset * HOUR_MS);
        const { body } = await api(owner.token).get(`/dashboard/stats?localDate=${localDate}`);
        expect(body, `${moment} ${offset}`).toEqual(computeStats(model, caller, { localDate }));
        const { body: due } = await api(owner.token).get(
          `/dashboard/tasks?localDate=${localDate}&from=${localDate}&to=${localDate}`,
        );
        for (const task of due.data) expect([task.dueState, task.daysDiff]).toEqual(['due_today', 0]);
        expect(due.data.length).toBe(body.dueToday);
      }
    }
  });
});

it('the dashboard includes tasks with deadlines up to the last possible day, 9999-12-31', async () => {
  const world = await createWorld();
  const { owner } = world.people;
  const last = '9999-12-31';
  for (const deadline of ['2020-01-01', last, null])
    await createTask(owner, world.projects.joined.id, { deadline });
  const readStats = async (query: string) => (await api(owner.token).get(`/dashboard/stats?${query}`)).body;
  expect(await readStats('')).toMatchObject({ overdue: 1, dueToday: 0 });
  expect(await readStats(`to=${last}`)).toMatchObject({ overdue: 1, dueToday: 0 });
  for (const query of [`localDate=${last}`, `localDate=${last}&to=${last}`, `localDate=${last}&search=a`]) {
    expect(await readStats(query), query).toMatchObject({ overdue: 1, dueToday: 1, dueThisWeek: 1 });
  }
  const { body } = await api(owner.token).get(`/dashboard/tasks?to=${last}`);
  expect(body.meta.total).toBe(2);
});

describe("a task's due state", () => {
  const friday = '2026-11-20';
  it.each([
    ['2026-11-17', 'overdue', 'Overdue by 3 days', -3],
    ['2026-11-19', 'overdue', 'Overdue by 1 day', -1],
    ['2026-11-20', 'due_today', 'Due today', 0],
    ['2026-11-21', 'due_this_week', 'Due tomorrow', 1],
    ['2026-11-22', 'due_this_week', 'Due in 2 days', 2],
    ['2026-11-23', 'upcoming', 'Due in 3 days', 3],
    ['2027-01-01', 'upcoming', 'Due in 42 days', 42],
  ])('for a deadline of %s is %s on Friday 2026-11-20 (%s)', (deadline, dueState, dueLabel, daysDiff) => {
    expect(toDueState(deadline, false, friday)).toEqual({ dueState, dueLabel, daysDiff });
  });

  it('is "upcoming" on a Sunday if the deadline is the next day, because weeks start on Monday', () => {
    expect(toDueState('2026-11-23', false, '2026-11-22')).toMatchObject({
      dueState: 'upcoming',
      dueLabel: 'Due tomorrow',
    });
  });

  it('is "none" if the task is completed, but the days until the deadline are still returned', () => {
    expect(toDueState('2026-11-01', true, friday)).toEqual({
      dueState: 'none',
      dueLabel: 'Completed',
      daysDiff: -19,
    });
    expect(toDueState(null, true, friday)).toEqual({
      dueState: 'none',
      dueLabel: 'Completed',
      daysDiff: null,
    });
  });

  it('is "none" if the task has no deadline', () => {
    expect(toDueState(null, false, friday)).toEqual({
      dueState: 'none',
      dueLabel: 'No deadline',
      daysDiff: null,
    });
  });
});
