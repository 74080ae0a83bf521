import { expect, it } from 'vitest';
import { readFormFields, TestBrowser } from '../../oauth/flow.ts';
import { actBeforeBatch } from '../../support/act-before-batch.ts';
import { env } from '../../support/env.ts';
import { PASSWORD, setPassword } from '../../support/people.ts';
import { createWorkspace } from '../../support/world.ts';

/** Signing in takes four batches, and the last one creates the session. */
const SESSION_BATCH = 4;

it.each([
  ['fails if the password is changed while it is being checked', SESSION_BATCH, 400],
  ["succeeds if the password doesn't change", Number.POSITIVE_INFINITY, 303],
])('signing in %s', async (_what, turn, status) => {
  const { userId, email } = (await createWorkspace()).people.member;
  await setPassword(userId);
  const browser = new TestBrowser();
  const form = { ...readFormFields(await (await browser.get('/sign-in')).text()), email, password: PASSWORD };
  // Replaces the hash, as a password reset does.
  const replacePassword = () =>
    env.DIRECTORY.prepare("UPDATE users SET password_hash = password_hash || 'x' WHERE id = ?")
      .bind(userId)
      .run();
  const DIRECTORY = actBeforeBatch(env.DIRECTORY, turn, replacePassword);
  expect((await browser.post('/sign-in', form, {}, { DIRECTORY })).status).toBe(status);
  expect((await browser.get('/account')).status).toBe(status === 303 ? 200 : 303);
});
