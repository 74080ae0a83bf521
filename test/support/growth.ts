import { expect } from 'vitest';

/** What ran quadratically took many seconds at the largest size; what is linear takes a few milliseconds. */
const LARGEST_MS_MAX = 1_000;
/** Eight times the input: linear is 8, quadratic 64. */
const GROWTH_MAX = 24;
/** Below this the clock says more about the machine than about the code. */
const MEASURABLE_MS = 300;

/** Holds `run` to linear time: eight times the input takes far less than 64 times as long, and the largest a moment. */
export function expectLinear<T>(makeInput: (size: number) => T, size: number, run: (input: T) => unknown) {
  const small = fastest(makeInput(Math.floor(size / 8)), run);
  const large = fastest(makeInput(size), run);
  expect(large, `${size} took ${large} ms`).toBeLessThan(LARGEST_MS_MAX);
  if (large > MEASURABLE_MS) expect(large / Math.max(small, 1)).toBeLessThan(GROWTH_MAX);
}

function fastest<T>(input: T, run: (input: T) => unknown): number {
  return Math.min(...[1, 2, 3].map(() => timeOf(() => run(input))));
}

function timeOf(work: () => unknown): number {
  const began = performance.now();
  try {
    work();
  } catch {
    // A refusal must be quick as well.
  }
  return performance.now() - began;
}
