import { HOUR_MS } from '../dates/durations.ts';
import type { RequestScope } from '../operation/request-scope.ts';
import { hashSecret } from '../secrets/tokens.ts';
import { formatWait } from '../text/number-format.ts';
import { countHit, peekWindow, tooManyRequestsError } from './rate-limit.ts';
import type { RateVerdict } from './rate-verdict.ts';

/** Per hour, from one account or workspace to the same address. */
const EMAILS_PER_SENDER_MAX = 5;
/** Higher than the limit per sender, so that one sender can't block the others. */
const EMAILS_PER_ADDRESS_MAX = 20;

export interface Recipient {
  readonly email: string;
  readonly emailKey: string;
}

interface Mail {
  readonly recipients: readonly Recipient[];
  readonly sender: string;
}

/** Throws 429 if an address is at its limit. Counts nothing, so that the other addresses can get the email later. */
export async function requireEmailsAllowed(scope: RequestScope, mail: Mail): Promise<void> {
  await requireAllAllowed(mail, (name, limit) => peekWindow(scope, name, limit));
}

/** Throws 429 above the limit, so that no account can flood other people with email. */
export async function countEmails(scope: RequestScope, mail: Mail): Promise<void> {
  await requireAllAllowed(mail, (name, limit) => countHit(scope, name, limit, HOUR_MS, { durable: true }));
}

async function requireAllAllowed(
  { recipients, sender }: Mail,
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
        `Too many emails to ${email}. Try again in ${formatWait(rejected.resetSeconds)}.`,
      );
    }),
  );
}
