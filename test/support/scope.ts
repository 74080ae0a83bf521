import { parseEnv } from '../../src/env.ts';
import { createRequestScope, type RequestScope } from '../../src/kernel/operation/request-scope.ts';
import { env } from './env.ts';

/** A scope as a cron run has it, now or at another time. Nobody waits for what it leaves for later. */
export function openScope(now = Date.now()): RequestScope {
  return createRequestScope({
    env,
    config: parseEnv(env),
    origin: 'http://localhost',
    waitUntil: () => undefined,
    now,
  });
}
