/**
 * Replaces `passwords/hash-cost.ts` to make hashing cheap, except in `test/accounts/passwords/`, which tests the real
 * cost.
 */
export const HASH_COST = { N: 2, r: 8, p: 1 };
export const HASH_INTERVAL_MS = 1;
export const PAUSE_AFTER_HASH_MS = 0;
