import { HOUR_MS, MINUTE_MS } from '../../kernel/dates/durations.ts';
import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { toAddressBlock } from '../../kernel/rate-limit/client-address.ts';
import { countHit, peekRateWindow, resetRateWindow } from '../../kernel/rate-limit/rate-limit.ts';
import type { RateVerdict } from '../../kernel/rate-limit/rate-verdict.ts';
import { hashSecret } from '../../kernel/secrets/tokens.ts';

const LOGIN_WINDOW_MS = 15 * MINUTE_MS;
const LOGINS_PER_IP_MAX = 10;
/** Higher than `LOGINS_PER_IP_MAX`, so that a single IP address can't lock an account. */
const FAILURES_PER_ACCOUNT_MAX = 20;
const REGISTRATIONS_PER_IP_MAX = 20;
const RESENDS_PER_IP_MAX = 20;
const RESENDS_PER_ACCOUNT_MAX = 5;

export function countLoginAttempt(scope: RequestScope, emailKey: string): Promise<(RateVerdict | null)[]> {
  return Promise.all([
    countDurableHit(scope, `login:ip:${getIpBlock(scope)}`, LOGINS_PER_IP_MAX, LOGIN_WINDOW_MS),
    peekRateWindow(scope, getAccountWindowName(emailKey), FAILURES_PER_ACCOUNT_MAX),
  ]);
}

/**
 * A correct password resets the count. Once the limit is reached, even a correct password is rejected, so that
 * parallel guesses can't get past the limit.
 */
export function recordLoginResult(
  scope: RequestScope,
  emailKey: string,
  isRight: boolean,
): Promise<RateVerdict | null> {
  const name = getAccountWindowName(emailKey);
  return isRight
    ? resetRateWindow(scope, name, FAILURES_PER_ACCOUNT_MAX)
    : countDurableHit(scope, name, FAILURES_PER_ACCOUNT_MAX, LOGIN_WINDOW_MS);
}

export function countRegistration(scope: RequestScope) {
  return countDurableHit(scope, `register:ip:${getIpBlock(scope)}`, REGISTRATIONS_PER_IP_MAX, HOUR_MS);
}

export async function countResetRequest(scope: RequestScope, emailKey: string) {
  const [ofAddress, ofAccount] = await Promise.all([
    countDurableHit(scope, `reset:ip:${getIpBlock(scope)}`, RESENDS_PER_IP_MAX, HOUR_MS),
    countDurableHit(scope, `reset:account:${hashSecret(emailKey)}`, RESENDS_PER_ACCOUNT_MAX, HOUR_MS),
  ]);
  return { ofAddress, ofAccount };
}

export async function countResendRequest(scope: RequestScope, emailKey: string) {
  const [ofAddress, ofAccount] = await Promise.all([
    countDurableHit(scope, `resend:ip:${getIpBlock(scope)}`, RESENDS_PER_IP_MAX, HOUR_MS),
    countDurableHit(scope, `resend:account:${hashSecret(emailKey)}`, RESENDS_PER_ACCOUNT_MAX, HOUR_MS),
  ]);
  return { ofAddress, ofAccount };
}

function countDurableHit(scope: RequestScope, name: string, limit: number, windowMs: number) {
  return countHit(scope, name, limit, windowMs, { durable: true });
}

function getIpBlock(scope: RequestScope): string {
  return toAddressBlock(scope.clientIp);
}

function getAccountWindowName(emailKey: string): string {
  return `login:account:${hashSecret(emailKey)}`;
}
