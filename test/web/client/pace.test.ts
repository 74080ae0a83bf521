import { describe, expect, it } from 'vitest';
import { RefreshPace } from '../../../src/web/client/refresh-pace.ts';

const delays = (pace: RefreshPace) => Array.from({ length: 100 }, () => pace.delayMs());

describe('the refreshes of a page', () => {
  it('happen immediately for four changes, then at most every 300 ms', () => {
    const pace = new RefreshPace();
    for (let refresh = 0; refresh < 4; refresh += 1) {
      expect(Math.max(...delays(pace))).toBeLessThan(50);
      pace.begin();
    }
    pace.begin();
    expect(Math.min(...delays(pace))).toBeGreaterThan(200);
  });

  it('are limited to 36 per second for 360 open pages, each in its own time slot', () => {
    const pace = new RefreshPace();
    Object.assign(pace, { openPages: 360, slot: 180 });
    const [first, last] = [Math.min(...delays(pace)), Math.max(...delays(pace))];
    expect(first).toBeGreaterThanOrEqual(5_000);
    expect(last).toBeLessThanOrEqual(5_050);
    for (let refresh = 0; refresh < 5; refresh += 1) pace.begin();
    expect(Math.min(...delays(pace))).toBeGreaterThan(14_000);
    expect(Math.max(...delays(pace))).toBeLessThanOrEqual(15_050);
  });

  it('wait as long as a busy workspace requires', () => {
    const pace = new RefreshPace();
    Object.assign(pace, { openPages: 360, slot: 36 });
    pace.pause(20);
    expect(Math.min(...delays(pace))).toBeGreaterThan(20_000);
    expect(Math.max(...delays(pace))).toBeLessThanOrEqual(21_050);
  });
});
