import { beforeEach, expect, it } from 'vitest';
import { parseEnv } from '../../../src/env.ts';
import { CostMeter } from '../../../src/kernel/sql/cost.ts';
import { Database } from '../../../src/kernel/sql/database.ts';
import { sendDueEmails } from '../../../src/mail/mail-queues.ts';
import {
  listFailedEmails,
  requeueAbandonedEmails,
} from '../../../src/upkeep/incidents/unsent-emails.queries.ts';
import { env } from '../../support/env.ts';

const NOW = Date.now();
const DAY_MS = 86_400_000;
const directory = new Database(env.DIRECTORY, new CostMeter());

function sendExceptTo(rejected: readonly string[]) {
  const EMAIL = {
    async send({ to }: { to: string }) {
      if (rejected.includes(to)) throw new Error('the domain is not verified');
      return { messageId: to };
    },
  } as unknown as SendEmail;
  const bindings = { ...env, EMAIL };
  return { env: bindings, config: parseEnv(bindings) };
}

async function queueMailTo(recipient: string) {
  await env.DIRECTORY.prepare(
    "INSERT INTO outbox (recipient, subject, text, html, created_at, next_attempt_at) VALUES (?, 'Hello', 'text', '<p>html</p>', ?, ?)",
  )
    .bind(recipient, NOW, NOW)
    .run();
}

const listUnsent = async () =>
  (await directory.batch([listFailedEmails(10)]))[0].map(
    ({ recipient, next_attempt_at: next, last_error }) =>
      `${recipient} ${next === null ? 'abandoned' : 'waits'}: ${last_error}`,
  );

beforeEach(async () => {
  await env.DIRECTORY.prepare('DELETE FROM outbox').run();
});

it('an operator can list failed emails with their errors, abandoned emails first, and resend one or all', async () => {
  const [ada, ben, cem, dora] = ['ada@example.com', 'ben@example.com', 'cem@example.com', 'dora@example.com'];
  for (const each of [ada, ben]) await queueMailTo(each);
  for (let day = 0; day < 10; day += 1) await sendDueEmails(sendExceptTo([ada, ben]), NOW + day * DAY_MS);
  for (const each of [cem, dora]) await queueMailTo(each);
  const later = NOW + 10 * DAY_MS;
  await sendDueEmails(sendExceptTo([cem]), later);
  const because = 'the domain is not verified';
  expect(await listUnsent()).toEqual([
    `${ben} abandoned: ${because}`,
    `${ada} abandoned: ${because}`,
    `${cem} waits: ${because}`,
  ]);

  const [emails] = await directory.batch([listFailedEmails(10)]);
  const getId = (recipient: string) => emails.find((each) => each.recipient === recipient)?.id ?? 0;
  const requeue = async (id: number | null) =>
    (await directory.batch([requeueAbandonedEmails(id)]))[0].length;
  // Emails that are waiting for their next attempt aren't changed.
  expect(await requeue(getId(cem))).toBe(0);
  expect(await requeue(getId(ada))).toBe(1);
  await sendDueEmails(sendExceptTo([cem]), later);
  expect(await listUnsent()).toEqual([`${ben} abandoned: ${because}`, `${cem} waits: ${because}`]);
  expect([await requeue(null), await requeue(null)]).toEqual([1, 0]);
  await sendDueEmails(sendExceptTo([]), later);
  expect(await listUnsent()).toEqual([`${cem} waits: ${because}`]);
});
