// Some tests use the local runtime's emulated queues. The others use fake queues or fake batches.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { requestPasswordReset } from '../../src/accounts/own/password-reset.ts';
import { parseEnv } from '../../src/env.ts';
import { consumeMailBatch, sendDueEmails } from '../../src/mail/mail-queues.ts';
import { runPublic } from '../support/accounts.ts';
import { ORIGIN, send } from '../support/api.ts';
import { env, queuedEnv } from '../support/env.ts';
import { createEmailAddress, createIpAddress, PASSWORD, registerAndVerify } from '../support/people.ts';
import { pollUntil } from '../support/timeout.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const { TRANSACTIONAL_MAIL, NOTIFICATION_MAIL } = queuedEnv;
const queues = { TRANSACTIONAL_MAIL, NOTIFICATION_MAIL } as Partial<Env>;

interface Row {
  id: number;
  recipient: string;
  subject: string;
  attempts: number;
  next_attempt_at: number | null;
  sent_at: number | null;
}

async function readOutbox(): Promise<Row[]> {
  return (await env.DIRECTORY.prepare('SELECT * FROM outbox ORDER BY id').all<Row>()).results;
}

async function findMail(recipient: string): Promise<Row | undefined> {
  return (await readOutbox()).find((mail) => mail.recipient === recipient);
}

