import { describe, expect, it } from 'vitest';
import { parseNewSeries, parseStoredSeries } from '../../../src/meetings/recurrence/recurrence.ts';

const TODAY = '2026-03-01';
const UTC = { date: '2026-03-02', time: '09:00', timezone: 'UTC' };

function listDays(text: string, first = UTC, limit = 6): string[] {
  const series = parseNewSeries(text, first, TODAY);
  const days = [first.date];
  for (let made = 1; made < limit; made += 1) {
    const next = series.dayAfter({ date: days.at(-1) as string, time: first.time });
    if (next === null) break;
    days.push(next);
  }
  return days;
}

const buildStart = (date: string) => ({ ...UTC, date });

describe("a recurring meeting's days", () => {
  it.each([
    ['FREQ=DAILY', buildStart('2026-02-27'), ['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02']],
    ['RRULE:FREQ=DAILY;INTERVAL=3', UTC, ['2026-03-02', '2026-03-05', '2026-03-08', '2026-03-11']],
    ['freq=weekly', UTC, ['2026-03-02', '2026-03-09', '2026-03-16', '2026-03-23']],
    ['FREQ=WEEKLY;BYDAY=MO,WE', UTC, ['2026-03-02', '2026-03-04', '2026-03-09', '2026-03-11']],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO', UTC, ['2026-03-02', '2026-03-08', '2026-03-16', '2026-03-22']],
    ['FREQ=DAILY;BYDAY=SA,SU', UTC, ['2026-03-02', '2026-03-07', '2026-03-08', '2026-03-14']],
    ['FREQ=MONTHLY', buildStart('2026-01-31'), ['2026-01-31', '2026-03-31', '2026-05-31', '2026-07-31']],
    [
      'FREQ=MONTHLY;BYMONTHDAY=-1',
      buildStart('2026-01-31'),
      ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30'],
    ],
    ['FREQ=MONTHLY;BYDAY=-1FR', UTC, ['2026-03-02', '2026-03-27', '2026-04-24', '2026-05-29']],
    ['FREQ=MONTHLY;BYDAY=1MO,+3MO', UTC, ['2026-03-02', '2026-03-16', '2026-04-06', '2026-04-20']],
    ['FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13', UTC, ['2026-03-02', '2026-03-13', '2026-11-13', '2027-08-13']],
    ['FREQ=MONTHLY;BYDAY=SA,1MO', UTC, ['2026-03-02', '2026-03-07', '2026-03-14', '2026-03-21']],
    [
      'FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=29',
      buildStart('2024-02-29'),
      ['2024-02-29', '2028-02-29', '2032-02-29', '2036-02-29'],
    ],
  ])('follow the rule %s from a given day', (text, first, expected) => {
    expect(listDays(text, first, 4)).toEqual(expected);
  });

  it.each([
    ['FREQ=DAILY;COUNT=3', ['2026-03-02', '2026-03-03', '2026-03-04']],
    ['FREQ=DAILY;COUNT=1', ['2026-03-02']],
    // The series' first day counts as an occurrence even if it doesn't match the rule.
    ['FREQ=WEEKLY;BYDAY=TU;COUNT=3', ['2026-03-02', '2026-03-03', '2026-03-10']],
    ['FREQ=WEEKLY;BYDAY=TU;COUNT=1', ['2026-03-02']],
    ['FREQ=DAILY;UNTIL=20260304', ['2026-03-02', '2026-03-03', '2026-03-04']],
    ['FREQ=DAILY;UNTIL=20260304T090000', ['2026-03-02', '2026-03-03', '2026-03-04']],
    ['FREQ=DAILY;UNTIL=20260304T085959', ['2026-03-02', '2026-03-03']],
    ['FREQ=DAILY;UNTIL=20260302', ['2026-03-02']],
  ])('end with the last occurrence of the rule %s', (text, expected) => {
    expect(listDays(text)).toEqual(expected);
    expect(parseStoredSeries(text, UTC).lastDay()).toBe(expected.at(-1));
  });

  it("end at the time in UNTIL, which is converted from UTC to the workspace's time zone", () => {
    const first = { ...UTC, timezone: 'America/New_York' };
    // 09:00 in New York is 14:00 UTC before 8 March, and 13:00 UTC from then on.
    expect(listDays('FREQ=DAILY;UNTIL=20260304T135900Z', first)).toEqual(['2026-03-02', '2026-03-03']);
    expect(listDays('FREQ=DAILY;UNTIL=20260304T140000Z', first).at(-1)).toBe('2026-03-04');
  });
});

