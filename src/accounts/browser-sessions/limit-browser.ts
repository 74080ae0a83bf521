import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { countHitLocally } from '../../kernel/rate-limit/local-hit-count.ts';
import { requireWithinRateLimit } from '../../kernel/rate-limit/rate-limit.ts';
import type { SignedInBrowser } from './browser-session.ts';

/** Requests per session within `WINDOW_MS`. Six open pages that refresh continuously stay below the limit. */
const REQUESTS_MAX = 20_000;
const WINDOW_MS = 15 * 60_000;

export function limitBrowserRequests(scope: RequestScope, { idHash }: SignedInBrowser) {
  if (!scope.config.enforceRestRateLimit) return;
  const verdict = countHitLocally(scope, `page:${idHash}`, REQUESTS_MAX, WINDOW_MS);
  // The request doesn't wait for the counter. If the limit is reached, the next request is rejected.
  if (verdict instanceof Promise) scope.afterResponse('rate_limit.unavailable', () => verdict);
  else requireWithinRateLimit(verdict);
}
