import { expect } from 'vitest';
import { slowness } from './slowness.ts';

/** What ran quadratically took many seconds at the largest size; what is linear takes a few milliseconds. */
const LARGEST_MS_MAX = 1_000;
/** Eight times the input: linear is 8, quadratic 64. */
const GROWTH_MAX = 24;
/** Below this the clock says more about the machine than about the code. */
const MEASURABLE_MS = 300;
const TRIES_MAX = 10;
/** What takes so many times its bound is not tried again. */
const HOPELESS = 20;

/** Holds `run` to linear time: eight times the input takes far less than 64 times as long, and the largest a moment. */
export async function expectLinear<T>(
  makeInput: (size: number) => T,
  size: number,
  run: (input: T) => unknown,
): Promise<void> {
  const large = makeInput(size);
  await expectQuick(() => refusedOr(() => run(large)), LARGEST_MS_MAX);
  const small = makeInput(Math.floor(size / 8));
  const ms = { small: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY };
  const isLinear = () => ms.large <= MEASURABLE_MS || ms.large < GROWTH_MAX * Math.max(ms.small, 1);
  for (let time = 0; time < TRIES_MAX && !isLinear(); time += 1) {
    ms.large = Math.min(ms.large, await timeOf(() => refusedOr(() => run(large)), MEASURABLE_MS));
    if (ms.large > MEASURABLE_MS)
      ms.small = Math.min(ms.small, await timeOf(() => refusedOr(() => run(small))));
  }
  expect(isLinear(), `${size} took ${ms.large} ms, an eighth of it ${ms.small} ms`).toBe(true);
}

/**
 * Holds work that once took many seconds to a bound of more than ten times what it takes. What is slow is so each time; a busy
 * machine is not, so the work is done again where it took too long.
 */
export async function expectQuick(work: () => unknown, msMax: number, what = ''): Promise<void> {
  let best = Number.POSITIVE_INFINITY;
  for (let time = 0; time < TRIES_MAX && best >= msMax && (time === 0 || best < HOPELESS * msMax); time += 1)
    best = Math.min(best, await timeOf(work, msMax));
  expect(best, what).toBeLessThan(msMax);
}

/** A refusal must be quick as well. */
function refusedOr(work: () => unknown): void {
  try {
    work();
  } catch {}
}

/** As an idle machine would take it, unless it is little enough on this one. */
async function timeOf(work: () => unknown, enough = 0): Promise<number> {
  const began = performance.now();
  await work();
  const ms = performance.now() - began;
  return ms < enough ? ms : ms / slowness();
}
