import { expect, it } from 'vitest';
import { cleanBrowserSessions } from '../../src/accounts/browser-sessions/end-sessions.ts';
import { unlimitedAllowance } from '../../src/kernel/sql/budget.ts';
import { cleanOauth } from '../../src/oauth/clean-oauth.ts';
import { env } from '../support/env.ts';
import { openScope } from '../support/scope.ts';
import { createWorkspace } from '../support/world.ts';
import { buildAuthorizePath, exchangeCode, obtainCode, registerClient, TestBrowser } from './flow.ts';

const DAY_MS = 86_400_000;
const cleanOauthAt = (now: number) => cleanOauth.run(openScope(now), unlimitedAllowance);
const cleanSessionsAt = (now: number) => cleanBrowserSessions.run(openScope(now), unlimitedAllowance);
const isKnown = async (browser: TestBrowser, id: string) =>
  (await browser.get(buildAuthorizePath(id))).status === 200;
const countRows = async (table: string) =>
  (await env.DIRECTORY.prepare(`SELECT count(*) AS n FROM ${table}`).first('n')) as number;

it("the cleanup job deletes OAuth clients that weren't approved within 30 days", async () => {
  const { people } = await createWorkspace();
  const browser = new TestBrowser();
  await browser.signIn(people.member);
  const [used, unused] = [await registerClient(), await registerClient()];
  await exchangeCode(used, await obtainCode(browser, used));

  await cleanOauthAt(Date.now() + 29 * DAY_MS);
  expect(await isKnown(browser, unused)).toBe(true);
  // Expired clients are rejected even before the cron job deletes them.
  await env.DIRECTORY.prepare('UPDATE oauth_clients SET expires_at = ? WHERE id = ?')
    .bind(Date.now(), unused)
    .run();
  expect(await isKnown(browser, unused)).toBe(false);
  await cleanOauthAt(Date.now() + 31 * DAY_MS);
  expect(await isKnown(browser, used)).toBe(true);
  expect(await countRows('oauth_clients')).toBe(1);
});

it('the cleanup job keeps a used authorization code as long as its token, and deletes unused codes once they expire', async () => {
  const { people } = await createWorkspace();
  const browser = new TestBrowser();
  await browser.signIn(people.member);
  const clientId = await registerClient();
  const before = await countRows('oauth_codes');
  await obtainCode(browser, clientId);
  await exchangeCode(clientId, await obtainCode(browser, clientId));
  await cleanOauthAt(Date.now() + DAY_MS);
  expect(await countRows('oauth_codes')).toBe(before + 1);
  await cleanOauthAt(Date.now() + 31 * DAY_MS);
  expect(await countRows('oauth_codes')).toBe(0);
  expect(await countRows('oauth_requests')).toBe(0);
});

it('the cleanup job deletes expired browser sessions', async () => {
  const { people } = await createWorkspace();
  const browser = new TestBrowser();
  await browser.signIn(people.member);
  await cleanSessionsAt(Date.now() + 6 * DAY_MS);
  expect((await browser.get('/connected-apps')).status).toBe(200);
  await cleanSessionsAt(Date.now() + 8 * DAY_MS);
  expect(await countRows('browser_sessions')).toBe(0);
});
