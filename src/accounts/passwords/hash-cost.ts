/** Of the scrypt settings that OWASP recommends, this one takes the least time and memory (docs/adr/0023). */
export const HASH_COST = { N: 2 ** 13, r: 8, p: 10 };
/** The time from the start of one hash to the next. A hash blocks the isolate's only thread for most of it. */
export const HASH_INTERVAL_MS = 250;
export const PAUSE_AFTER_HASH_MS = 50;
