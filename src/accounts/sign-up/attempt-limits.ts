import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { toAddressBlock } from '../../kernel/rate-limit/client-address.ts';
import { clearWindow, hitWindow, peekWindow } from '../../kernel/rate-limit/rate-limit.ts';
import type { RateVerdict } from '../../kernel/rate-limit/window.ts';
import { hashSecret } from '../../kernel/secrets/tokens.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LOGIN_WINDOW_MS = 15 * MINUTE_MS;
const MAX_LOGINS_PER_ADDRESS = 10;
/** Higher than the limit per IP address, so that one IP address can't lock an account. */
const MAX_FAILURES_PER_ACCOUNT = 20;
const MAX_REGISTRATIONS_PER_ADDRESS = 20;
const MAX_RESENDS_PER_ADDRESS = 20;
const MAX_RESENDS_PER_ACCOUNT = 5;

export function countLogin(scope: RequestScope, emailKey: string): Promise<(RateVerdict | null)[]> {
  return Promise.all([
    hitDurably(scope, `login:ip:${getAddressBlock(scope)}`, MAX_LOGINS_PER_ADDRESS, LOGIN_WINDOW_MS),
    peekWindow(scope, getAccountWindowName(emailKey), MAX_FAILURES_PER_ACCOUNT),
  ]);
}

/** A correct password resets the count. At the limit, even a correct one is refused, to stop parallel guesses. */
export function recordLoginResult(
  scope: RequestScope,
  emailKey: string,
  isRight: boolean,
): Promise<RateVerdict | null> {
  const name = getAccountWindowName(emailKey);
  return isRight
    ? clearWindow(scope, name, MAX_FAILURES_PER_ACCOUNT)
    : hitDurably(scope, name, MAX_FAILURES_PER_ACCOUNT, LOGIN_WINDOW_MS);
}

export function countRegistration(scope: RequestScope) {
  return hitDurably(scope, `register:ip:${getAddressBlock(scope)}`, MAX_REGISTRATIONS_PER_ADDRESS, HOUR_MS);
}

/** Password resets have the same limits as verification links, but are counted separately. */
export async function countReset(scope: RequestScope, emailKey: string) {
  const [ofAddress, ofAccount] = await Promise.all([
    hitDurably(scope, `reset:ip:${getAddressBlock(scope)}`, MAX_RESENDS_PER_ADDRESS, HOUR_MS),
    hitDurably(scope, `reset:account:${hashSecret(emailKey)}`, MAX_RESENDS_PER_ACCOUNT, HOUR_MS),
  ]);
  return { ofAddress, ofAccount };
}

export async function countResend(scope: RequestScope, emailKey: string) {
  const [ofAddress, ofAccount] = await Promise.all([
    hitDurably(scope, `resend:ip:${getAddressBlock(scope)}`, MAX_RESENDS_PER_ADDRESS, HOUR_MS),
    hitDurably(scope, `resend:account:${hashSecret(emailKey)}`, MAX_RESENDS_PER_ACCOUNT, HOUR_MS),
  ]);
  return { ofAddress, ofAccount };
}

function hitDurably(scope: RequestScope, name: string, limit: number, windowMs: number) {
  return hitWindow(scope, name, limit, windowMs, { durable: true });
}

function getAddressBlock(scope: RequestScope): string {
  return toAddressBlock(scope.clientIp);
}

function getAccountWindowName(emailKey: string): string {
  return `login:account:${hashSecret(emailKey)}`;
}
