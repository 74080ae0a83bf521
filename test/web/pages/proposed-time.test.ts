import { describe, expect, it } from 'vitest';
import { proposeTime } from '../../../src/web/pages/meetings/propose-time.ts';

describe("a new meeting's proposed time", () => {
  it.each([
    ['before the morning', '00:00', '2026-12-31', '10:00'],
    ['in the first hour', '09:59', '2026-12-31', '10:00'],
    ['on the hour', '10:00', '2026-12-31', '11:00'],
    ['in the afternoon', '15:31', '2026-12-31', '16:00'],
    ['in the last hour', '16:59', '2026-12-31', '17:00'],
    ['in the evening', '17:00', '2027-01-01', '10:00'],
    ['at night', '23:59', '2027-01-01', '10:00'],
  ])(
    'is the next full hour from 10:00 to 17:00, on the same day or the next (%s)',
    (_when, time, date, proposed) => {
      expect(proposeTime({ date: '2026-12-31', time })).toEqual({ date, time: proposed });
    },
  );
});
