import { describe, expect, it } from 'vitest';
import { RefreshPace } from '../../../src/web/client/refresh-pace.ts';

const listDelays = (pace: RefreshPace) => Array.from({ length: 100 }, () => pace.getDelayMs());

describe('page refreshes', () => {
  it('happen immediately for a few changes in a row, then at most every 300 ms', () => {
    const pace = new RefreshPace();
    for (let refresh = 0; refresh < 4; refresh += 1) {
      expect(Math.max(...listDelays(pace))).toBeLessThan(50);
      pace.recordRefresh();
    }
    pace.recordRefresh();
    expect(Math.min(...listDelays(pace))).toBeGreaterThan(200);
  });

  it('are limited to 20 per second across 200 open pages, each in its own time slot', () => {
    const pace = new RefreshPace();
    Object.assign(pace, { openPages: 200, slot: 100 });
    const [first, last] = [Math.min(...listDelays(pace)), Math.max(...listDelays(pace))];
    expect(first).toBeGreaterThanOrEqual(5_000);
    expect(last).toBeLessThanOrEqual(5_050);
  });

  it('happen every 10 seconds on each of 200 open pages while changes keep coming', () => {
    for (const slot of [0, 100]) {
      const pace = new RefreshPace();
      Object.assign(pace, { openPages: 200, slot });
      for (const seconds of [10, 20]) {
        pace.recordRefresh();
        expect(Math.min(...listDelays(pace))).toBeGreaterThan(seconds * 1_000 - 1_300);
        expect(Math.max(...listDelays(pace))).toBeLessThanOrEqual(seconds * 1_000);
      }
    }
  });

  it('happen immediately if the person does something on the page, unless a busy workspace requires a pause', () => {
    const pace = new RefreshPace();
    Object.assign(pace, { openPages: 200, slot: 100 });
    pace.recordRefresh();
    pace.recordRefresh();
    expect(Math.max(...Array.from({ length: 100 }, () => pace.getDelayMs(false)))).toBeLessThanOrEqual(50);
    pace.pause(20);
    expect(pace.getDelayMs(false)).toBeGreaterThan(19_000);
  });

  it("wait as long as a busy workspace requires, and then happen in the page's time slot", () => {
    const pace = new RefreshPace();
    Object.assign(pace, { openPages: 200, slot: 20 });
    pace.recordRefresh();
    pace.pause(20);
    expect(Math.min(...listDelays(pace))).toBeGreaterThan(20_900);
    expect(Math.max(...listDelays(pace))).toBeLessThanOrEqual(21_050);
  });
});
