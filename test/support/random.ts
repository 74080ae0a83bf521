/** Uses mulberry32 with a seed, so that a failing test can be repeated. */
export function createRandom(seed: number) {
  let state = seed;
  const getNext = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    integer: (from: number, to: number) => from + Math.floor(getNext() * (to - from + 1)),
    chance: (probability: number) => getNext() < probability,
    pick: <T>(items: readonly T[]): T => items[Math.floor(getNext() * items.length)] as T,
  };
}
