import { HOUR_MS } from '../dates/durations.ts';
import type { RequestScope } from '../operation/request-scope.ts';
import { hashSecret } from '../secrets/tokens.ts';
import { formatWaitTime } from '../text/number-format.ts';
import { countHit, peekRateWindow, tooManyRequestsError } from './rate-limit.ts';
import type { RateVerdict } from './rate-verdict.ts';

/** Emails per hour from one account or workspace to the same address. */
const EMAILS_PER_SENDER_MAX = 5;
/** Emails per hour from all senders to the same address. A single sender can't reach this limit and block others. */
const EMAILS_PER_ADDRESS_MAX = 20;

export interface Recipient {
  readonly email: string;
  readonly emailKey: string;
}

interface OutgoingEmail {
  readonly recipients: readonly Recipient[];
  readonly sender: string;
}

/** Throws 429 if an address is at its limit. Doesn't count the email, so a rejected request uses up no one's limit. */
export async function requireEmailsAllowed(scope: RequestScope, mail: OutgoingEmail): Promise<void> {
  await requireWithinLimits(mail, (name, limit) => peekRateWindow(scope, name, limit));
}

export async function countEmails(scope: RequestScope, mail: OutgoingEmail): Promise<void> {
  await requireWithinLimits(mail, (name, limit) => countHit(scope, name, limit, HOUR_MS, { durable: true }));
}

async function requireWithinLimits(
  { recipients, sender }: OutgoingEmail,
  ask: (window: string, limit: number) => Promise<RateVerdict | null>,
): Promise<void> {
  await Promise.all(
    recipients.map(async ({ email, emailKey }) => {
      const address = hashSecret(emailKey);
      const verdicts = [
        await ask(`mail:${sender}:${address}`, EMAILS_PER_SENDER_MAX),
        await ask(`mail:${address}`, EMAILS_PER_ADDRESS_MAX),
      ];
      const rejected = verdicts.find((verdict) => verdict && !verdict.allowed);
      if (!rejected) return;
      throw tooManyRequestsError(
        rejected.resetSeconds,
        `Too many emails to ${email}. Try again in ${formatWaitTime(rejected.resetSeconds)}.`,
      );
    }),
  );
}
