/** The longest time that the measured work takes on an idle core. */
const YARDSTICK_MS = 40;
const text = JSON.stringify(Array.from({ length: 20_000 }, (_, index) => ({ index, name: `n${index}` })));

/**
 * Returns how many times slower this machine is now than an idle one, but never less than 1. Multiplying a time
 * limit by it keeps the limit strict on an idle machine and avoids failures on a busy one.
 */
export function measureSlowness(): number {
  const began = performance.now();
  for (let time = 0; time < 3; time += 1) JSON.stringify(JSON.parse(text));
  return Math.max(1, (performance.now() - began) / YARDSTICK_MS);
}
