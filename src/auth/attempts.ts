import type { Scope } from '../kernel/request-scope.ts';
import { hashSecret } from '../kernel/tokens.ts';
import { addressBlock } from '../rate-limit/client-address.ts';
import { hitWindow } from '../rate-limit/rate-limit.ts';
import type { RateVerdict } from '../rate-limit/window.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const LOGIN_MS = 15 * MINUTE_MS;
const LOGINS_AN_ADDRESS_MAX = 10;
/** Higher than the one of an address, so that one address alone cannot lock an account. */
const LOGINS_AN_ACCOUNT_MAX = 20;
const REGISTRATIONS_AN_ADDRESS_MAX = 20;
const RESENDS_AN_ADDRESS_MAX = 20;
const RESENDS_AN_ACCOUNT_MAX = 5;

/** Each counts one attempt, before anything is known about it. */
export function countLogin(scope: Scope, emailKey: string): Promise<(RateVerdict | null)[]> {
  return Promise.all([
    hitDurably(scope, `login:ip:${address(scope)}`, LOGINS_AN_ADDRESS_MAX, LOGIN_MS),
    hitDurably(scope, `login:account:${hashSecret(emailKey)}`, LOGINS_AN_ACCOUNT_MAX, LOGIN_MS),
  ]);
}

export function countRegistration(scope: Scope) {
  return hitDurably(scope, `register:ip:${address(scope)}`, REGISTRATIONS_AN_ADDRESS_MAX, HOUR_MS);
}

export async function countResend(scope: Scope, emailKey: string) {
  const [ofAddress, ofAccount] = await Promise.all([
    hitDurably(scope, `resend:ip:${address(scope)}`, RESENDS_AN_ADDRESS_MAX, HOUR_MS),
    hitDurably(scope, `resend:account:${hashSecret(emailKey)}`, RESENDS_AN_ACCOUNT_MAX, HOUR_MS),
  ]);
  return { ofAddress, ofAccount };
}

function hitDurably(scope: Scope, name: string, limit: number, windowMs: number) {
  return hitWindow(scope, name, limit, windowMs, { durable: true });
}

function address(scope: Scope): string {
  return addressBlock(scope.clientIp);
}
