import type { HttpContext } from '../../../kernel/http/http.ts';
import { describeError, log } from '../../../kernel/operation/log.ts';
import type { RequestScope } from '../../../kernel/operation/request-scope.ts';
import { waitAtMost } from '../../../kernel/rate-limit/wait-at-most.ts';
import { isSameSecret } from '../../../kernel/secrets/sign-text.ts';

const CACHED_MS = 10_000;
const CHECK_MS_MAX = 5_000;

interface Check {
  readonly startedAt: number;
  readonly isHealthy: Promise<boolean>;
}

interface Checks {
  quick?: Check;
  complete?: Check;
}

/** Each isolate has its own checks. Concurrent requests share a check to avoid overloading the databases. */
const checks = new WeakMap<Env, Checks>();

/** Only the log shows which database or bucket failed. */
export async function checkHealth(c: HttpContext): Promise<Response> {
  const scope = c.get('scope');
  const isHealthy = await getCheck(scope, mayCheckAll(c) ? 'complete' : 'quick');
  return isHealthy ? c.json({ status: 'ok' }) : c.json({ status: 'unavailable' }, 503);
}

function mayCheckAll(c: HttpContext): boolean {
  const { healthKey } = c.get('scope').config;
  const [, key] = /^Bearer (.+)$/i.exec(c.req.header('Authorization') ?? '') ?? [];
  return healthKey === null || (key !== undefined && isSameSecret(healthKey, key));
}

async function getCheck(scope: RequestScope, kind: keyof Checks): Promise<boolean> {
  const known = checks.get(scope.env) ?? {};
  checks.set(scope.env, known);
  let check = known[kind];
  if (!check || scope.now - check.startedAt >= CACHED_MS) {
    const isHealthy = runCheck(scope, kind);
    check = { startedAt: scope.now, isHealthy };
    known[kind] = check;
    // Other requests wait for the check, so it continues if this client disconnects.
    scope.afterResponse('health.unavailable', () => isHealthy);
  }
  return (await waitAtMost(CHECK_MS_MAX, check.isHealthy)) ?? false;
}

async function runCheck({ id, env, config }: RequestScope, kind: keyof Checks): Promise<boolean> {
  const databases = kind === 'quick' ? [env.DIRECTORY] : [env.DIRECTORY, ...config.cells.values()];
  try {
    const work = Promise.all([
      ...databases.map((each) => each.prepare('SELECT 1 AS ok').first()),
      ...(kind === 'complete' ? [env.FILES.head('health')] : []),
    ]);
    if ((await waitAtMost(CHECK_MS_MAX, work)) !== null) return true;
    log('error', 'health.unavailable', { id, cause: `no response within ${CHECK_MS_MAX} ms` });
  } catch (error) {
    log('error', 'health.unavailable', { id, cause: describeError(error) });
  }
  return false;
}
