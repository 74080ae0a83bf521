import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseText } from '../../../src/tasks/quick-add/parse-text.ts';

/** A Friday. */
const TODAY = '2026-11-27';
const parseLine = (text: string, today = TODAY) => {
  const { name, details } = parseText(text, today);
  return [
    name,
    ...details.map((detail) =>
      'date' in detail ? detail.date : 'name' in detail ? detail.name : detail.priority,
    ),
  ];
};
const parseLineDate = (phrase: string, today = TODAY) => parseLine(`Task, ${phrase}`, today)[1] ?? null;

describe('a line of quick-add text', () => {
  it.each([
    ['Write the report, @Ada, friday, high', ['Write the report', 'Ada', '2026-12-04', 'high']],
    ['Write the report , FRI ,  HIGH ', ['Write the report', '2026-12-04', 'high']],
    ['Write, #Website relaunch, @ada@example.test', ['Write', 'Website relaunch', 'ada@example.test']],
    ['Buy bread, milk, honey, low', ['Buy bread, milk, honey', 'low']],
    // The task name includes everything up to the last part that isn't recognized.
    ['Buy bread, high, low-fat milk', ['Buy bread, high, low-fat milk']],
    ['Call Bob, friday, or so', ['Call Bob, friday, or so']],
    ['Write, high,', ['Write', 'high']],
    ['Write, , high, , ', ['Write,', 'high']],
    ['Write, ', ['Write, ']],
    // These people have names that look like a priority or a day.
    ['Write, @high, @friday', ['Write', 'high', 'friday']],
    ['Write, @', ['Write, @']],
    ['Write, #, @', ['Write, #, @']],
    ['friday', ['friday']],
    ['@ada', ['@ada']],
    [', friday', ['', '2026-12-04']],
    // Copied text can contain invisible characters that set the writing direction.
    ['Write, \u200f@\u200fAda\u200e, \u202bfriday\u202c', ['Write', 'Ada', '2026-12-04']],
    ['Write, <img src=x onerror=alert(1)>', ['Write, <img src=x onerror=alert(1)>']],
    ['Write, high priority', ['Write, high priority']],
    ['Write, +3d', ['Write', '2026-11-30']],
    ['Write, +2W', ['Write', '2026-12-11']],
    ['Write, +3', ['Write, +3']],
  ])('is parsed into the task name and details: %j', (text, expected) => {
    expect(parseLine(text)).toEqual(expected);
  });

  it('becomes the task name unchanged if it contains no comma', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (any) => {
        const text = any.replaceAll(',', '');
        expect(parseText(text, TODAY)).toEqual({ name: text, details: [] });
      }),
    );
  });

  it('is split into a name and details without dropping any text except spaces and commas', () => {
    const piece = fc.oneof(
      fc.constantFrom('', ' ', 'high', 'Low', ' friday', 'in 3 days', '@Ada', '#7', '@', '24 Dec', '\u200f'),
      fc.string({ unit: 'binary' }),
    );
    const omitSeparators = (text: string) => text.replace(/[\s,]/g, '');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join(',');
        const { name, details } = parseText(text, TODAY);
        expect(text.trimStart().startsWith(name.trimStart())).toBe(true);
        expect(omitSeparators(name + details.map(({ phrase }) => phrase).join(''))).toBe(
          omitSeparators(text),
        );
      }),
    );
  });

  it('can contain hundreds of commas or details', () => {
    const commas = ','.repeat(700);
    expect(parseLine(`Task${commas}`)).toEqual([`Task${commas}`]);
    expect(parseText(`Task${',high'.repeat(140)}`, TODAY).details).toHaveLength(140);
  });
});

describe('a day in quick-add text', () => {
  it.each([
    ['today', '2026-11-27'],
    ['Tomorrow', '2026-11-28'],
    ['sat', '2026-11-28'],
    ['Sunday', '2026-11-29'],
    ['mon', '2026-11-30'],
    ['thursday', '2026-12-03'],
    // Today is a Friday, but a weekday always means a day after today.
    ['friday', '2026-12-04'],
    ['next week', '2026-11-30'],
    ['in 1 day', '2026-11-28'],
    ['in 3  days', '2026-11-30'],
    ['in 2 weeks', '2026-12-11'],
    ['24 Dec', '2026-12-24'],
    ['dec 24', '2026-12-24'],
    ['24 december', '2026-12-24'],
    ['27 nov', '2026-11-27'],
    ['26 Nov', '2027-11-26'],
    ['1 jan 2028', '2028-01-01'],
    ['Mar 5 2020', '2020-03-05'],
    ['29 feb', '2028-02-29'],
    ['2026-12-24', '2026-12-24'],
    ['2020-01-01', '2020-01-01'],
  ])('is recognized in %j', (phrase, date) => {
    expect(parseLineDate(phrase)).toBe(date);
  });

  it.each([
    '31 feb',
    '2026-02-30',
    '24',
    'dec',
    'frid',
    'fridays',
    'next friday',
    '0 dec',
    '24 foo',
    'in days',
    'in 5000 days',
    '29 feb 2027',
    'constructor',
  ])("isn't recognized in %j", (phrase) => {
    expect(parseLineDate(phrase)).toBeNull();
  });

  it('that is given as a weekday is the first such weekday after today', () => {
    const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
    for (let day = 0; day < 14; day += 1) {
      const today = new Date(Date.UTC(2026, 11, 25 + day)).toISOString().slice(0, 10);
      for (const [index, name] of days.entries()) {
        const found = parseLineDate(name, today) ?? '';
        const ahead = (Date.parse(found) - Date.parse(today)) / 86_400_000;
        expect([name, ahead >= 1 && ahead <= 7]).toEqual([name, true]);
        expect((new Date(found).getUTCDay() + 6) % 7).toBe(index);
      }
    }
  });
});
