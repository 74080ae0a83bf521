import type { RequestScope } from '../kernel/request-scope.ts';
import { hashSecret } from '../kernel/tokens.ts';
import { addressBlock } from '../rate-limit/client-address.ts';
import { clearWindow, hitWindow, peekWindow } from '../rate-limit/rate-limit.ts';
import type { RateVerdict } from '../rate-limit/window.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LOGIN_MS = 15 * MINUTE_MS;
const LOGINS_AN_ADDRESS_MAX = 10;
/** Higher than the one of an address, so that one address alone cannot lock an account. */
const FAILURES_AN_ACCOUNT_MAX = 20;
const REGISTRATIONS_AN_ADDRESS_MAX = 20;
const RESENDS_AN_ADDRESS_MAX = 20;
const RESENDS_AN_ACCOUNT_MAX = 5;

/** Counts an attempt of the address, before anything is known about it, and looks at the failures of the account. */
export function countLogin(scope: RequestScope, emailKey: string): Promise<(RateVerdict | null)[]> {
  return Promise.all([
    hitDurably(scope, `login:ip:${address(scope)}`, LOGINS_AN_ADDRESS_MAX, LOGIN_MS),
    peekWindow(scope, accountWindow(emailKey), FAILURES_AN_ACCOUNT_MAX),
  ]);
}

/**
 * Counts a wrong password; a right one ends the count, so that nobody is locked out by signing in. Both are refused where
 * the count was full by now: of guesses that were made at once, none is right after too many were wrong.
 */
export function settleLogin(
  scope: RequestScope,
  emailKey: string,
  isRight: boolean,
): Promise<RateVerdict | null> {
  const name = accountWindow(emailKey);
  return isRight
    ? clearWindow(scope, name, FAILURES_AN_ACCOUNT_MAX)
    : hitDurably(scope, name, FAILURES_AN_ACCOUNT_MAX, LOGIN_MS);
}

export function countRegistration(scope: RequestScope) {
  return hitDurably(scope, `register:ip:${address(scope)}`, REGISTRATIONS_AN_ADDRESS_MAX, HOUR_MS);
}

export async function countResend(scope: RequestScope, emailKey: string) {
  const [ofAddress, ofAccount] = await Promise.all([
    hitDurably(scope, `resend:ip:${address(scope)}`, RESENDS_AN_ADDRESS_MAX, HOUR_MS),
    hitDurably(scope, `resend:account:${hashSecret(emailKey)}`, RESENDS_AN_ACCOUNT_MAX, HOUR_MS),
  ]);
  return { ofAddress, ofAccount };
}

function hitDurably(scope: RequestScope, name: string, limit: number, windowMs: number) {
  return hitWindow(scope, name, limit, windowMs, { durable: true });
}

function address(scope: RequestScope): string {
  return addressBlock(scope.clientIp);
}

function accountWindow(emailKey: string): string {
  return `login:account:${hashSecret(emailKey)}`;
}
