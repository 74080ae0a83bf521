import { expect, it } from 'vitest';
import { tick } from './support/cron.ts';
import { env } from './support/env.ts';

async function insertExpiredVerification(hash: string) {
  await env.DIRECTORY.prepare('INSERT INTO email_verifications VALUES (?, ?, 1, 0)')
    .bind(hash, 'usr_x')
    .run();
}

function countVerifications() {
  return env.DIRECTORY.prepare('SELECT count(*) AS n FROM email_verifications').first<{ n: number }>();
}

it('the minutely cron sends due emails and deletes expired verifications', async () => {
  const sent: unknown[] = [];
  const EMAIL = { send: async (mail: unknown) => sent.push(mail) } as unknown as SendEmail;
  await env.DIRECTORY.prepare(
    "INSERT INTO outbox (recipient, subject, text, html, created_at, next_attempt_at) VALUES ('a@example.com', 'Hello', 't', 'h', 0, 0)",
  ).run();
  await insertExpiredVerification('one');
  await tick('* * * * *', { EMAIL, ENVIRONMENT: 'production' });
  expect(sent).toHaveLength(1);
  expect(await countVerifications()).toEqual({ n: 0 });
});

it('the cron runs the other jobs when one job fails', async () => {
  await insertExpiredVerification('two');
  // Fails only the delivery, which claims mail with an UPDATE.
  const prepare = (sql: string) => {
    if (/UPDATE outbox/.test(sql)) throw new Error('D1_ERROR: overloaded');
    return env.DIRECTORY.prepare(sql);
  };
  const DIRECTORY = {
    prepare,
    batch: (all: D1PreparedStatement[]) => env.DIRECTORY.batch(all),
  } as unknown as D1Database;
  await tick('* * * * *', { DIRECTORY });
  expect(await countVerifications()).toEqual({ n: 0 });
});

it('the nightly cron runs without an error', async () => {
  await expect(tick('17 3 * * *')).resolves.toBeUndefined();
});
