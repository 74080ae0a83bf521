import { log } from '../kernel/operation/log.ts';
import type { RequestScope } from '../kernel/operation/request-scope.ts';
import { CostMeter } from '../kernel/sql/cost.ts';
import { Database } from '../kernel/sql/database.ts';
import { describeUnsendable } from './limits.ts';
import {
  type ClaimedMail,
  claimDueMails,
  deleteFinishedMails,
  markFailed,
  markSent,
} from './outbox.queries.ts';

export const MAILS_A_RUN_MAX = 20;
/** Calls per mail: send it, record the result. */
export const DELIVERY_COST = 2;
/** Doubles with every attempt: ten attempts span about 17 hours. */
const FIRST_WAIT_MS = 60_000;
const ATTEMPTS_MAX = 10;
const ERROR_CHARACTERS_MAX = 300;
const KEEP_FINISHED_MS = 7 * 24 * 60 * 60_000;

/** Error codes for which retrying is pointless. Any other error is retried, even a missing binding. */
const permanentCodes = new Set([
  'E_VALIDATION_ERROR',
  'E_FIELD_MISSING',
  'E_TOO_MANY_RECIPIENTS',
  'E_RECIPIENT_NOT_ALLOWED',
  'E_RECIPIENT_SUPPRESSED',
  'E_CONTENT_TOO_LARGE',
]);

type MailContext = Pick<RequestScope, 'env' | 'config'>;

/**
 * Sends due mail and returns whether more may be due. Safe to run in parallel, because each mail is claimed by one run.
 */
export async function deliverOutbox(
  { env, config }: MailContext,
  now = Date.now(),
  mailsMax = MAILS_A_RUN_MAX,
): Promise<boolean> {
  // Delivery has its own meter because its cost isn't part of any response.
  const directory = new Database(env.DIRECTORY, new CostMeter());
  const [mails] = await directory.batch([claimDueMails(mailsMax, FIRST_WAIT_MS, now)]);
  for (const mail of mails) {
    const failure = await send({ env, config }, mail);
    if (failure === null) {
      await directory.batch([markSent(mail.id, now)]);
      continue;
    }
    const isFinal = failure.isPermanent || mail.attempts >= ATTEMPTS_MAX;
    log('error', isFinal ? 'mail.given_up' : 'mail.postponed', {
      mail: mail.id,
      attempts: mail.attempts,
      cause: failure.reason,
    });
    await directory.batch([markFailed(mail.id, failure.reason.slice(0, ERROR_CHARACTERS_MAX), isFinal)]);
  }
  return mails.length === mailsMax;
}

export async function cleanOutbox(scope: Pick<RequestScope, 'directory' | 'now'>): Promise<void> {
  await scope.directory.batch([deleteFinishedMails(scope.now - KEEP_FINISHED_MS)]);
}

interface Failure {
  reason: string;
  isPermanent: boolean;
}

async function send({ env, config }: MailContext, mail: ClaimedMail): Promise<Failure | null> {
  const unsendable = describeUnsendable(mail);
  if (unsendable) return { reason: unsendable, isPermanent: true };
  if (config.isLocal) {
    // Local servers send no mail. The developer needs the link, so it is logged, but only here.
    log('info', 'mail.local', { to: mail.recipient, subject: mail.subject, link: firstLink(mail.text) });
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
      isPermanent: typeof code === 'string' && permanentCodes.has(code),
    };
  }
}

function parseSender(mailFrom: string): string | { email: string; name: string } {
  const match = /^\s*(.+?)\s*<([^<>]+)>\s*$/.exec(mailFrom);
  return match ? { name: match[1] as string, email: match[2] as string } : mailFrom.trim();
}

function firstLink(text: string): string | null {
  return /https?:\/\/\S+/.exec(text)?.[0] ?? null;
}
