import type { DirectoryJob } from '../kernel/operation/jobs.ts';
import { describeError, log } from '../kernel/operation/log.ts';
import type { RequestScope } from '../kernel/operation/request-scope.ts';
import { type Allowance, countAffordableUnits, unlimitedAllowance } from '../kernel/sql/budget.ts';
import { CostMeter } from '../kernel/sql/cost.ts';
import { Database } from '../kernel/sql/database.ts';
import { writeDataPoint } from '../kernel/telemetry/data-points.ts';
import { DELIVERY_COST, deliverEmails, type MailContext } from './deliver.ts';
import { takeDueNotificationEmails, takeDueTransactionalEmails } from './outbox.queries.ts';

const SEND_BATCH_MAX = 100;
const EMAILS_PER_SWEEP_MAX = 500;
const DIRECT_SENDS_MAX = 20;
/** If the queue hasn't delivered an email after this time, a cron job enqueues it again. */
const REENQUEUE_AFTER_MS = 60_000;
const ENQUEUE_COST = 3 + (2 * EMAILS_PER_SWEEP_MAX) / SEND_BATCH_MAX;

interface QueuedMail {
  readonly id: number;
}

/**
 * Enqueues transactional email after the response, or sends it directly if that fails. Other email isn't urgent, and
 * waits for `sendDueEmails`.
 */
export function scheduleDelivery(scope: RequestScope, emails: readonly QueuedMail[]): void {
  if (emails.length === 0) return;
  scope.afterResponse('mail.deliver', async () => {
    if (!(await enqueueEmails(scope.env.TRANSACTIONAL_MAIL, emails)))
      await deliverEmails(scope, emails.map(getMailId));
  });
}

/**
 * Enqueues email that has been due for a minute: notifications, and transactional email that wasn't enqueued, for
 * example because of a crash. Without queues, or if enqueueing fails, sends due email directly.
 */
export async function sendDueEmails(
  context: MailContext,
  now = Date.now(),
  allowance: Allowance = unlimitedAllowance,
): Promise<boolean> {
  const { DIRECTORY, TRANSACTIONAL_MAIL, NOTIFICATION_MAIL } = context.env;
  const directMax = countAffordableUnits(
    { left: allowance.left - ENQUEUE_COST },
    DELIVERY_COST,
    DIRECT_SENDS_MAX,
  );
  const sweep = TRANSACTIONAL_MAIL
    ? { dueUntil: now - REENQUEUE_AFTER_MS, limit: EMAILS_PER_SWEEP_MAX }
    : { dueUntil: now, limit: directMax };
  const directory = new Database(DIRECTORY, new CostMeter());
  const [transactional, notifications] = await directory.batch([
    takeDueTransactionalEmails(sweep, now),
    takeDueNotificationEmails(sweep, now),
  ]);
  // Notifications always wait for this job. Transactional email gets here only if it wasn't sent in time.
  for (const [name, { length }] of Object.entries({ transactional, notifications })) {
    if (length > 0) writeDataPoint(context.env, { kind: 'mail', name, outcome: 'swept', count: length });
  }
  const rest = [
    ...((await enqueueEmails(TRANSACTIONAL_MAIL, transactional)) ? [] : transactional),
    ...((await enqueueEmails(NOTIFICATION_MAIL, notifications)) ? [] : notifications),
  ];
  if (rest.length > 0) await deliverEmails(context, rest.slice(0, directMax).map(getMailId), now);
  return [transactional, notifications].some(({ length }) => length === sweep.limit);
}

export const deliverOutbox: DirectoryJob = {
  name: 'outbox.deliver',
  cost: ENQUEUE_COST + DELIVERY_COST,
  run: (scope, allowance) => sendDueEmails(scope, scope.now, allowance),
};

/** The queue retries a failed email when its next attempt is due. */
export async function consumeMailBatch(batch: MessageBatch<unknown>, context: MailContext): Promise<void> {
  const startedAt = Date.now();
  const waits = await deliverEmails(
    context,
    batch.messages.map(({ body }) => Number(body)),
  );
  const point = { kind: 'mail', name: batch.queue, ms: Date.now() - startedAt } as const;
  writeDataPoint(context.env, { ...point, outcome: 'taken', count: batch.messages.length });
  if (waits.size > 0) writeDataPoint(context.env, { ...point, outcome: 'retried', count: waits.size });
  for (const message of batch.messages) {
    const wait = waits.get(Number(message.body));
    // After the last attempt, `retry` moves the email to the dead-letter queue.
    if (wait !== undefined) message.retry({ delaySeconds: wait / 1000 });
  }
}

async function enqueueEmails(
  queue: Queue<number> | undefined,
  emails: readonly QueuedMail[],
): Promise<boolean> {
  if (!queue) return false;
  try {
    for (let start = 0; start < emails.length; start += SEND_BATCH_MAX) {
      const messages = emails.slice(start, start + SEND_BATCH_MAX).map(({ id }) => ({ body: id }));
      await queue.sendBatch(messages);
    }
    return true;
  } catch (error) {
    log('error', 'mail.unqueued', { emails: emails.length, cause: describeError(error) });
    return false;
  }
}

function getMailId({ id }: QueuedMail): number {
  return id;
}