describe('an invalid recurrence rule', () => {
  it.each([
    ['', 'must consist of NAME=value parts'],
    ['weekly', 'must consist of NAME=value parts'],
    ['FREQ=WEEKLY;', 'must consist of NAME=value parts'],
    ['FREQ=WEEKLY;BYDAY=', 'must consist of NAME=value parts'],
    ['FREQ=WEEKLY;BYDAY=MO=TU', 'must consist of NAME=value parts'],
    ['RRULE:RRULE:FREQ=DAILY', "unknown part 'RRULE:FREQ'"],
    ['DTSTART:20260302\nRRULE:FREQ=DAILY', 'unknown part'],
    ['INTERVAL=2', 'must have FREQ'],
    ['FREQ=SECONDLY', "got 'SECONDLY'"],
    ['FREQ=HOURLY', "got 'HOURLY'"],
    ['FREQ=YEARLY', "got 'YEARLY'"],
    ['FREQ=DAILY;FREQ=WEEKLY', 'FREQ more than once'],
    ['FREQ=DAILY;BYHOUR=9', "unknown part 'BYHOUR'"],
    ['FREQ=MONTHLY;BYSETPOS=1;BYDAY=MO', "unknown part 'BYSETPOS'"],
    ['FREQ=DAILY;INTERVAL=0', 'INTERVAL set to a number from 1 to 999'],
    ['FREQ=DAILY;INTERVAL=1000', 'INTERVAL set to a number from 1 to 999'],
    ['FREQ=DAILY;INTERVAL=1.5', 'INTERVAL set to a number from 1 to 999'],
    ['FREQ=DAILY;COUNT=0', 'COUNT set to a number from 1 to 999'],
    ['FREQ=DAILY;COUNT=-1', 'COUNT set to a number from 1 to 999'],
    ['FREQ=DAILY;COUNT=2;UNTIL=20260401', 'both COUNT and UNTIL'],
    ['FREQ=WEEKLY;BYDAY=XX', "got 'XX'"],
    ['FREQ=WEEKLY;BYDAY=MO,', "got ''"],
    ['FREQ=WEEKLY;BYDAY=MO, TU', "got ' TU'"],
    ['FREQ=WEEKLY;BYDAY=2MO', 'only with FREQ=MONTHLY'],
    ['FREQ=MONTHLY;BYDAY=6MO', "got '6MO'"],
    ['FREQ=MONTHLY;BYDAY=0MO', "got '0MO'"],
    ['FREQ=MONTHLY;BYDAY=5MO;BYMONTHDAY=1', 'has both BYMONTHDAY and the numbered'],
    ['FREQ=WEEKLY;BYMONTHDAY=1', 'does not support'],
    ['FREQ=MONTHLY;BYMONTHDAY=32', "got '32'"],
    ['FREQ=MONTHLY;BYMONTHDAY=0', "got '0'"],
    ['FREQ=DAILY;UNTIL=20260230', "got '20260230'"],
    ['FREQ=DAILY;UNTIL=2026-04-01', "got '2026-04-01'"],
    ['FREQ=DAILY;UNTIL=20260401T250000', 'must have UNTIL'],
    ['FREQ=DAILY;UNTIL=20260301', 'ends before it starts'],
    ['FREQ=DAILY;UNTIL=20260302T085900Z', 'ends before it starts'],
    ['FREQ=WEEKLY;BYDAY=WE;UNTIL=20260303', 'has no occurrence'],
    ['FREQ=DAILY;INTERVAL=7;BYDAY=TU', 'has no occurrence'],
    ['FREQ=MONTHLY;INTERVAL=999', 'within 10 years'],
    ['FREQ=MONTHLY;INTERVAL=999;COUNT=2', 'within 10 years'],
  ])('is rejected: %j', (text, message) => {
    expect(() => parseNewSeries(text, UTC, TODAY)).toThrow(message);
  });

  it('is rejected if none of its days exists', () => {
    expect(() =>
      parseNewSeries('FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=31', buildStart('2026-02-02'), TODAY),
    ).toThrow('has no occurrence');
  });

  it('is rejected if it starts more than ten years before or after today', () => {
    expect(() => parseNewSeries('FREQ=DAILY', buildStart('0001-01-01'), TODAY)).toThrow(
      'within 10 years of today',
    );
    expect(() => parseNewSeries('FREQ=DAILY', buildStart('9999-12-31'), TODAY)).toThrow(
      'within 10 years of today',
    );
  });
});
