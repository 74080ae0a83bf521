import type { HttpContext } from '../../../kernel/http/http.ts';
import { describeError, log } from '../../../kernel/operation/log.ts';
import type { RequestScope } from '../../../kernel/operation/request-scope.ts';
import { waitAtMost } from '../../../kernel/rate-limit/wait-at-most.ts';
import { isSameSecret } from '../../../kernel/secrets/sign-text.ts';

const CHECK_CACHE_MS = 10_000;
const CHECK_TIMEOUT_MS = 5_000;

interface HealthCheck {
  readonly startedAt: number;
  readonly isHealthy: Promise<boolean>;
}

interface HealthChecks {
  quick?: HealthCheck;
  complete?: HealthCheck;
}

/** Each isolate has its own checks. Concurrent requests share a check to avoid overloading the databases. */
const checks = new WeakMap<Env, HealthChecks>();

/** Only the log shows which database or bucket failed. */
export async function checkHealth(c: HttpContext): Promise<Response> {
  const scope = c.get('scope');
  const isHealthy = await getCheckResult(scope, mayRunCompleteCheck(c) ? 'complete' : 'quick');
  return isHealthy ? c.json({ status: 'ok' }) : c.json({ status: 'unavailable' }, 503);
}

function mayRunCompleteCheck(c: HttpContext): boolean {
  const { healthKey } = c.get('scope').config;
  const [, key] = /^Bearer (.+)$/i.exec(c.req.header('Authorization') ?? '') ?? [];
  return healthKey === null || (key !== undefined && isSameSecret(healthKey, key));
}

async function getCheckResult(scope: RequestScope, kind: keyof HealthChecks): Promise<boolean> {
  const checksByKind = checks.get(scope.env) ?? {};
  checks.set(scope.env, checksByKind);
  let check = checksByKind[kind];
  if (!check || scope.now - check.startedAt >= CHECK_CACHE_MS) {
    const isHealthy = runHealthCheck(scope, kind);
    check = { startedAt: scope.now, isHealthy };
    checksByKind[kind] = check;
    // Other requests wait for the check, so it continues if this client disconnects.
    scope.afterResponse('health.unavailable', () => isHealthy);
  }
  return (await waitAtMost(CHECK_TIMEOUT_MS, check.isHealthy)) ?? false;
}

async function runHealthCheck({ id, env, config }: RequestScope, kind: keyof HealthChecks): Promise<boolean> {
  const databases = kind === 'quick' ? [env.DIRECTORY] : [env.DIRECTORY, ...config.cells.values()];
  try {
    const work = Promise.all([
      ...databases.map((each) => each.prepare('SELECT 1 AS ok').first()),
      ...(kind === 'complete' ? [env.FILES.head('health')] : []),
    ]);
    if ((await waitAtMost(CHECK_TIMEOUT_MS, work)) !== null) return true;
    log('error', 'health.unavailable', { id, cause: `no response within ${CHECK_TIMEOUT_MS} ms` });
  } catch (error) {
    log('error', 'health.unavailable', { id, cause: describeError(error) });
  }
  return false;
}
