import { expect, it } from 'vitest';
import { countRemainingWork, createWorkForEveryJob, findMostCalls, runCronTick } from './cron-work.ts';

const MINUTE = '* * * * *';
/** The maximum number of calls that a keeper makes per tick. Cloudflare allows 1,000. */
const CALLS_MAX = 900;
const TICKS_WITHOUT_PROGRESS_MAX = 2;

it('every database keeper stays within its budget with ten busy cells, and every job makes progress in every cell', async () => {
  await createWorkForEveryJob();
  let before = await countRemainingWork();
  const waited: Record<string, number> = {};
  const calls: number[] = [];
  for (let turn = 0; turn < 60 && Object.values(before).some((n) => n > 0); turn += 1) {
    calls.push(findMostCalls(await runCronTick(MINUTE, { cells: 10 })));
    const after = await countRemainingWork();
    for (const [job, n] of Object.entries(after)) {
      waited[job] = n > 0 && n === before[job] ? (waited[job] ?? 0) + 1 : 0;
      expect(waited[job], `${job}: ${n} left, calls ${calls}`).toBeLessThanOrEqual(
        TICKS_WITHOUT_PROGRESS_MAX,
      );
    }
    before = after;
  }
  expect(Math.max(...calls), `${calls}`).toBeLessThanOrEqual(CALLS_MAX);
  expect(Object.entries(before).filter(([, n]) => n > 0)).toEqual([]);
});
