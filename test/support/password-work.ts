/** Replaces `passwords/hash-cost.ts` in tests: the same code, with little work. `test/accounts/passwords/` runs with the real one. */
export const HASH_COST = { N: 2, r: 8, p: 1 };
export const HASH_INTERVAL_MS = 1;
export const PAUSE_AFTER_HASH_MS = 0;
