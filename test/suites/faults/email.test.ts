import { beforeEach, expect, it } from 'vitest';
import { parseEnv } from '../../../src/env.ts';
import { sendDueEmails } from '../../../src/mail/mail-queues.ts';
import { env } from '../../support/env.ts';
import { createEmailAddress, createIpAddress, PASSWORD } from '../../support/people.ts';
import { findInconsistencies } from './databases.ts';
import { createFaultyD1, failNthBatch } from './faulty-d1.ts';
import { sendTestRequest, type TestRequest } from './test-requests.ts';

const HOUR_MS = 3_600_000;

interface SentMail {
  to: string;
}

function createFailingMailService(code: string | null, sent: SentMail[] = []): SendEmail {
  return {
    async send(mail: SentMail) {
      if (code !== null) throw Object.assign(new Error('The mail was not sent'), { code });
      sent.push(mail);
      return { messageId: 'm' };
    },
  } as unknown as SendEmail;
}

const toRegisterRequest = (email: string): TestRequest => ({
  method: 'POST',
  path: '/auth/register',
  body: { email, password: PASSWORD, name: 'Ada Test' },
  headers: { 'CF-Connecting-IP': createIpAddress() },
  person: null,
});

function deliverAt(now: number, bindings: Partial<Env>) {
  const all = { ...env, ...bindings } as Env;
  return sendDueEmails({ env: all, config: parseEnv(all) }, now);
}

const readOutbox = async () =>
  (await env.DIRECTORY.prepare('SELECT * FROM outbox').all<Record<string, unknown>>()).results;

beforeEach(async () => {
  await env.DIRECTORY.prepare('DELETE FROM outbox').run();
});

it.each(['E_RATE_LIMIT_EXCEEDED', 'E_DAILY_LIMIT_EXCEEDED', 'E_DELIVERY_FAILED', 'E_INTERNAL_SERVER_ERROR'])(
  'an account is registered even if the mail service returns %s, and the email is sent once the service recovers',
  async (code) => {
    const email = createEmailAddress();
    const { status } = await sendTestRequest(toRegisterRequest(email), null, {
      EMAIL: createFailingMailService(code),
    });
    expect(status).toBe(201);
    const [waiting] = await readOutbox();
    expect(waiting).toMatchObject({ recipient: email, attempts: 1, sent_at: null });
    expect(waiting?.next_attempt_at).not.toBeNull();
    expect(waiting?.last_error).toContain(code);
    const sent: SentMail[] = [];
    const later = Date.now() + HOUR_MS;
    await Promise.all([1, 2].map(() => deliverAt(later, { EMAIL: createFailingMailService(null, sent) })));
    expect(sent.map(({ to }) => to)).toEqual([email]);
    expect(await findInconsistencies()).toEqual([]);
  },
);

it.each(['E_RECIPIENT_SUPPRESSED', 'E_RECIPIENT_NOT_ALLOWED', 'E_VALIDATION_ERROR'])(
  "an account is registered even if the mail service rejects the recipient with %s, and the email isn't retried",
  async (code) => {
    expect(
      (
        await sendTestRequest(toRegisterRequest(createEmailAddress()), null, {
          EMAIL: createFailingMailService(code),
        })
      ).status,
    ).toBe(201);
    expect((await readOutbox())[0]).toMatchObject({ attempts: 1, sent_at: null, next_attempt_at: null });
    const sent: SentMail[] = [];
    await deliverAt(Date.now() + 48 * HOUR_MS, { EMAIL: createFailingMailService(null, sent) });
    expect(sent).toEqual([]);
  },
);

it('an email is abandoned after ten attempts', async () => {
  await sendTestRequest(toRegisterRequest(createEmailAddress()), null, {
    EMAIL: createFailingMailService('E_DELIVERY_FAILED'),
  });
  let now = Date.now();
  for (let run = 0; run < 15; run += 1) {
    now += 24 * HOUR_MS;
    await deliverAt(now, { EMAIL: createFailingMailService('E_DELIVERY_FAILED') });
  }
  expect((await readOutbox())[0]).toMatchObject({ attempts: 10, next_attempt_at: null });
});

it('an email is never dropped, and at worst sent twice, if the database fails while the email is being sent', async () => {
  for (const fault of [
    'overloaded',
    'lost before it runs',
    'lost after it ran',
    'rolled back at its end',
  ] as const) {
    // The first batch finds the email, the second claims it, and the third records that it was sent.
    for (const batch of [1, 2, 3]) {
      await env.DIRECTORY.prepare('DELETE FROM outbox').run();
      const email = createEmailAddress();
      await sendTestRequest(toRegisterRequest(email), null, {
        EMAIL: createFailingMailService('E_DELIVERY_FAILED'),
      });
      const sent: SentMail[] = [];
      const EMAIL = createFailingMailService(null, sent);
      const soon = Date.now() + HOUR_MS;
      const DIRECTORY = createFaultyD1(env.DIRECTORY, failNthBatch(batch, fault)).d1;
      await expect(deliverAt(soon, { EMAIL, DIRECTORY })).rejects.toThrow();
      await deliverAt(soon + 24 * HOUR_MS, { EMAIL });
      await deliverAt(soon + 48 * HOUR_MS, { EMAIL });
      expect(sent.length, `${fault} ${batch}`).toBe(batch < 3 || fault === 'lost after it ran' ? 1 : 2);
      expect((await readOutbox())[0]).toMatchObject({ recipient: email, next_attempt_at: null });
    }
  }
});
