/** Replaces `passwords/hash-cost.ts` in tests: the same code, with little work. `test/accounts/passwords/` runs with the real one. */
export const COST = { N: 2, r: 8, p: 1 };
export const TURN_MS = 1;
export const PAUSE_MS = 0;
