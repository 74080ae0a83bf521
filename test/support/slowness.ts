/** The longest time that the measured work takes on an idle core. */
const REFERENCE_MS = 40;
const sampleText = JSON.stringify(
  Array.from({ length: 20_000 }, (_, index) => ({ index, name: `n${index}` })),
);

/**
 * Returns how many times slower this machine currently is than an idle one, at least 1. Multiply time limits by this
 * factor, so that they stay strict on an idle machine and don't fail on a busy one.
 */
export function measureSlowness(): number {
  const began = performance.now();
  for (let time = 0; time < 3; time += 1) JSON.stringify(JSON.parse(sampleText));
  return Math.max(1, (performance.now() - began) / REFERENCE_MS);
}
