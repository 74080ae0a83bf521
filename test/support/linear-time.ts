import { expect } from 'vitest';
import { measureSlowness } from './slowness.ts';

/** A quadratic algorithm takes many seconds for the largest input, and a linear one takes a few milliseconds. */
const LARGEST_MS_MAX = 1_000;
/** For eight times the input, a linear algorithm takes 8 times as long, and a quadratic one 64 times. */
const GROWTH_MAX = 24;
/** Times below this aren't compared, because they say more about the machine than about the code. */
const MEASURABLE_MS = 300;
const TRIES_MAX = 10;
/** Work that exceeds its limit by this factor isn't tried again. */
const RETRY_FACTOR_MAX = 20;

/** Asserts that `run` takes linear time, and less than a second for an input of this size. */
export async function expectLinear<T>(
  makeInput: (size: number) => T,
  size: number,
  run: (input: T) => unknown,
): Promise<void> {
  const large = makeInput(size);
  await expectQuick(() => ignoreErrors(() => run(large)), LARGEST_MS_MAX);
  const small = makeInput(Math.floor(size / 8));
  const ms = { small: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY };
  const isLinear = () => ms.large <= MEASURABLE_MS || ms.large < GROWTH_MAX * Math.max(ms.small, 1);
  for (let time = 0; time < TRIES_MAX && !isLinear(); time += 1) {
    ms.large = Math.min(ms.large, await measureTime(() => ignoreErrors(() => run(large)), MEASURABLE_MS));
    if (ms.large > MEASURABLE_MS)
      ms.small = Math.min(ms.small, await measureTime(() => ignoreErrors(() => run(small))));
  }
  expect(isLinear(), `${size} took ${ms.large} ms, an eighth of it ${ms.small} ms`).toBe(true);
}

/**
 * Asserts that work stays within a limit, which should be more than ten times its usual time. Slow work is repeated,
 * and the fastest run counts, because the machine may be busy.
 */
export async function expectQuick(work: () => unknown, msMax: number, what = ''): Promise<void> {
  let best = Number.POSITIVE_INFINITY;
  for (
    let time = 0;
    time < TRIES_MAX && best >= msMax && (time === 0 || best < RETRY_FACTOR_MAX * msMax);
    time += 1
  )
    best = Math.min(best, await measureTime(work, msMax));
  expect(best, what).toBeLessThan(msMax);
}

/** The input may be rejected, but rejecting it must also be fast. */
function ignoreErrors(work: () => unknown): void {
  try {
    work();
  } catch {}
}

/** Returns the milliseconds that the work takes, scaled to an idle machine unless they are below `enough`. */
async function measureTime(work: () => unknown, enough = 0): Promise<number> {
  const began = performance.now();
  await work();
  const ms = performance.now() - began;
  return ms < enough ? ms : ms / measureSlowness();
}
