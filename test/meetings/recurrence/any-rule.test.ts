import fc from 'fast-check';
import { RRule, Weekday } from 'rrule';
import { describe, expect, it } from 'vitest';
import { parseNewSeries, parseStoredSeries } from '../../../src/meetings/recurrence/recurrence.ts';
import { expectQuick } from '../../support/linear-time.ts';

const TODAY = '2026-03-01';
const buildStart = (date: string) => ({ date, time: '09:00', timezone: 'UTC' });

describe('any recurrence rule', () => {
  const names = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
  const rules = fc
    .record({
      frequency: fc.constantFrom('DAILY' as const, 'WEEKLY' as const, 'MONTHLY' as const),
      interval: fc.integer({ min: 1, max: 15 }),
      weekdays: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 3 }),
      nth: fc.constantFrom(0, 0, 1, 2, 5, -1, -5),
      monthDays: fc.uniqueArray(
        fc.integer({ min: -31, max: 31 }).filter((day) => day !== 0),
        { maxLength: 3 },
      ),
      day: fc.integer({ min: 0, max: 2_000 }),
    })
    .map(({ day, ...rule }) => ({
      ...rule,
      day,
      nth: rule.frequency === 'MONTHLY' ? rule.nth : 0,
      monthDays: rule.frequency === 'WEEKLY' || rule.nth !== 0 ? [] : rule.monthDays,
      first: new Date(Date.UTC(2024, 0, 1 + day)).toISOString().slice(0, 10),
    }));

  it('yields the same days as the rrule package', () => {
    fc.assert(
      fc.property(rules, ({ frequency, interval, weekdays, nth, monthDays, first }) => {
        const text = [
          `FREQ=${frequency}`,
          `INTERVAL=${interval}`,
          ...(weekdays.length > 0
            ? [`BYDAY=${weekdays.map((day) => `${nth || ''}${names[day]}`).join(',')}`]
            : []),
          ...(monthDays.length > 0 ? [`BYMONTHDAY=${monthDays.join(',')}`] : []),
        ].join(';');
        const start = new Date(`${first}T09:00:00Z`);
        const end = new Date(start.getTime() + 3_650 * 86_400_000);
        const expected = new RRule({
          freq: RRule[frequency],
          interval,
          dtstart: start,
          ...(weekdays.length > 0 && {
            byweekday: weekdays.map((day) => (nth === 0 ? new Weekday(day) : new Weekday(day, nth))),
          }),
          ...(monthDays.length > 0 && { bymonthday: monthDays }),
        })
          .between(start, end, false, (_, index) => index < 8)
          .slice(0, 8)
          .map((date) => date.toISOString().slice(0, 10));
        const series = parseStoredSeries(text, buildStart(first));
        const found = expected.map((_, index) =>
          series.dayAfter({ date: index === 0 ? first : (expected[index - 1] as string), time: '09:00' }),
        );
        expect(found, `${text} from ${first}`).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  });

  it('counts the first day toward COUNT', () => {
    fc.assert(
      fc.property(rules, fc.integer({ min: 1, max: 9 }), ({ frequency, interval, first, day }, count) => {
        const text = `FREQ=${frequency};INTERVAL=${interval}${frequency === 'DAILY' ? '' : `;BYDAY=${names[day % 7]}`}`;
        const days = [first];
        const endless = parseStoredSeries(text, buildStart(first));
        while (days.length < count) {
          const next = endless.dayAfter({ date: days.at(-1) as string, time: '09:00' });
          if (next === null) break;
          days.push(next);
        }
        const counted = parseStoredSeries(`${text};COUNT=${count}`, buildStart(first));
        expect(counted.daysWithin(first, '2060-01-01'), text).toEqual(days);
        expect(counted.daysWithin(days.at(-1) as string, '2060-01-01'), text).toEqual(days.slice(-1));
        expect(counted.lastDay(), text).toBe(days.at(-1));
      }),
      { numRuns: 100 },
    );
  });

  it('is evaluated only up to ten years ahead', () => {
    const series = parseStoredSeries('FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=31', buildStart('2026-02-02'));
    expect(series.dayAfter({ date: '2026-02-02', time: '09:00' })).toBeNull();
    expect(
      parseStoredSeries(
        'FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=31;UNTIL=99991231',
        buildStart('2026-02-02'),
      ).lastDay(),
    ).toBe('2026-02-02');
  });

  const MOMENT_MS = 150;

  it('is evaluated quickly', async () => {
    const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY'];
    const parts = [
      '',
      ';BYDAY=TU',
      ';BYDAY=5MO',
      ';BYMONTHDAY=31',
      ';BYDAY=TU;BYMONTHDAY=31',
      ';BYDAY=WE;BYMONTHDAY=29',
      ';COUNT=999',
      ';BYDAY=SU;BYMONTHDAY=-31;COUNT=999',
      ';BYMONTHDAY=-31;UNTIL=99991231',
    ];
    for (const frequency of frequencies) {
      for (const part of parts) {
        for (const interval of [1, 2, 7, 12, 14, 27, 28, 60, 84, 364, 777, 998]) {
          for (const date of ['2016-03-03', '2026-02-02', '2028-02-29']) {
            const text = `FREQ=${frequency};INTERVAL=${interval}${part}`;
            const findOccurrences = () => {
              try {
                const series = parseNewSeries(text, buildStart(date), TODAY);
                series.dayAfter({ date: '2026-03-02', time: '10:00' });
              } catch (error) {
                expect(String(error), text).toMatch(/recurrence/);
              }
            };
            await expectQuick(findOccurrences, MOMENT_MS, `${text} from ${date}`);
          }
        }
      }
    }
  });
});
