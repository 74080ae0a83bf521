/** The cheapest row of OWASP's table for scrypt: as much work as 2^14 with p = 5, in half the memory (docs/adr/0023). */
export const COST = { N: 2 ** 13, r: 8, p: 10 };
/** Milliseconds between two hashes. A hash takes most of it on the isolate's only thread; the rest is for other requests. */
export const TURN_MS = 250;
/** What other requests get at least after a hash. */
export const PAUSE_MS = 50;
