import { expect, it } from 'vitest';
import { hidden, TestBrowser } from '../../oauth/flow.ts';
import { actBeforeBatch } from '../../support/before-batch.ts';
import { env } from '../../support/env.ts';
import { PASSWORD, setPassword } from '../../support/people.ts';
import { createWorkspace } from '../../support/world.ts';

/** The last of the four batches of signing in: browser, account, check for a password change, session. */
const SESSION = 4;

it.each([
  ['fails if the password is changed while it is being checked', SESSION, 400],
  ["succeeds if the password doesn't change", Number.POSITIVE_INFINITY, 303],
])('signing in %s', async (_what, turn, status) => {
  const { userId, email } = (await createWorkspace()).people.member;
  await setPassword(userId);
  const browser = new TestBrowser();
  const form = { ...hidden(await (await browser.get('/sign-in')).text()), email, password: PASSWORD };
  // Replaces the password like a reset, which stores another hash and signs out all browsers.
  const replace = () =>
    env.DIRECTORY.prepare("UPDATE users SET password_hash = password_hash || 'x' WHERE id = ?")
      .bind(userId)
      .run();
  const DIRECTORY = actBeforeBatch(env.DIRECTORY, turn, replace);
  expect((await browser.post('/sign-in', form, {}, { DIRECTORY })).status).toBe(status);
  expect((await browser.get('/account')).status).toBe(status === 303 ? 200 : 303);
});
