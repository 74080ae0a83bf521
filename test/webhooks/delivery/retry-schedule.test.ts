import { describe, expect, it } from 'vitest';
import { planRetry } from '../../../src/webhooks/delivery/retry-schedule.ts';

const HOUR = 3_600_000;
const START = Date.parse('2026-03-02T09:30:00.000Z');

/** Lists the attempts to reach a receiver that never responds, and the warnings, in hours since the first attempt. */
function listAttempts(random: number, retryAfterMs: number | null = null) {
  const times = [START];
  const warnings: number[] = [];
  let wasWarned = false;
  for (let failures = 0; failures < 50; failures += 1) {
    const now = times.at(-1) ?? START;
    const failingSince = failures === 0 ? null : START;
    const { nextAttemptAt, warns } = planRetry(
      { failures, failingSince, wasWarned, retryAfterMs },
      now,
      random,
    );
    if (warns) warnings.push((now - START) / HOUR);
    wasWarned ||= warns;
    if (nextAttemptAt === null) return { times: times.map((time) => (time - START) / HOUR), warnings };
    times.push(nextAttemptAt);
  }
  throw new Error('it never stops');
}

describe('webhook retries', () => {
  it('wait longer after each failure, and end 72 hours after the first', () => {
    const { times } = listAttempts(0.5);
    const rounded = times.map((hours) => Number(hours.toFixed(4)));
    expect(rounded).toEqual([
      0, 0.0014, 0.0097, 0.0264, 0.1097, 0.6097, 2.6097, 7.6097, 17.6097, 31.6097, 48, 72,
    ]);
  });

  it.each([0, 0.25, 0.75, 1])(
    'trigger one warning email, a day before the webhook stops (jitter %d)',
    (random) => {
      const { times, warnings } = listAttempts(random);
      expect(warnings).toEqual([48]);
      expect(times.at(-1)).toBe(72);
    },
  );

  it('happen up to a fifth of the waiting time earlier or later', () => {
    const getWaitMs = (random: number) =>
      (planRetry({ failures: 3, failingSince: START, wasWarned: false, retryAfterMs: null }, START, random)
        .nextAttemptAt ?? 0) - START;
    expect([getWaitMs(0), getWaitMs(0.5), getWaitMs(1)]).toEqual([240_000, 300_000, 360_000]);
  });

  it("respect the receiver's Retry-After header, up to a day", () => {
    const getNextAttempt = (retryAfterMs: number) =>
      (planRetry({ failures: 0, failingSince: null, wasWarned: false, retryAfterMs }, START, 0.5)
        .nextAttemptAt ?? 0) - START;
    expect(getNextAttempt(60_000)).toBe(60_000);
    expect(getNextAttempt(1_000)).toBe(5_000);
    expect(getNextAttempt(1e12)).toBe(24 * HOUR);
    expect(listAttempts(0.5, 20 * HOUR).times.at(-1)).toBeGreaterThanOrEqual(72);
  });
});
