/** Of the scrypt settings that OWASP recommends, this one takes the least time and memory (docs/adr/0023). */
export const HASH_COST = { N: 2 ** 13, r: 8, p: 10 };
/** Milliseconds between two hashes. For most of that time, a hash blocks the isolate's only thread. */
export const HASH_INTERVAL_MS = 250;
/** Milliseconds that are reserved for other requests after a hash. */
export const PAUSE_AFTER_HASH_MS = 50;
