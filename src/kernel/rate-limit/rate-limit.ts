import { AppError } from '../errors/errors.ts';
import { getDurableObject } from '../operation/durable-objects.ts';
import { describeError, log } from '../operation/log.ts';
import type { RequestScope } from '../operation/request-scope.ts';
import { formatWaitTime } from '../text/number-format.ts';
import type { RateVerdict } from './rate-verdict.ts';
import type { HitOptions, RateWindow } from './rate-window.ts';

type CounterScope = Pick<RequestScope, 'env' | 'id'>;

export function countHit(
  scope: CounterScope,
  name: string,
  limit: number,
  windowMs: number,
  options: HitOptions = {},
): Promise<RateVerdict | null> {
  return callRateWindow(scope, name, (window) => window.hit(limit, windowMs, options));
}

export function peekRateWindow(
  scope: CounterScope,
  name: string,
  limit: number,
  hits = 1,
): Promise<RateVerdict | null> {
  return callRateWindow(scope, name, (window) => window.peek(limit, hits));
}

/** Resets the count, unless the window is full, because a full window must stay full until it ends. */
export function resetRateWindow(
  scope: CounterScope,
  name: string,
  limit: number,
): Promise<RateVerdict | null> {
  return callRateWindow(scope, name, (window) => window.clear(limit));
}

/** Returns null if the counter fails, because a broken counter must not lock everyone out. */
async function callRateWindow(
  scope: CounterScope,
  name: string,
  question: (window: DurableObjectStub<RateWindow>) => Promise<RateVerdict>,
): Promise<RateVerdict | null> {
  try {
    return await question(getDurableObject(scope.env, 'RATE_WINDOW', name));
  } catch (error) {
    log('error', 'rate_limit.unavailable', { id: scope.id, cause: describeError(error) });
    return null;
  }
}

export function requireWithinRateLimit(...verdicts: (RateVerdict | null)[]) {
  const waits = verdicts.flatMap((verdict) => (verdict && !verdict.allowed ? [verdict.resetSeconds] : []));
  if (waits.length > 0) throw tooManyRequestsError(Math.max(...waits));
}

export function tooManyRequestsError(
  resetSeconds: number,
  message = `Too many requests. Try again in ${formatWaitTime(resetSeconds)}.`,
): AppError {
  return new AppError('rate_limited', message, {
    headers: { 'Retry-After': String(resetSeconds) },
  });
}
