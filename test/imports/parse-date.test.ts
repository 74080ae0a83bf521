import { describe, expect, it } from 'vitest';
import { findDateOrder, parseDate } from '../../src/imports/plan/parse-date.ts';

describe('the date parser', () => {
  const parse = (text: string, order: 'dmy' | 'mdy' = 'dmy', timezone = 'UTC') => {
    const found = parseDate(text, { order, timezone });
    return found && [found.date, found.time];
  };

  it.each([
    ['2026-03-02', ['2026-03-02', null]],
    ['2026-03-02T09:30:00.000Z', ['2026-03-02', '09:30']],
    ['2026/3/2', ['2026-03-02', null]],
    ['15/Feb/26 4:37 PM', ['2026-02-15', '16:37']],
    ['Wed May 13 2026 11:21:41 GMT+0000 (GMT+00:00)', ['2026-05-13', '11:21']],
    ['Mon, 21 Apr 2025 10:17:06 UTC+0000', ['2025-04-21', '10:17']],
    ['4 Dec 2027', ['2027-12-04', null]],
    ['Dec 4, 2027', ['2027-12-04', null]],
    ['3 févr. 2026', ['2026-02-03', null]],
    ['12. März 2026', ['2026-03-12', null]],
    ['5 de agosto de 2026', ['2026-08-05', null]],
    ['3.4.26', ['2026-04-03', null]],
    ['45658', ['2025-01-01', null]],
    ['12:30 AM', null],
    ['2026-03-02T09:30:00+02:00', ['2026-03-02', '07:30']],
    ['05-12-2026 23:30', ['2026-12-05', '23:30']],
    ['5-Dec-2026 23:30', ['2026-12-05', '23:30']],
    ['05-12-2026 23:30 -0500', ['2026-12-06', '04:30']],
    [`2026-03-02${' '.repeat(1_000)}x`, null],
    ['2026-02-30', null],
    ['0001-01-01T00:00:00Z', null],
    ['soon', null],
    ['12', null],
  ])('reads %j as %j', (text, expected) => {
    expect(parse(text)).toEqual(expected);
  });

  it('follows the given order of day and month', () => {
    expect(parse('3/4/2026', 'mdy')).toEqual(['2026-03-04', null]);
    expect(findDateOrder(['3/4/2026', '4/13/2026'])).toBe('mdy');
    expect(findDateOrder(['3/4/2026', '13/4/2026'])).toBe('dmy');
    expect(findDateOrder(['3/4/2026'])).toBe('ambiguous');
    expect(findDateOrder(['2026-03-04', '3/3/2026'])).toBeNull();
  });

  it("converts dates with a time zone to days in the workspace's time zone", () => {
    expect(parse('2026-03-02T23:30:00Z', 'dmy', 'Europe/Berlin')).toEqual(['2026-03-03', '00:30']);
    expect(parse('2026-03-02 23:30', 'dmy', 'Europe/Berlin')).toEqual(['2026-03-02', '23:30']);
  });
});