/** @param unsubscribe the unsubscribe link of a notification, or null for a transactional email. */
async function insertEmails(count: number, unsubscribe: string | null, dueAt = Date.now() - HOUR_MS) {
  const { results } = await env.DIRECTORY.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     INSERT INTO outbox (recipient, subject, text, html, unsubscribe, created_at, next_attempt_at)
     SELECT i || '@example.com', 'Hello', 'text', '<p>html</p>', ?, ?, ? FROM n RETURNING id`,
  )
    .bind(count, unsubscribe, dueAt, dueAt)
    .all<{ id: number }>();
  return results.map(({ id }) => id);
}
const LINK = 'https://edgework.test/unsubscribe?token=t';

/** Creates a consumer's context with a mail service that fails if `fail` returns an error. */
function createMailService(fail: () => Error | null = () => null, bindings: Partial<Env> = {}) {
  const sent: string[] = [];
  const EMAIL = {
    async send({ to }: { to: string }) {
      const error = fail();
      if (error) throw error;
      sent.push(to);
      return { messageId: to };
    },
  } as unknown as SendEmail;
  const all = { ...env, EMAIL, ...bindings };
  return { sent, context: { env: all, config: parseEnv(all) } };
}

/** `retried` contains the delay in seconds of each retried message. */
function createBatch(ids: readonly number[]) {
  const retried: (number | undefined)[] = [];
  const messages = ids.map((body) => ({
    body,
    retry: ({ delaySeconds }: QueueRetryOptions = {}) => retried.push(delaySeconds),
  }));
  return { retried, batch: { messages } as unknown as MessageBatch<unknown> };
}

function createFakeQueue(error: Error | null = null) {
  const ids: number[] = [];
  const queue = {
    async sendBatch(messages: { body: number }[]) {
      expect(messages.length).toBeLessThanOrEqual(100);
      if (error) throw error;
      ids.push(...messages.map(({ body }) => body));
    },
  } as unknown as Queue<number>;
  return { ids, queue };
}

function register(email: string, bindings: Partial<Env>) {
  const body = JSON.stringify({ email, password: PASSWORD, name: 'Ada Test' });
  const headers = { 'Content-Type': 'application/json', 'CF-Connecting-IP': createIpAddress() };
  return send(new Request(`${ORIGIN}/v1/auth/register`, { method: 'POST', body, headers }), bindings);
}

beforeEach(async () => {
  await env.DIRECTORY.prepare('DELETE FROM outbox').run();
});
// Deletes all emails, so that messages still in a queue don't send any.
afterEach(async () => {
  await env.DIRECTORY.prepare('DELETE FROM outbox').run();
});

it('a password reset is sent even while many notifications are waiting', async () => {
  const email = createEmailAddress();
  await registerAndVerify(email);
  await insertEmails(3_000, LINK);
  const context = { env: queuedEnv, config: parseEnv(queuedEnv) };
  while (await sendDueEmails(context));
  await runPublic(requestPasswordReset, { email }, queues);
  let waiting = 0;
  await pollUntil(async () => {
    const emails = await readOutbox();
    waiting = emails.filter(({ sent_at }) => sent_at === null).length;
    return emails.some(({ subject, sent_at }) => /^Reset/.test(subject) && sent_at !== null);
  });
  expect(waiting).toBeGreaterThan(500);
});

it('each email is sent once, even if the queue delivers it twice', async () => {
  const ids = await insertEmails(20, LINK);
  const { sent, context } = createMailService();
  await Promise.all([
    consumeMailBatch(createBatch([...ids, ...ids]).batch, context),
    consumeMailBatch(createBatch(ids).batch, context),
    sendDueEmails(context),
  ]);
  await consumeMailBatch(createBatch(ids).batch, context);
  expect(sent).toHaveLength(20);
});

it('an email is retried with delays that double after every failure, and abandoned after ten failures', async () => {
  const [id = 0] = await insertEmails(1, null);
  const { context } = createMailService(() => new Error('try later'));
  const delays: unknown[] = [];
  for (let attempt = 1; attempt <= 12; attempt += 1) {
    const { batch, retried } = createBatch([id]);
    await consumeMailBatch(batch, context);
    delays.push(...retried);
    // Pretends that the delay has passed.
    await env.DIRECTORY.prepare('UPDATE outbox SET next_attempt_at = 0 WHERE next_attempt_at > 0').run();
  }
  expect(delays).toEqual([60, 120, 240, 480, 960, 1_920, 3_840, 7_680, 15_360, 30_720]);
  expect(await readOutbox()).toMatchObject([{ attempts: 10, next_attempt_at: null, sent_at: null }]);
});

it("an email that the mail service will never accept isn't retried", async () => {
  const ids = await insertEmails(1, null);
  const { context } = createMailService(() =>
    Object.assign(new Error('no'), { code: 'E_RECIPIENT_SUPPRESSED' }),
  );
  const { batch, retried } = createBatch(ids);
  await consumeMailBatch(batch, context);
  expect(retried).toEqual([]);
  expect(await readOutbox()).toMatchObject([{ attempts: 1, next_attempt_at: null, sent_at: null }]);
});

it('emails that have been due for a minute are added to the queue for their kind, but not again right away', async () => {
  const now = Date.now();
  const [signIn, notifications] = [createFakeQueue(), createFakeQueue()];
  const { context } = createMailService(undefined, {
    TRANSACTIONAL_MAIL: signIn.queue,
    NOTIFICATION_MAIL: notifications.queue,
  });
  const due = [await insertEmails(2, null), await insertEmails(250, LINK)];
  await insertEmails(1, null, now - MINUTE_MS + 1);
  await sendDueEmails(context, now);
  await sendDueEmails(context, now + 1_000 - 1);
  expect(notifications.ids).toEqual(due[1]);
  expect(signIn.ids.slice(0, 2)).toEqual(due[0]);
  await sendDueEmails(context, now + MINUTE_MS);
  expect(notifications.ids).toHaveLength(500);
});

it('if a consumer crashes after claiming an email, the email is sent once the claim has expired', async () => {
  const ids = await insertEmails(1, null);
  const crashed = { ...env, EMAIL: { send: () => new Promise(() => undefined) } as unknown as SendEmail };
  void consumeMailBatch(createBatch(ids).batch, { env: crashed, config: parseEnv(crashed) });
  await pollUntil(async () => (await readOutbox())[0]?.attempts === 1);
  const { sent, context } = createMailService();
  await consumeMailBatch(createBatch(ids).batch, context);
  await sendDueEmails(context, Date.now() + MINUTE_MS / 2);
  expect(sent).toEqual([]);
  await sendDueEmails(context, Date.now() + 2 * MINUTE_MS);
  expect(sent).toHaveLength(1);
});

it('emails are sent directly when the queue fails, even during a sign-up', async () => {
  const TRANSACTIONAL_MAIL = createFakeQueue(new Error('Queue is overloaded')).queue;
  const { sent, context } = createMailService(undefined, { TRANSACTIONAL_MAIL });
  const email = createEmailAddress();
  expect((await register(email, context.env)).status).toBe(201);
  expect(sent).toEqual([email]);
  await insertEmails(3, null);
  await sendDueEmails(context);
  expect(sent).toHaveLength(4);
});

it('transactional emails are sent first when there are no queues', async () => {
  await insertEmails(30, LINK, 0);
  const [id] = await insertEmails(1, null);
  const { context } = createMailService();
  await sendDueEmails(context);
  expect((await readOutbox()).find((mail) => mail.id === id)?.sent_at).not.toBeNull();
});

it('a fifth of the daily quota is reserved for transactional emails', async () => {
  const { sent, context } = createMailService(undefined, { MAIL_DAILY_QUOTA: '10' });
  const notifications = await insertEmails(1, LINK);
  for (let count = 1; count < 12; count += 1) notifications.push(...(await insertEmails(1, LINK)));
  for (const id of notifications) await consumeMailBatch(createBatch([id]).batch, context);
  expect(sent).toHaveLength(8);
  const postponed = (await readOutbox()).filter(({ sent_at }) => sent_at === null);
  expect(postponed).toHaveLength(4);
  for (const { attempts, next_attempt_at: next } of postponed) {
    expect(attempts).toBe(0);
    expect(next).toBeGreaterThan(Date.now() + 23 * HOUR_MS);
  }
  await consumeMailBatch(createBatch(await insertEmails(2, null)).batch, context);
  expect(sent).toHaveLength(10);
});

it('a sign-up email is sent through its queue', async () => {
  const email = createEmailAddress();
  expect((await register(email, queues)).status).toBe(201);
  await pollUntil(async () => (await findMail(email))?.sent_at !== null);
  expect(await findMail(email)).toMatchObject({ attempts: 1, next_attempt_at: null });
});
