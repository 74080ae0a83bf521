/** Of the scrypt settings that OWASP recommends, these take the least time and memory (docs/adr/0023). */
export const HASH_COST = { N: 2 ** 13, r: 8, p: 10 };
/** The time between the starts of two hashes. A hash blocks the isolate's only thread for most of that time. */
export const HASH_INTERVAL_MS = 250;
export const PAUSE_AFTER_HASH_MS = 50;
