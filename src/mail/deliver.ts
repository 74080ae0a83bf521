import { DAY_MS } from '../kernel/dates/durations.ts';
import type { DirectoryJob } from '../kernel/operation/jobs.ts';
import { log } from '../kernel/operation/log.ts';
import type { RequestScope } from '../kernel/operation/request-scope.ts';
import { countHit, peekRateWindow } from '../kernel/rate-limit/rate-limit.ts';
import { CostMeter } from '../kernel/sql/cost.ts';
import { Database } from '../kernel/sql/database.ts';
import { describeUnsendableMail } from './mail-limits.ts';
import {
  type ClaimedMail,
  claimEmails,
  deleteFinishedEmails,
  markEmailFailed,
  markEmailSent,
  postponeMail,
} from './outbox.queries.ts';

/** The number of calls per email: checking the quota, counting the email, sending it, and recording the result. */
export const DELIVERY_COST = 4;
/** The wait doubles after every attempt, so that ten attempts span about 8.5 hours. */
const FIRST_WAIT_MS = 60_000;
const ATTEMPTS_MAX = 10;
/**
 * The maximum clock difference between machines. Must be less than `FIRST_WAIT_MS`, because otherwise claimed emails
 * would be sent twice.
 */
const CLOCK_SKEW_MS = 5_000;
const ERROR_CHARACTERS_MAX = 300;
const FINISHED_EMAIL_RETENTION_MS = 7 * DAY_MS;
const QUOTA_WINDOW = 'mail:daily';
const NOTIFICATIONS_SHARE = 0.8;

const permanentErrorCodes = new Set([
  'E_VALIDATION_ERROR',
  'E_FIELD_MISSING',
  'E_TOO_MANY_RECIPIENTS',
  'E_RECIPIENT_NOT_ALLOWED',
  'E_RECIPIENT_SUPPRESSED',
  'E_CONTENT_TOO_LARGE',
]);

export type MailContext = Pick<RequestScope, 'env' | 'config'>;

/**
 * Sends the emails that are due and not claimed. Parallel calls with the same ids are safe. Returns the milliseconds
 * until the next attempt for each email that failed temporarily, by id.
 */
export async function deliverEmails(
  context: MailContext,
  ids: readonly number[],
  now = Date.now(),
): Promise<ReadonlyMap<number, number>> {
  const directory = new Database(context.env.DIRECTORY, new CostMeter());
  const [emails] = await directory.batch([claimEmails(ids, FIRST_WAIT_MS, now, now + CLOCK_SKEW_MS)]);
  const waits = new Map<number, number>();
  const outcomes = await Promise.allSettled(
    emails.map(async (mail) => {
      const wait = await deliverMail(context, directory, mail, now);
      if (wait !== null) waits.set(mail.id, wait);
    }),
  );
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return waits;
}

async function deliverMail(
  context: MailContext,
  directory: Database,
  mail: ClaimedMail,
  now: number,
): Promise<number | null> {
  const quotaWaitMs = await countAgainstQuota(context, mail.unsubscribe !== null);
  if (quotaWaitMs !== null) {
    await directory.batch([postponeMail(mail, now + quotaWaitMs)]);
    return null;
  }
  const failure = await sendMail(context, mail);
  if (failure === null) {
    await directory.batch([markEmailSent(mail.id, now)]);
    return null;
  }
  const isFinal = failure.isPermanent || mail.attempts >= ATTEMPTS_MAX;
  log('error', isFinal ? 'mail.given_up' : 'mail.postponed', {
    mail: mail.id,
    attempts: mail.attempts,
    cause: failure.reason,
  });
  await directory.batch([markEmailFailed(mail, failure.reason.slice(0, ERROR_CHARACTERS_MAX), isFinal)]);
  return failure.isPermanent ? null : FIRST_WAIT_MS * 2 ** (mail.attempts - 1);
}

/**
 * Returns null if the email can be sent now. If only the quota's share for transactional email is left, returns how
 * many milliseconds a notification has to wait.
 */
async function countAgainstQuota(
  { env, config }: MailContext,
  isNotification: boolean,
): Promise<number | null> {
  const { mailDailyQuota: quota } = config;
  if (quota === null) return null;
  const scope = { env, id: 'mail' };
  if (isNotification) {
    const verdict = await peekRateWindow(scope, QUOTA_WINDOW, Math.floor(quota * NOTIFICATIONS_SHARE));
    if (verdict && !verdict.allowed) return verdict.resetSeconds * 1000;
  }
  await countHit(scope, QUOTA_WINDOW, quota, DAY_MS);
  return null;
}

export const cleanOutbox: DirectoryJob = {
  name: 'outbox.clean',
  cost: 1,
  run: ({ directory, now }) =>
    directory.batch([deleteFinishedEmails(now - FINISHED_EMAIL_RETENTION_MS)]).then(() => false),
};

interface SendFailure {
  reason: string;
  isPermanent: boolean;
}

async function sendMail({ env, config }: MailContext, mail: ClaimedMail): Promise<SendFailure | null> {
  const unsendable = describeUnsendableMail(mail);
  if (unsendable) return { reason: unsendable, isPermanent: true };
  if (config.isLocal) {
    // Local servers send no email, so the log contains the link that a developer needs. Deployments never log links.
    log('info', 'mail.local', { to: mail.recipient, subject: mail.subject, link: findFirstLink(mail.text) });
    return null;
  }
  if (!env.EMAIL) return { reason: 'The EMAIL binding is missing; see docs/deploy.md', isPermanent: false };
  try {
    await env.EMAIL.send({
      to: mail.recipient,
      from: parseSender(config.mailFrom),
      subject: mail.subject,
      html: mail.html,
      text: mail.text,
      ...(mail.unsubscribe && {
        headers: {
          'List-Unsubscribe': `<${mail.unsubscribe}>`,
          'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
        },
      }),
    });
    return null;
  } catch (error) {
    const code = (error as { code?: unknown }).code;
    const text = error instanceof Error ? error.message : String(error);
    return {
      reason: typeof code === 'string' ? `${code}: ${text}` : text,
      isPermanent: typeof code === 'string' && permanentErrorCodes.has(code),
    };
  }
}

function parseSender(mailFrom: string): string | { email: string; name: string } {
  const match = /^\s*(.+?)\s*<([^<>]+)>\s*$/.exec(mailFrom);
  return match ? { name: match[1] as string, email: match[2] as string } : mailFrom.trim();
}

function findFirstLink(text: string): string | null {
  return /https?:\/\/\S+/.exec(text)?.[0] ?? null;
}
