import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { countHitLocally } from '../../kernel/rate-limit/local-hit-count.ts';
import { requireAllowed } from '../../kernel/rate-limit/rate-limit.ts';
import type { SignedInBrowser } from './browser-session.ts';

/** High enough for six visible pages that refresh without a pause. */
const REQUESTS_MAX = 20_000;
const WINDOW_MS = 15 * 60_000;

/** Limits the pages and forms of a session if the deployment enforces the limit of the REST API. Throws 429. */
export function limitBrowserRequests(scope: RequestScope, { idHash }: SignedInBrowser) {
  if (!scope.config.enforceRestRateLimit) return;
  const verdict = countHitLocally(scope, `page:${idHash}`, REQUESTS_MAX, WINDOW_MS);
  // A page doesn't wait for the counter. The next page gets its verdict.
  if (verdict instanceof Promise) scope.afterAnswer('rate_limit.unavailable', () => verdict);
  else requireAllowed(verdict);
}
