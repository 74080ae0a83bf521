import { evictDurableObject } from 'cloudflare:test';
import { expect, it } from 'vitest';
import { toEmailKey } from '../../../src/accounts/sign-up/accounts.queries.ts';
import { hashSecret } from '../../../src/kernel/secrets/tokens.ts';
import { api } from '../../support/api.ts';
import { runWithoutDeleteTriggers } from '../../support/delete-triggers.ts';
import { env } from '../../support/env.ts';
import {
  createEmailAddress,
  createIpAddress,
  logIn,
  registerAccount,
  registerAndVerify,
  setPassword,
} from '../../support/people.ts';
import { addMember, createWorkspace } from '../../support/world.ts';

it('a sign-in returns a session token that works for /me', async () => {
  const email = createEmailAddress();
  await registerAndVerify(email);
  const answer = await logIn(` ${email.toUpperCase()} `);
  expect(answer.status).toBe(200);
  expect(answer.body.user).toMatchObject({
    email,
    name: 'Ada Test',
    role: 'owner',
    workspace: { plan: 'free' },
  });
  const days = (Date.parse(answer.body.expiresAt) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(6.99);
  expect(days).toBeLessThanOrEqual(7);
  const me = await api(answer.body.token).get('/me');
  expect(me.body).toEqual(answer.body.user);
});

it('sign-ins with a wrong password and with an unknown address return the same 401 response', async () => {
  const email = createEmailAddress();
  await registerAndVerify(email);
  const wrong = await logIn(email, 'not the password');
  const unknown = await logIn(createEmailAddress(), 'not the password');
  expect([wrong.status, unknown.status]).toEqual([401, 401]);
  expect(wrong.text).toBe(unknown.text);
  expect(wrong.body.error.code).toBe('unauthorized');
});

it('only the correct password reveals that an account is unverified', async () => {
  const email = createEmailAddress();
  await registerAccount(email);
  const right = await logIn(email);
  const wrong = await logIn(email, 'not the password');
  expect([right.status, wrong.status]).toEqual([401, 401]);
  expect(right.body.error.message).toContain("isn't verified");
  expect(wrong.body.error.message).not.toContain('verified');
});

it('the eleventh sign-in from an IP address is rejected, even with the correct password and after the counter is evicted', async () => {
  const { people } = await createWorkspace();
  await setPassword(people.member.userId);
  const ip = createIpAddress();
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    expect((await logIn(createEmailAddress(), 'wrong', ip)).status).toBe(401);
    if (attempt === 5) await evictDurableObject(env.RATE_WINDOW.getByName(`login:ip:${ip}`));
  }
  await evictDurableObject(env.RATE_WINDOW.getByName(`login:ip:${ip}`));
  const rejected = await logIn(people.member.email, undefined, ip);
  expect(rejected.status).toBe(429);
  expect(rejected.body.error.code).toBe('rate_limited');
  expect(Number(rejected.headers.get('Retry-After'))).toBeGreaterThan(800);
  expect(Number(rejected.headers.get('Retry-After'))).toBeLessThanOrEqual(900);
  expect((await logIn(people.member.email)).status).toBe(200);
});

it('IPv6 addresses in the same /64 share one limit for sign-ins', async () => {
  for (let attempt = 1; attempt <= 10; attempt += 1)
    await logIn(createEmailAddress(), 'wrong', `2001:db8:1:2::${attempt}`);
  expect((await logIn(createEmailAddress(), 'wrong', '2001:db8:1:2:ffff::1')).status).toBe(429);
  expect((await logIn(createEmailAddress(), 'wrong', '2001:db8:1:3::1')).status).toBe(401);
});

it('sign-ins to an account return 429 after 20 wrong passwords, even from different IP addresses', async () => {
  const email = createEmailAddress();
  for (let attempt = 1; attempt <= 20; attempt += 1) expect((await logIn(email, 'wrong')).status).toBe(401);
  expect((await logIn(email.toUpperCase(), 'wrong')).status).toBe(429);
});

it('correct passwords never lock an account, no matter how many IP addresses they come from', async () => {
  const email = await registerPerson();
  const answers = await Promise.all(Array.from({ length: 21 }, () => logIn(email)));
  expect(answers.map(({ status }) => status)).toEqual(Array(21).fill(200));
});

it('only wrong passwords since the last correct password count toward the limit', async () => {
  const email = await registerPerson();
  await recordFailures(email, 19);
  expect((await logIn(email)).status).toBe(200);
  await recordFailures(email, 18);
  expect((await logIn(email, 'wrong')).status).toBe(401);
  expect((await logIn(email, 'wrong')).status).toBe(401);
  expect((await logIn(email)).status).toBe(429);
});

it('wrong passwords that are sent in parallel all count toward the limit', async () => {
  const email = await registerPerson();
  await recordFailures(email, 17);
  const guesses = await Promise.all(Array.from({ length: 5 }, (_, index) => logIn(email, `guess ${index}`)));
  expect(guesses.map(({ status }) => status).sort()).toEqual([401, 401, 401, 429, 429]);
  expect((await logIn(email)).status).toBe(429);
});

async function registerPerson(): Promise<string> {
  const { member } = (await createWorkspace()).people;
  await setPassword(member.userId);
  return member.email;
}

/** Records failed sign-ins without sending any, because hashing their passwords would take seconds. */
async function recordFailures(email: string, hits: number) {
  const window = env.RATE_WINDOW.getByName(`login:account:${hashSecret(toEmailKey(email))}`);
  await window.hit(20, 15 * 60_000, { durable: true, hits });
}

it('people can sign in even if the rate limiter fails', async () => {
  const { people } = await createWorkspace();
  await setPassword(people.lead.userId);
  const broken = {
    getByName() {
      throw new Error('overloaded');
    },
  } as unknown as Env['RATE_WINDOW'];
  const answer = await api(undefined, { RATE_WINDOW: broken }).post('/auth/login', {
    email: people.lead.email,
    password: 'correct horse battery',
  });
  expect(answer.status).toBe(200);
});

it('a sign-in selects the workspace that the person joined first', async () => {
  const first = await createWorkspace({ cell: 1 });
  const second = await createWorkspace({ cell: 0 });
  const person = first.people.member;
  await new Promise((resolve) => setTimeout(resolve, 5));
  await addMember(second, person, 'admin');
  await setPassword(person.userId);
  const answer = await logIn(person.email);
  expect(answer.body.user.workspace.id).toBe(first.id);
});

it('a sign-in completes a verification that failed before the workspace was created', async () => {
  const email = createEmailAddress();
  await registerAndVerify(email);
  const first = await logIn(email);
  for (const cell of [env.CELL_0, env.CELL_1]) {
    await runWithoutDeleteTriggers(
      cell,
      [
        'audit_entries',
        'project_members',
        'projects',
        'task_types',
        'task_categories',
        'members',
        'workspaces',
      ].map((table) => cell.prepare(buildDeletionSql(table)).bind(first.body.user.workspace.id)),
    );
  }
  const again = await logIn(email);
  expect(again.status).toBe(200);
  expect(again.body.user).toEqual(first.body.user);
  const projects = await api(again.body.token).get('/projects');
  expect(projects.body.meta.total).toBe(1);
});

function buildDeletionSql(table: string): string {
  const workspace = '(SELECT no FROM workspaces WHERE id = ?)';
  if (table === 'workspaces') return 'DELETE FROM workspaces WHERE id = ?';
  if (table !== 'project_members') return `DELETE FROM ${table} WHERE ws = ${workspace}`;
  return `DELETE FROM project_members WHERE project IN (SELECT id FROM projects WHERE ws = ${workspace})`;
}
