import type { RequestScope } from '../../kernel/operation/request-scope.ts';
import { toAddressBlock } from '../../kernel/rate-limit/client-address.ts';
import { clearWindow, hitWindow, peekWindow } from '../../kernel/rate-limit/rate-limit.ts';
import type { RateVerdict } from '../../kernel/rate-limit/window.ts';
import { hashSecret } from '../../kernel/secrets/tokens.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LOGIN_MS = 15 * MINUTE_MS;
const LOGINS_AN_ADDRESS_MAX = 10;
/** Higher than the limit per address, so that a single address can't lock an account. */
const FAILURES_AN_ACCOUNT_MAX = 20;
const REGISTRATIONS_AN_ADDRESS_MAX = 20;
const RESENDS_AN_ADDRESS_MAX = 20;
const RESENDS_AN_ACCOUNT_MAX = 5;

export function countLogin(scope: RequestScope, emailKey: string): Promise<(RateVerdict | null)[]> {
  return Promise.all([
    hitDurably(scope, `login:ip:${address(scope)}`, LOGINS_AN_ADDRESS_MAX, LOGIN_MS),
    peekWindow(scope, accountWindow(emailKey), FAILURES_AN_ACCOUNT_MAX),
  ]);
}

/** A correct password resets the count. At the limit it is refused too, so that parallel guesses gain nothing. */
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

/** Has the limits of verification links, but is counted separately. */
export async function countReset(scope: RequestScope, emailKey: string) {
  const [ofAddress, ofAccount] = await Promise.all([
    hitDurably(scope, `reset:ip:${address(scope)}`, RESENDS_AN_ADDRESS_MAX, HOUR_MS),
    hitDurably(scope, `reset:account:${hashSecret(emailKey)}`, RESENDS_AN_ACCOUNT_MAX, HOUR_MS),
  ]);
  return { ofAddress, ofAccount };
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
  return toAddressBlock(scope.clientIp);
}

function accountWindow(emailKey: string): string {
  return `login:account:${hashSecret(emailKey)}`;
}
