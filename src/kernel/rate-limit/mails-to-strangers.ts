import type { RequestScope } from '../operation/request-scope.ts';
import { hashSecret } from '../secrets/tokens.ts';
import { hitWindow, requireAllowed } from './rate-limit.ts';

const HOUR_MS = 60 * 60_000;
/** Of one account, or of one workspace, to the same address. */
const FROM_ONE_MAX = 5;
/** More than that, so that no single one keeps others from writing there. */
const FROM_ALL_MAX = 20;

/**
 * Counts a mail to an address that its sender typed, and throws 429 where it is one too many: whoever has an account could
 * otherwise have this service flood anybody.
 * @param sender the account or the workspace.
 */
export async function countMailTo(scope: RequestScope, emailKey: string, sender: string): Promise<void> {
  const address = hashSecret(emailKey);
  const hit = (name: string, limit: number) => hitWindow(scope, name, limit, HOUR_MS, { durable: true });
  requireAllowed(await hit(`mail:${sender}:${address}`, FROM_ONE_MAX));
  requireAllowed(await hit(`mail:${address}`, FROM_ALL_MAX));
}
