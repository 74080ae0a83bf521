/**
 * Makes V8 collect early, and all of it. A request leaves some 30 KiB of the runtime's own memory behind (and a piece of a
 * file its buffer) that V8 does not count: by itself it waits for hundreds of MiB, in which a leak would not be seen. The
 * price is half of the requests a second, which nothing on a developer's machine needs; the bench measures speed without.
 */
export const COLLECT_EARLY =
  '--gc-global --single-threaded-gc --min-semi-space-size=1 --max-semi-space-size=1';
