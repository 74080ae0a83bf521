/** The cheapest scrypt setting that OWASP recommends, in half the memory (docs/adr/0023). */
export const HASH_COST = { N: 2 ** 13, r: 8, p: 10 };
/** Milliseconds between two hashes. A hash takes most of them on the isolate's only thread. */
export const HASH_INTERVAL_MS = 250;
/** Milliseconds for other requests after a hash. */
export const PAUSE_AFTER_HASH_MS = 50;
