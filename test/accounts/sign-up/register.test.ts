import { expect, it } from 'vitest';
import { api } from '../../support/api.ts';
import { env } from '../../support/env.ts';
import {
  createEmailAddress,
  createIpAddress,
  logIn,
  PASSWORD,
  registerAccount,
} from '../../support/people.ts';

function postRegistration(body: Record<string, unknown>, ip = createIpAddress()) {
  return api().post('/auth/register', body, { 'CF-Connecting-IP': ip });
}

async function countUsers(email: string) {
  const found = await env.DIRECTORY.prepare('SELECT count(*) AS n FROM users WHERE email_key = ?')
    .bind(email.toLowerCase())
    .first<{ n: number }>();
  return found?.n;
}

async function countEmails(recipient: string) {
  const found = await env.DIRECTORY.prepare('SELECT count(*) AS n FROM outbox WHERE recipient = ?')
    .bind(recipient)
    .first<{ n: number }>();
  return found?.n;
}

it('a registration sends one email, and stores neither the password nor the link in plain text', async () => {
  const email = createEmailAddress();
  const answer = await postRegistration({ email: ` ${email} `, password: PASSWORD, name: 'Ada <Test>' });
  expect(answer.status).toBe(201);
  expect(answer.body).toEqual({
    success: true,
    requiresVerification: true,
    email,
    message: expect.any(String),
  });
  const emails = await env.DIRECTORY.prepare('SELECT text, html FROM outbox WHERE recipient = ?')
    .bind(email)
    .all();
  expect(emails.results).toHaveLength(1);
  const { text, html } = emails.results[0] as { text: string; html: string };
  expect(html).toContain('Ada &lt;Test&gt;');
  const token = /token=(\S+)/.exec(text)?.[1];
  expect(token).toBeTruthy();
  const user = await env.DIRECTORY.prepare('SELECT * FROM users WHERE email_key = ?').bind(email).first();
  expect(String(user?.password_hash)).toMatch(/^scrypt\$/);
  expect(JSON.stringify(user)).not.toContain(PASSWORD);
  const verifications = await env.DIRECTORY.prepare('SELECT * FROM email_verifications').all();
  expect(JSON.stringify(verifications.results)).not.toContain(token);
});

it("an address that is already registered is rejected regardless of case, and its account doesn't change", async () => {
  const email = createEmailAddress();
  await registerAccount(email);
  const again = await postRegistration({
    email: email.toUpperCase(),
    password: 'another password',
    name: 'Eve',
  });
  expect(again.status).toBe(400);
  expect(again.body.error.code).toBe('invalid_request');
  expect(await countUsers(email)).toBe(1);
  expect((await logIn(email, 'another password')).body.error.message).not.toContain('verified');
});

it('two parallel registrations with the same address create one account', async () => {
  const email = createEmailAddress();
  const answers = await Promise.all(
    [1, 2].map(() => postRegistration({ email, password: PASSWORD, name: 'Ada' })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
  expect(await countUsers(email)).toBe(1);
});

it.each([
  ['a short password', { password: 'too short' }],
  ['a password of 129 characters', { password: 'x'.repeat(129) }],
  ['an invalid address', { email: 'not-an-address' }],
  ['an address with a line break', { email: 'a@example.com\r\nBcc: b@example.com' }],
  ['a blank name', { name: '   ' }],
  ['an unknown field', { role: 'owner' }],
])('a registration with %s is rejected, and nothing is stored', async (_, wrong) => {
  const account = { email: createEmailAddress(), password: PASSWORD, name: 'Ada', ...wrong };
  const answer = await postRegistration(account);
  expect(answer.status).toBe(400);
  expect(answer.body.error.code).toBe('invalid_request');
  expect([await countUsers(account.email), await countEmails(account.email)]).toEqual([0, 0]);
});

it('the registration email contains no link that was entered as part of the name', async () => {
  const email = createEmailAddress();
  await postRegistration({ email, password: PASSWORD, name: 'Win at http://evil.example now' });
  const mail = await env.DIRECTORY.prepare('SELECT text FROM outbox WHERE recipient = ?').bind(email).first();
  expect(mail?.text).not.toContain('evil.example');
});

it('the twenty-first registration from one IP address within an hour is rejected', async () => {
  const ip = createIpAddress();
  const taken = createEmailAddress();
  await registerAccount(taken);
  for (let attempt = 1; attempt <= 20; attempt += 1) {
    expect((await postRegistration({ email: taken, password: PASSWORD, name: 'Ada' }, ip)).status).toBe(400);
  }
  const rejected = await postRegistration(
    { email: createEmailAddress(), password: PASSWORD, name: 'Ada' },
    ip,
  );
  expect(rejected.status).toBe(429);
  expect(Number(rejected.headers.get('Retry-After'))).toBeGreaterThan(3000);
});
