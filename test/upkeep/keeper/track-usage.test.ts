import { expect, it } from 'vitest';
import { emptyUsageState, trackUsage } from '../../../src/upkeep/keeper/track-usage.ts';

const HOUR = 60 * 60_000;
const GB = 1e9;

/** Tracks a cell's usage once per minute. Returns its reports, the number of writes, and the final `memory`. */
function measureHours(hours: number, of: (hour: number) => { bytes: number; created: number }, cell = 0) {
  let memory = emptyUsageState;
  const reports: { hour: number; bytes: number; changes: number; reached: number | null }[] = [];
  let writes = 0;
  for (let minute = 0; minute < hours * 60; minute += 1) {
    const hour = minute / 60;
    const tracked = trackUsage(memory, of(hour), HOUR + minute * 60_000, cell);
    if (tracked.memory !== memory) writes += 1;
    memory = tracked.memory;
    if (tracked.report) reports.push({ hour, ...tracked.report, reached: tracked.reached });
  }
  return { reports, writes, memory };
}

it('an idle cell is reported once, and nothing more is written', () => {
  const { reports, writes } = measureHours(100, () => ({ bytes: GB, created: 5_000 }));
  expect(reports).toEqual([{ hour: 0, bytes: GB, changes: 0, reached: null }]);
  expect(writes).toBe(1);
});

it('new cells are reported in their first ten minutes, a tenth of them per minute', () => {
  const minutes = Array.from({ length: 20 }, (_, cell) => {
    const { reports } = measureHours(2, () => ({ bytes: GB, created: 5_000 }), cell);
    return reports.map(({ hour }) => Math.round(hour * 60));
  });
  expect(minutes.flat()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

it('a new cell is reported in its first minute if it has reached a threshold', () => {
  const { reports } = measureHours(1, () => ({ bytes: 7 * GB, created: 0 }), 9);
  expect(reports).toMatchObject([{ hour: 0, reached: 7 * GB }]);
});

it('a busy cell is reported once per hour, with the changes of the last day', () => {
  const { reports, memory } = measureHours(72, (hour) => ({
    bytes: GB + hour * 10e6,
    created: Math.floor(hour * 100),
  }));
  expect(reports).toHaveLength(72);
  expect(reports[6]?.changes).toBe(600);
  for (const { changes } of reports.slice(30)) expect(changes).toBe(2_400);
  expect(memory.samples.length).toBeLessThanOrEqual(26);
});

it('changes are no longer reported once they are more than a day old', () => {
  const { reports } = measureHours(60, (hour) => ({
    bytes: GB,
    created: Math.min(1_000, Math.floor(hour * 100)),
  }));
  expect(Math.max(...reports.map(({ changes }) => changes))).toBe(1_000);
  expect(reports.at(-1)?.changes).toBe(0);
});

it('reaching a size threshold is reported immediately and only once, even if the size varies around it', () => {
  const { reports } = measureHours(48, (hour) => ({
    bytes: (hour < 10 ? 4.9 : hour < 20 ? 5.1 : hour < 30 ? 4.9 : hour < 40 ? 7.1 : 6.9) * GB,
    created: 0,
  }));
  expect(reports.filter(({ reached }) => reached !== null)).toMatchObject([
    { hour: 10, reached: 5 * GB },
    { hour: 30, reached: 7 * GB },
  ]);
});

it('a size threshold is reported again if the cell shrinks well below it and then reaches it again', () => {
  const { reports } = measureHours(30, (hour) => ({
    bytes: (hour < 10 ? 7.1 : hour < 20 ? 3 : 7.1) * GB,
    created: 0,
  }));
  expect(reports.filter(({ reached }) => reached === 7 * GB).map(({ hour }) => hour)).toEqual([0, 20]);
});
