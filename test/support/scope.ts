import { parseEnv } from '../../src/env.ts';
import { createRequestScope, type RequestScope } from '../../src/kernel/operation/request-scope.ts';
import { env } from './env.ts';

/** A scope as in a cron run, now or at another time. Deferred work is not awaited. */
export function openScope(now = Date.now()): RequestScope {
  return createRequestScope({
    env,
    config: parseEnv(env),
    origin: 'http://localhost',
    waitUntil: () => undefined,
    now,
  });
}
