import { parseEnv } from '../../src/env.ts';
import { createRequestScope, type RequestScope } from '../../src/kernel/operation/request-scope.ts';
import { env } from './env.ts';

/** Creates the scope that a cron run would get, but doesn't wait for deferred work. */
export function openScope(now = Date.now()): RequestScope {
  return createRequestScope({
    env,
    config: parseEnv(env),
    origin: 'http://localhost',
    waitUntil: () => undefined,
    now,
  });
}
