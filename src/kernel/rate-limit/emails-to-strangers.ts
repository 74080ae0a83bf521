import type { RequestScope } from '../operation/request-scope.ts';
import { hashSecret } from '../secrets/tokens.ts';
import { countHit, requireAllowed } from './rate-limit.ts';

const HOUR_MS = 60 * 60_000;
/** The limit per hour from one account or workspace to the same address. */
const EMAILS_PER_SENDER_MAX = 5;
/** Higher than the limit per sender, so that one sender can't block the others. */
const EMAILS_PER_ADDRESS_MAX = 20;

/** Throws 429 above the limit, so that no account can flood other people with email. */
export async function countEmailToAddress(
  scope: RequestScope,
  emailKey: string,
  sender: string,
): Promise<void> {
  const address = hashSecret(emailKey);
  const hit = (name: string, limit: number) => countHit(scope, name, limit, HOUR_MS, { durable: true });
  requireAllowed(await hit(`mail:${sender}:${address}`, EMAILS_PER_SENDER_MAX));
  requireAllowed(await hit(`mail:${address}`, EMAILS_PER_ADDRESS_MAX));
}
