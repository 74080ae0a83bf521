import type { Caller } from '../access/access.ts';
import type { RateLimiter } from '../execute/execute.ts';
import type { RequestScope } from '../operation/request-scope.ts';
import { countHitLocally } from './local-hit-count.ts';
import { countHit, requireWithinRateLimit } from './rate-limit.ts';
import type { RateVerdict } from './rate-verdict.ts';
import { waitAtMost } from './wait-at-most.ts';

const ANNOUNCED_REQUESTS_MAX = 300;
const WINDOW_MS = 15 * 60_000;
/** How long a finished response waits for its counter, which usually responds during the first database round trip. */
const COUNTER_TIMEOUT_MS = 100;
/** How long a request waits for its counter if the limit is enforced. After that, the request runs without a check. */
const ENFORCED_COUNTER_TIMEOUT_MS = 1_000;

/**
 * Every deployment reports the same limit in its headers. Only some enforce a limit, and the enforced limit can be
 * higher than the reported one (docs/contract.md#limits). If the counter fails or is slow, no limit is reported or
 * enforced.
 */
export function createRestRateLimiter(scope: RequestScope): RateLimiter {
  const { enforceRestRateLimit, restRateLimits } = scope.config;
  let verdict: RateVerdict | Promise<RateVerdict | null> | undefined;
  return {
    enter({ credential, plan }: Caller) {
      const [count, limit] = enforceRestRateLimit
        ? ([countHit, restRateLimits[plan]] as const)
        : ([countHitLocally, ANNOUNCED_REQUESTS_MAX] as const);
      verdict ??= count(scope, `rest:${credential.hash}`, limit, WINDOW_MS);
    },
    async pass() {
      if (!enforceRestRateLimit || !verdict) return;
      requireWithinRateLimit(await waitAtMost(ENFORCED_COUNTER_TIMEOUT_MS, verdict));
    },
    async headers() {
      const known = verdict && (await waitAtMost(COUNTER_TIMEOUT_MS, verdict));
      if (!known) return {};
      const hits = known.limit - known.remaining;
      return {
        'X-RateLimit-Limit': String(ANNOUNCED_REQUESTS_MAX),
        'X-RateLimit-Remaining': String(Math.max(0, ANNOUNCED_REQUESTS_MAX - hits)),
        'X-RateLimit-Reset': String(known.resetSeconds),
      };
    },
  };
}
