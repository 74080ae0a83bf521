import { describe, expect, it } from 'vitest';
import { addDays, toInstant, toWallClock } from '../../../src/kernel/dates/civil-date.ts';
import {
  findFirstSlot,
  findNextDay,
  getNextTaskTime,
  planDueSeries,
  type Series,
} from '../../../src/tasks/recurrence/recurrence-days.ts';
import { createRandom } from '../../support/random.ts';
import { isLong } from '../../support/tier.ts';

const SEED = 7;
const DAYS = isLong ? 10_000 : 800;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * Includes time zones whose clocks change at midnight, by half an hour, or not at all, and the first and last zones to
 * begin a day.
 */
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/Los_Angeles',
  'America/Santiago',
  'Africa/Cairo',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
];

const parse = (date: string) => new Date(`${date}T00:00:00Z`);
const isWeekday = (date: string, ...days: number[]) => days.includes(parse(date).getUTCDay());
const isLastOfMonth = (date: string) => addDays(date, 1).endsWith('-01');
const isLastFriday = (date: string) =>
  isWeekday(date, 5) && addDays(date, 7).slice(5, 7) !== date.slice(5, 7);
const countDays = (from: string, to: string) => (parse(to).getTime() - parse(from).getTime()) / DAY_MS;

const FIRST_DAY = '2026-11-30';

/** Rules, each with an independent function that checks whether the rule includes a date. */
const rules: readonly (readonly [rule: string, isOn: (date: string) => boolean])[] = [
  ['FREQ=DAILY', () => true],
  ['FREQ=DAILY;INTERVAL=3', (date) => countDays(FIRST_DAY, date) % 3 === 0],
  ['FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', (date) => isWeekday(date, 1, 2, 3, 4, 5)],
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=SU', (date) => isWeekday(date, 0) && countDays(FIRST_DAY, date) % 14 === 6],
  ['FREQ=MONTHLY;BYMONTHDAY=-1', isLastOfMonth],
  ['FREQ=MONTHLY;BYMONTHDAY=31', (date) => date.endsWith('-31')],
  ['FREQ=MONTHLY;BYDAY=-1FR', isLastFriday],
];

interface Moment {
  now: number;
  zone: string;
}

/** Yields the times of the cron runs: several a day, sometimes two at once, and sometimes none for days. */
function* listMoments(): Generator<Moment> {
  const random = createRandom(SEED);
  let now = toInstant(FIRST_DAY, '12:00', 'UTC');
  const end = now + DAYS * DAY_MS;
  let zone = zones[1] as string;
  while (now < end) {
    if (random.chance(0.01)) zone = random.pick(zones);
    if (random.chance(0.1)) yield { now, zone };
    yield { now, zone };
    now += random.integer(1, (random.chance(0.02) ? 100 : 12) * 60) * MINUTE_MS;
  }
  yield { now: end, zone };
}

describe(`a recurring task over ${DAYS} days (seed ${SEED})`, () => {
  it.each(rules)(
    'is repeated once on every date that %s includes, despite outages, repeated runs and clock changes',
    (rule, isOn) => {
      let series: Series = {
        rule,
        mode: 'schedule',
        days: null,
        first_day: FIRST_DAY,
        slot: findFirstSlot(FIRST_DAY, FIRST_DAY),
        occurrence: 1,
      };
      let zone = zones[1] as string;
      let dueAt = getNextTaskTime(series, zone) as number;
      const created: string[] = [];
      const late: string[] = [];
      for (const moment of listMoments()) {
        if (moment.zone !== zone) {
          zone = moment.zone;
          // Imitates `rescheduleSeries`, which assumes the easternmost time zone.
          dueAt = parse(series.slot).getTime() - 14 * 60 * MINUTE_MS;
        }
        const today = toWallClock(moment.now, zone).date;
        while (dueAt <= moment.now) {
          const plan = planDueSeries(series, moment.now, zone);
          if ('waitUntil' in plan) {
            expect(plan.waitUntil).toBeGreaterThan(moment.now);
            dueAt = plan.waitUntil;
            continue;
          }
          if (today < series.slot) late.push(`${plan.day} was created before ${series.slot}`);
          series = { ...series, slot: plan.day as string, occurrence: series.occurrence + 1 };
          dueAt = getNextTaskTime(series, zone) as number;
          created.push(series.slot);
        }
        if (series.slot <= today) late.push(`nothing follows ${series.slot} on ${today}`);
      }
      const expected: string[] = [];
      for (let day = addDays(FIRST_DAY, 1); day <= (created.at(-1) as string); day = addDays(day, 1)) {
        if (isOn(day)) expected.push(day);
      }
      expect(late).toEqual([]);
      expect(created).toEqual(expected);
      expect(countDays(FIRST_DAY, created.at(-1) as string)).toBeGreaterThan(DAYS - 40);
    },
  );
});

describe("the next task's due date", () => {
  const weekly: Series = {
    rule: 'FREQ=WEEKLY;BYDAY=FR',
    mode: 'completion',
    days: null,
    first_day: '2026-12-04',
    slot: '2026-12-04',
    occurrence: 1,
  };
  const findNext = (series: Partial<Series>, today: string) =>
    findNextDay({ ...weekly, ...series }, today, 'Europe/Berlin');

  it('is after the current due date if the task is completed early, and after today if it is completed late', () => {
    expect(findNext({}, '2026-12-02')).toBe('2026-12-11');
    expect(findNext({}, '2026-12-04')).toBe('2026-12-11');
    expect(findNext({}, '2026-12-11')).toBe('2026-12-18');
    expect(findNext({}, '2026-12-24')).toBe('2026-12-25');
  });

  it('is the given number of days after completion, if the recurrence specifies days', () => {
    expect(findNext({ days: 10 }, '2026-12-24')).toBe('2027-01-03');
  });

  it('is null once COUNT tasks exist, or after UNTIL', () => {
    const counted = 'FREQ=DAILY;COUNT=2';
    expect(findNext({ rule: counted, mode: 'schedule' }, '2026-12-04')).toBe('2026-12-05');
    expect(findNext({ rule: counted, mode: 'schedule', occurrence: 2 }, '2026-12-05')).toBeNull();
    expect(findNext({ rule: 'FREQ=DAILY;UNTIL=20261205' }, '2026-12-04')).toBe('2026-12-05');
    expect(findNext({ rule: 'FREQ=DAILY;UNTIL=20261205' }, '2026-12-05')).toBeNull();
    // 23:30 in UTC is already the next day in Berlin.
    expect(findNext({ rule: 'FREQ=DAILY;UNTIL=20261205T233000Z' }, '2026-12-05')).toBe('2026-12-06');
  });

  it('is calculated from today if the deadline has passed', () => {
    expect(findFirstSlot(null, '2026-12-04')).toBe('2026-12-04');
    expect(findFirstSlot('2020-01-01', '2026-12-04')).toBe('2026-12-03');
    expect(findFirstSlot('2026-12-31', '2026-12-04')).toBe('2026-12-31');
  });
});
