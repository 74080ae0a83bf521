// This file is long because its cases list every phrase that quick add recognizes.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseText } from '../../../src/tasks/quick-add/parse-text.ts';

/** A Friday. */
const TODAY = '2026-11-27';
const parseLine = (text: string, today = TODAY) => {
  const { name, details } = parseText(text, today);
  return [
    name,
    ...details.map((detail) => {
      if (detail.kind === 'day') return detail.date;
      if (detail.kind === 'time') return detail.time;
      if (detail.kind === 'priority') return detail.priority;
      if (detail.kind === 'repeat') return toRepeatText(detail.recurrence);
      if (detail.kind === 'parent') return `under ${detail.id}`;
      if (detail.kind === 'tag') return `+${detail.name}`;
      return detail.kind === 'unclear' ? `unclear: ${detail.phrase}` : detail.name;
    }),
  ];
};
const toRepeatText = ({ rule, mode, days }: { rule: string; mode: string; days: number | null }) =>
  [rule.replace('FREQ=', ''), mode === 'completion' && mode, days].filter(Boolean).join(' ');
const parseLineDate = (phrase: string, today = TODAY) => {
  const { details } = parseText(`Task, ${phrase}`, today);
  return details[0]?.kind === 'day' ? details[0].date : null;
};

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
    ['Write, !high', ['Write', 'high']],
    ['Write, +web, + Landing page , +#1', ['Write', '+web', '+Landing page', '+#1']],
    ['Write, \u200f+\u200fweb\u200e', ['Write', '+web']],
    // A digit after a plus sign isn't a tag, because it could be a phone number.
    ['Write, +3', ['Write, +3']],
    ['Call, +49 30 123456', ['Call, +49 30 123456']],
    ['Write, +', ['Write, +']],
    ['Write, under #12', ['Write', 'under 12']],
    ['Write, UNDER # 12', ['Write', 'under 12']],
    ['Write, under 12', ['Write, under 12']],
    ['Write, under #twelve', ['Write, under #twelve']],
    ['Write, friday 17:30', ['Write', '2026-12-04', '17:30']],
    ['Write, tomorrow at 9am, +web, every week', ['Write', '2026-11-28', '09:00', '+web', 'WEEKLY']],
    ['Write, 9am on friday', ['Write', '2026-12-04', '09:00']],
    ['Write, every friday at 17:30', ['Write', 'WEEKLY;BYDAY=FR', '17:30']],
    ['Write, at 9am, friday', ['Write', '09:00', '2026-12-04']],
    ['Write, at 9', ['Write', 'unclear: at 9']],
    ['Write, friday at 12', ['Write', '2026-12-04', 'unclear: at 12']],
    ['Write, next friday', ['Write', 'unclear: next friday']],
    ['Write, next fri 17:30', ['Write', 'unclear: next fri', '17:30']],
    ['Write, every second friday', ['Write', 'unclear: every second friday']],
    ['Write, Bob at 9am', ['Write, Bob at 9am']],
  ])('is parsed into the task name and details: %j', (text, expected) => {
    expect(parseLine(text)).toEqual(expected);
  });

  it('becomes the task name unchanged if it contains no comma', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (any) => {
        const text = any.replaceAll(',', '');
        expect(parseText(text, TODAY)).toEqual({ name: text, details: [], notes: [] });
      }),
    );
  });

  it('is split into a name and details without dropping any text except spaces and commas', () => {
    const piece = fc.oneof(
      fc.constantFrom('', ' ', 'high', 'Low', ' friday', 'in 3 days', '@Ada', '#7', '@', '24 Dec', '\u200f'),
      fc.constantFrom(
        '+web',
        '+',
        'friday  17:30',
        'at 9',
        'every  friday at 9am',
        'daily',
        'under #7',
        '!low',
      ),
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

describe('a time in quick-add text', () => {
  it.each([
    ['17:30', '17:30'],
    ['9:05', '09:05'],
    ['at 9:05', '09:05'],
    ['9am', '09:00'],
    ['9 PM', '21:00'],
    ['12am', '00:00'],
    ['12pm', '12:00'],
    ['at 12:30 pm', '12:30'],
    ['at 17', '17:00'],
    ['at 0', '00:00'],
    ['at 09', '09:00'],
    ['00:00', '00:00'],
    ['23:59', '23:59'],
  ])('is recognized in %j', (phrase, time) => {
    expect(parseLine(`Task, ${phrase}`)).toEqual(['Task', time]);
    expect(parseLine(`Task, tomorrow  ${phrase}`)).toEqual(['Task', '2026-11-28', time]);
  });

  it.each(['24:00', '9:60', '13pm', '0am', '9', 'at', 'am', 'at 25', '1:2', '17.30', '9am9', '17:30:00'])(
    "isn't recognized in %j",
    (phrase) => {
      expect(parseLine(`Task, ${phrase}`)).toEqual([`Task, ${phrase}`]);
    },
  );
});

describe('a repetition in quick-add text', () => {
  it.each([
    ['daily', 'DAILY'],
    ['every day', 'DAILY'],
    ['every 3 days', 'DAILY;INTERVAL=3'],
    ['every other week', 'WEEKLY;INTERVAL=2'],
    ['every second month', 'MONTHLY;INTERVAL=2'],
    ['monthly', 'MONTHLY'],
    ['yearly', 'MONTHLY;INTERVAL=12'],
    ['every 2 years', 'MONTHLY;INTERVAL=24'],
    ['every weekday', 'WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
    ['Every  Friday', 'WEEKLY;BYDAY=FR'],
    ['every thu and mon', 'WEEKLY;BYDAY=MO,TH'],
    ['every other tuesday', 'WEEKLY;INTERVAL=2;BYDAY=TU'],
    ['every 2 weeks on fri', 'WEEKLY;INTERVAL=2;BYDAY=FR'],
    ['every 15th', 'MONTHLY;BYMONTHDAY=15'],
    ['every month on the 1st', 'MONTHLY;BYMONTHDAY=1'],
    ['every last day', 'MONTHLY;BYMONTHDAY=-1'],
    ['every first monday', 'MONTHLY;BYDAY=1MO'],
    ['every last friday', 'MONTHLY;BYDAY=-1FR'],
    ['every 3 days after completion', 'DAILY;INTERVAL=3 completion 3'],
    ['every 2 weeks after completion', 'WEEKLY;INTERVAL=2 completion 14'],
    ['every month after completion', 'MONTHLY completion'],
  ])('is recognized in %j', (phrase, repeat) => {
    expect(parseLine(`Task, ${phrase}`)).toEqual(['Task', repeat]);
  });

  it.each([
    'every',
    'every 0 days',
    'every 100 days',
    'every 10 years',
    'every 32nd',
    'every 0th',
    'every fortnight',
    'every fridayish',
    'every constructor monday',
    'every friday after completion',
    'constructor',
    'biweekly',
    'fridays',
  ])("isn't recognized in %j", (phrase) => {
    expect(parseLine(`Task, ${phrase}`)).toEqual([`Task, ${phrase}`]);
  });
});

describe('a note about quick-add text', () => {
  it.each([
    ['Call Bob, friday, or so', ['“friday” is part of the name, because details come last.']],
    ['Call Bob, urgent', ["“urgent” wasn't recognized, so it's part of the name."]],
    ['Call Bob, 12/24, low', ["“12/24” wasn't recognized, so it's part of the name."]],
    ['Call Bob, +3, !!', [expect.stringContaining('“+3”'), expect.stringContaining('“!!”')]],
    ['Call Bob, end of month', [expect.stringContaining('“end of month”')]],
    ['Buy bread, milk, honey, low', []],
    ['Write, high,', []],
    ['Write, @', []],
  ])('names the parts of %j that look like details but are in the name', (text, notes) => {
    expect(parseText(text, TODAY).notes).toEqual(notes);
  });

  it('is shown for at most five parts', () => {
    expect(parseText(`Task${', friday'.repeat(80)}, x`, TODAY).notes).toHaveLength(5);
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
