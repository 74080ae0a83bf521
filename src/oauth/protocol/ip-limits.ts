import type { MiddlewareHandler } from 'hono';
import type { HttpEnv } from '../../kernel/http/http.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { toAddressBlock } from '../../kernel/rate-limit/client-address.ts';
import { countHit } from '../../kernel/rate-limit/rate-limit.ts';
import { formatWaitTime } from '../../kernel/text/number-format.ts';
import { OAuthError } from './oauth-error.ts';

const WINDOW_MS = 15 * 60_000;

const maxRequests = { token: 60, revoke: 60, register: 20, document: 60 } as const;

export async function enforceIpLimit(scope: RequestScope, endpoint: keyof typeof maxRequests): Promise<void> {
  const name = `oauth:${endpoint}:ip:${toAddressBlock(scope.clientIp)}`;
  const verdict = await countHit(scope, name, maxRequests[endpoint], WINDOW_MS, { durable: true });
  if (!verdict || verdict.allowed) return;
  throw new OAuthError(
    'temporarily_unavailable',
    `Too many requests from this IP address. Try again in ${formatWaitTime(verdict.resetSeconds)}.`,
    { headers: { 'Retry-After': String(verdict.resetSeconds) } },
  );
}

export function limitRequestsByIp(endpoint: keyof typeof maxRequests): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    await enforceIpLimit(c.get('scope'), endpoint);
    await next();
  };
}
