import { scryptSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { runInHashQueue } from '../../../src/accounts/passwords/hash-queue.ts';
import { hashPassword } from '../../../src/accounts/passwords/passwords.ts';
import { env } from '../../support/env.ts';
import { logIn } from '../../support/people.ts';
import { createWorkspace } from '../../support/world.ts';

it('a password is hashed with parameters that OWASP recommends', async () => {
  expect(await hashPassword('correct horse battery')).toMatch(/^scrypt\$8192\$8\$10\$/);
});

it('a password hash with older parameters is accepted and replaced', async () => {
  const { people } = await createWorkspace();
  const { userId, email } = people.member;
  const readHash = () =>
    env.DIRECTORY.prepare('SELECT password_hash FROM users WHERE id = ?').bind(userId).first('password_hash');
  const salt = Buffer.alloc(16, 7);
  const hash = scryptSync('correct horse battery', salt, 32, {
    N: 2 ** 14,
    r: 8,
    p: 5,
    maxmem: 64 * 1024 ** 2,
  });
  const old = ['scrypt', 2 ** 14, 8, 5, salt.toString('base64url'), hash.toString('base64url')].join('$');
  await env.DIRECTORY.prepare('UPDATE users SET password_hash = ?, verified_at = 1 WHERE id = ?')
    .bind(old, userId)
    .run();
  expect((await logIn(email, 'wrong')).status).toBe(401);
  expect(await readHash()).toBe(old);
  expect((await logIn(email)).status).toBe(200);
  const renewed = await readHash();
  expect(String(renewed)).toMatch(/^scrypt\$8192\$8\$10\$/);
  expect((await logIn(email)).status).toBe(200);
  expect(await readHash()).toBe(renewed);
});

it('the server handles other requests between two password hashes', async () => {
  const people = 6;
  const order: string[] = [];
  const crowd = Array.from({ length: people }, () => runInHashQueue(async () => order.push('hash')));
  let isDone = false;
  const all = Promise.all(crowd).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await scheduler.wait(1);
    if (order.at(-1) !== 'other') order.push('other');
  }
  await all;
  expect(order.filter((each) => each === 'hash')).toHaveLength(people);
  expect(order.join(' ')).not.toContain('hash hash');
});

it('a sign-in returns 429 immediately if too many people are signing in', async () => {
  const turns = Array.from({ length: 100 }, () => runInHashQueue(async () => 'done').catch((error) => error));
  const first = await Promise.race(turns);
  expect(first).toMatchObject({ status: 429, code: 'rate_limited' });
  expect(Number(first.headers['Retry-After'])).toBeGreaterThanOrEqual(8);
  const outcomes = await Promise.all(turns);
  const served = outcomes.filter((outcome) => outcome === 'done').length;
  expect(served).toBeGreaterThanOrEqual(30);
  expect(served).toBeLessThanOrEqual(34);
});
