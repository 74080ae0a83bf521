/** What the yardstick takes at most on an idle core. */
const YARDSTICK_MS = 40;
const text = JSON.stringify(Array.from({ length: 20_000 }, (_, index) => ({ index, name: `n${index}` })));

/**
 * How many times slower this machine is just now than an idle one, and never below 1. Bounds that guard an algorithm are
 * multiplied by it: they stay strict on an idle machine, and a busy one fails none.
 */
export function slowness(): number {
  const began = performance.now();
  for (let time = 0; time < 3; time += 1) JSON.stringify(JSON.parse(text));
  return Math.max(1, (performance.now() - began) / YARDSTICK_MS);
}
