import type { Caller } from '../access/access.ts';
import type { RateLimiter } from '../execute/execute.ts';
import type { RequestScope } from '../operation/request-scope.ts';
import { announceHit } from './announced-window.ts';
import { hitWindow, requireAllowed } from './rate-limit.ts';
import type { RateVerdict } from './window.ts';

const REQUESTS_MAX = 300;
const WINDOW_MS = 15 * 60_000;
/** How long a finished response waits for its counter. The first database trip usually took longer anyway. */
const COUNTER_TIMEOUT_MS = 100;
/** How long an enforced limit waits for its counter before it lets a request pass. */
const ENFORCED_COUNTER_TIMEOUT_MS = 1_000;

/** Reported in headers, and enforced only if the deployment says so (docs/contract.md#limits). */
export function openRestRateLimiter(scope: RequestScope): RateLimiter {
  let verdict: RateVerdict | Promise<RateVerdict | null> | undefined;
  return {
    enter(caller: Caller) {
      const count = scope.config.enforceRestRateLimit ? hitWindow : announceHit;
      verdict ??= count(scope, `rest:${caller.credential.hash}`, REQUESTS_MAX, WINDOW_MS);
    },
    async pass() {
      if (!scope.config.enforceRestRateLimit || !verdict) return;
      requireAllowed(await waitAtMost(ENFORCED_COUNTER_TIMEOUT_MS, verdict));
    },
    async headers() {
      const known = verdict && (await waitAtMost(COUNTER_TIMEOUT_MS, verdict));
      if (!known) return {};
      return {
        'X-RateLimit-Limit': String(known.limit),
        'X-RateLimit-Remaining': String(known.remaining),
        'X-RateLimit-Reset': String(known.resetSeconds),
      };
    },
  };
}

async function waitAtMost<T>(ms: number, awaited: T | Promise<T>): Promise<T | null> {
  // Starting a timer would cost more than counting.
  if (!(awaited instanceof Promise)) return awaited;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([awaited, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
