import { beforeEach, expect, it } from 'vitest';
import { parseEnv } from '../../src/env.ts';
import { unlimitedAllowance } from '../../src/kernel/sql/budget.ts';
import { cleanOutbox } from '../../src/mail/deliver.ts';
import { sendDueEmails } from '../../src/mail/mail-queues.ts';
import { env } from '../support/env.ts';
import { openScope } from '../support/scope.ts';

const MINUTE_MS = 60_000;
const NOW = Date.now();

interface SentMail {
  to: string;
  subject: string;
  headers?: Record<string, string>;
}

function createMailService(fail?: (attempt: number) => Error | null) {
  const sent: SentMail[] = [];
  let attempts = 0;
  const EMAIL = {
    async send(message: SentMail) {
      attempts += 1;
      const error = fail?.(attempts);
      if (error) throw error;
      sent.push(message);
      return { messageId: String(attempts) };
    },
  } as unknown as SendEmail;
  const bindings = { ...env, EMAIL };
  return { sent, post: { env: bindings, config: parseEnv(bindings) } };
}

async function queueMail(mail: Partial<SentMail> = {}) {
  const { to = 'ada@example.com', subject = 'Hello' } = mail;
  await env.DIRECTORY.prepare(
    "INSERT INTO outbox (recipient, subject, text, html, created_at, next_attempt_at) VALUES (?, ?, 'text', '<p>html</p>', ?, ?)",
  )
    .bind(to, subject, NOW, NOW)
    .run();
}

function readOutbox() {
  return env.DIRECTORY.prepare('SELECT * FROM outbox ORDER BY id').all<Record<string, unknown>>();
}

beforeEach(async () => {
  await env.DIRECTORY.prepare('DELETE FROM outbox').run();
});

it('each email is sent once even if cron runs overlap', async () => {
  const { sent, post } = createMailService();
  for (let count = 0; count < 5; count += 1) await queueMail({ subject: `Mail ${count}` });
  await Promise.all([sendDueEmails(post, NOW), sendDueEmails(post, NOW), sendDueEmails(post, NOW)]);
  await sendDueEmails(post, NOW + 10 * MINUTE_MS);
  expect(sent.map((each) => each.subject).sort()).toEqual(['Mail 0', 'Mail 1', 'Mail 2', 'Mail 3', 'Mail 4']);
  expect(sent[0]).toMatchObject({
    to: 'ada@example.com',
    from: { name: 'Edgework', email: 'no-reply@edgework.test' },
    text: 'text',
    html: '<p>html</p>',
  });
});

it("an email that can't be sent is retried with a delay that doubles after every failure", async () => {
  const { sent, post } = createMailService((attempt) => (attempt <= 2 ? new Error('try later') : null));
  await queueMail();
  await sendDueEmails(post, NOW);
  await sendDueEmails(post, NOW + MINUTE_MS - 1);
  expect((await readOutbox()).results).toMatchObject([{ attempts: 1, last_error: 'try later' }]);
  await sendDueEmails(post, NOW + MINUTE_MS);
  await sendDueEmails(post, NOW + 2 * MINUTE_MS);
  expect((await readOutbox()).results).toMatchObject([{ attempts: 2, sent_at: null }]);
  await sendDueEmails(post, NOW + 3 * MINUTE_MS);
  expect(sent).toHaveLength(1);
  expect((await readOutbox()).results).toMatchObject([{ next_attempt_at: null, last_error: null }]);
});

it('an email with an unsubscribe URL has the headers for one-click unsubscribe', async () => {
  const { sent, post } = createMailService();
  await queueMail();
  await queueMail({ subject: 'News' });
  const link = 'https://edgework.test/unsubscribe?token=t';
  await env.DIRECTORY.prepare("UPDATE outbox SET unsubscribe = ? WHERE subject = 'News'").bind(link).run();
  await sendDueEmails(post, NOW);
  const headers = new Map(sent.map((mail) => [mail.subject, mail.headers]));
  expect(headers.get('Hello')).toBeUndefined();
  expect(headers.get('News')).toEqual({
    'List-Unsubscribe': `<${link}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  });
});

it("an email isn't retried after ten failures", async () => {
  const { sent, post } = createMailService(() => new Error('never'));
  await queueMail();
  for (let day = 0; day < 12; day += 1) await sendDueEmails(post, NOW + day * 86_400_000);
  expect(sent).toEqual([]);
  expect((await readOutbox()).results).toMatchObject([
    { attempts: 10, next_attempt_at: null, sent_at: null },
  ]);
});

it("an email isn't retried after a permanent error", async () => {
  const { post } = createMailService(() =>
    Object.assign(new Error('suppressed'), { code: 'E_RECIPIENT_SUPPRESSED' }),
  );
  await queueMail();
  await sendDueEmails(post, NOW);
  expect((await readOutbox()).results).toMatchObject([{ attempts: 1, next_attempt_at: null, sent_at: null }]);
});

it.each([
  ['a subject of two lines', { subject: 'Hello\r\nBcc: eve@example.com' }],
  ['a subject of 999 characters', { subject: 'x'.repeat(999) }],
  ['two recipients', { to: 'a@example.com, b@example.com' }],
])('an email with %s is never passed to the mail service', async (_, mail) => {
  const { sent, post } = createMailService();
  await queueMail(mail);
  await sendDueEmails(post, NOW);
  expect(sent).toEqual([]);
  expect((await readOutbox()).results).toMatchObject([{ next_attempt_at: null, sent_at: null }]);
});

it('emails are kept and retried later if the mail binding is missing', async () => {
  const { EMAIL: _, ...without } = env;
  await queueMail();
  await sendDueEmails({ env: without as Env, config: parseEnv(without as Env) }, NOW);
  const [mail] = (await readOutbox()).results;
  expect(mail).toMatchObject({ attempts: 1, sent_at: null });
  expect(mail?.next_attempt_at).toBe(NOW + MINUTE_MS);
});

it('an email on a local machine is marked as sent without being sent', async () => {
  const { sent, post } = createMailService();
  await queueMail();
  await sendDueEmails({ ...post, config: { ...post.config, isLocal: true } }, NOW);
  expect(sent).toEqual([]);
  expect((await readOutbox()).results).toMatchObject([{ sent_at: NOW, next_attempt_at: null }]);
});

it('sent emails are deleted after seven days, but emails that are still due are kept', async () => {
  const { post } = createMailService();
  await queueMail({ subject: 'sent' });
  await sendDueEmails(post, NOW);
  await queueMail({ subject: 'due' });
  await cleanOutbox.run(openScope(NOW + 7 * 86_400_000), unlimitedAllowance);
  expect((await readOutbox()).results).toHaveLength(2);
  await cleanOutbox.run(openScope(NOW + 7 * 86_400_000 + 1), unlimitedAllowance);
  expect((await readOutbox()).results).toMatchObject([{ subject: 'due' }]);
});
