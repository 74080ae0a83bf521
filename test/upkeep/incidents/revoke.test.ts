import { expect, it } from 'vitest';
import { confirmEmail, requestEmailChange } from '../../../src/accounts/own/change-profile.ts';
import { CostMeter } from '../../../src/kernel/sql/cost.ts';
import { Database } from '../../../src/kernel/sql/database.ts';
import { revokeAccess } from '../../../src/upkeep/incidents/revoke.ts';
import { grantToken } from '../../contract/requests.ts';
import {
  buildExchangeForm,
  exchangeCode,
  obtainCode,
  registerClient,
  TestBrowser,
  unescapeHtml,
} from '../../oauth/flow.ts';
import { runForAccount, runPublic, signIn } from '../../support/accounts.ts';
import { actBeforeBatch } from '../../support/act-before-batch.ts';
import { api, ORIGIN, send } from '../../support/api.ts';
import { env, getCell } from '../../support/env.ts';
import { createEmailAddress, createIpAddress, logIn, PASSWORD, setPassword } from '../../support/people.ts';
import { addMember, createApiKey, createWorld } from '../../support/world.ts';
import { WorkspaceBrowser } from '../../web/server/workspace-browser.ts';
import { insertWebhook } from '../../webhooks/operations/insert-webhook.ts';

const openDatabase = (d1: D1Database) => new Database(d1, new CostMeter());
const databases = {
  directory: openDatabase(env.DIRECTORY),
  cells: new Map(([0, 1] as const).map((no) => [no, openDatabase(getCell(no))])),
};
async function countRevoked(subject: string) {
  const ended = await revokeAccess(databases, subject, Date.now());
  return (
    ended &&
    Object.fromEntries(
      Object.entries(Object.groupBy(ended, ({ kind }) => kind)).map(([kind, all]) => [kind, all.length]),
    )
  );
}
const isAccepted = async (token: string) => (await api(token).get('/me')).status !== 401;

async function createCredentials() {
  const [home, abroad] = [await createWorld({ cell: 0 }), await createWorld({ cell: 1 })];
  const { lead, member } = home.people;
  const there = await addMember(abroad, lead, 'member');
  return {
    home,
    abroad,
    lead,
    there,
    member,
    key: await createApiKey(lead),
    keyAbroad: await createApiKey(there),
    oauth: await grantToken(home, lead, ['tasks:read']),
    others: await createApiKey(member),
  };
}

it('revoking a leaked key or token revokes nothing else, and revoking it again has no effect', async () => {
  const { key, oauth, others, lead } = await createCredentials();
  expect([await countRevoked(key), await countRevoked(key)]).toEqual([{ api_key: 1 }, {}]);
  expect(await Promise.all([key, oauth, others, lead.token].map(isAccepted))).toEqual([
    false,
    true,
    true,
    true,
  ]);
  expect(await countRevoked(oauth)).toEqual({ oauth: 1 });
  expect(await isAccepted(oauth)).toBe(false);
  // An incomplete key is rejected without a query.
  expect(await countRevoked(others.slice(0, -1))).toBeNull();
});

it("revoking a person's access revokes all their credentials in every cell, and signs out their browsers", async () => {
  const { home, lead, there, key, keyAbroad, oauth, others, member } = await createCredentials();
  const screens = await WorkspaceBrowser.signIn(home, lead);
  expect((await screens.open('')).status).toBe(200);
  expect(await countRevoked(lead.userId)).toEqual({ api_key: 2, oauth: 1, sessions: 2 });
  for (const token of [key, keyAbroad, oauth, lead.token, there.token])
    expect(await isAccepted(token)).toBe(false);
  expect((await screens.open('')).status).toBe(303);
  expect([await isAccepted(others), await isAccepted(member.token)]).toEqual([true, true]);
});

it("revoking a person's access revokes every token derived from a session token, in any cell, but not later sign-ins", async () => {
  const { abroad, lead } = await createCredentials();
  await setPassword(lead.userId);
  const stolen = (await logIn(lead.email)).body.token;
  const switched = (await api(stolen).post(`/workspaces/${abroad.id}/switch`)).body.token;
  await new Promise((resolve) => setTimeout(resolve, 5));
  const before = Date.now();
  await new Promise((resolve) => setTimeout(resolve, 5));
  // Simulates a request that gets a newer token during the revocation.
  const fresh = (await api(switched).post('/auth/refresh')).body.token;
  await revokeAccess(databases, lead.userId, before);
  expect(await Promise.all([stolen, switched, fresh].map(isAccepted))).toEqual([false, false, false]);
  const mine = (await logIn(lead.email)).body.token;
  expect(await isAccepted(mine)).toBe(true);
  expect(await isAccepted((await api(mine).post(`/workspaces/${abroad.id}/switch`)).body.token)).toBe(true);
});

it("revoking a person's access also revokes their OAuth codes and calendar feeds, stops their webhooks, and cancels email changes", async () => {
  const { home, lead, member } = await createCredentials();
  await setPassword(lead.userId);
  const browser = new TestBrowser();
  await browser.signInAs(lead);
  const clientId = await registerClient();
  const [code, another] = [await obtainCode(browser, clientId), await obtainCode(browser, clientId)];
  const screens = await WorkspaceBrowser.signIn(home, lead);
  await screens.send('/calendar', '/calendar/address');
  const [, feed = ''] =
    /id="feed" type="text" readonly="" value="([^"]+)"/.exec((await screens.open('/calendar')).html) ?? [];
  const [webhook, othersWebhook] = [await insertWebhook(home, lead), await insertWebhook(home, member)];
  await getCell(0).prepare("UPDATE webhooks SET status = 'active' WHERE ws = ?").bind(home.no).run();
  const email = createEmailAddress();
  await runForAccount(await signIn(lead.userId), requestEmailChange, { email, password: PASSWORD });
  const mail = await env.DIRECTORY.prepare('SELECT text FROM outbox WHERE recipient = ?')
    .bind(email)
    .first<string>('text');
  expect((await exchangeCode(clientId, code)).status).toBe(200);

  expect(await countRevoked(lead.userId)).toMatchObject({ oauth: 2, calendar: 1, webhook: 1 });

  expect((await exchangeCode(clientId, another)).status).toBe(400);
  expect((await send(new Request(unescapeHtml(feed)))).status).toBe(404);
  const { results } = await getCell(0)
    .prepare("SELECT id FROM webhooks WHERE ws = ? AND status = 'active'")
    .bind(home.no)
    .all();
  expect(results).toEqual([{ id: othersWebhook }]);
  expect(webhook).not.toBe(othersWebhook);
  const token = /token=(\S+)/.exec(mail ?? '')?.[1] ?? '';
  expect((await runPublic(confirmEmail, { token })).status).toBe(404);
});

it('revoking access for a workspace or an app revokes all of its credentials', async () => {
  const { home, key, oauth, others, keyAbroad, lead, there } = await createCredentials();
  const screens = await WorkspaceBrowser.signIn(home, lead);
  await getCell(0)
    .prepare("UPDATE credentials SET client_id = ? WHERE kind = 'oauth' AND ws = ?")
    .bind(`app${home.no}`, home.no)
    .run();
  expect(await countRevoked(`app${home.no}`)).toEqual({ oauth: 1 });
  expect([await isAccepted(oauth), await isAccepted(key)]).toEqual([false, true]);
  expect(await countRevoked(home.id)).toMatchObject({
    api_key: 2,
    sessions: Object.keys(home.people).length,
  });
  expect(await Promise.all([key, others, lead.token].map(isAccepted))).toEqual([false, false, false]);
  expect(await Promise.all([keyAbroad, there.token].map(isAccepted))).toEqual([true, true]);
  expect((await api(there.token).post(`/workspaces/${home.id}/switch`)).status).toBe(401);
  // Browser sessions belong to a person, not a workspace.
  expect((await screens.open('')).status).toBe(200);
});

it("revoking an app's access also revokes authorization codes that the app hasn't exchanged yet", async () => {
  const { lead } = await createCredentials();
  const browser = new TestBrowser();
  await browser.signInAs(lead);
  const clientId = await registerClient();
  const code = await obtainCode(browser, clientId);
  expect(await countRevoked(clientId)).toEqual({});
  expect((await exchangeCode(clientId, code)).status).toBe(400);
});

it("revoking an app's access also stops a code exchange that is in progress", async () => {
  const { lead } = await createCredentials();
  const browser = new TestBrowser();
  await browser.signInAs(lead);
  const clientId = await registerClient();
  const code = await obtainCode(browser, clientId);
  const exchanged = await send(
    new Request(`${ORIGIN}/api/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(buildExchangeForm(clientId, code)),
      headers: { 'CF-Connecting-IP': createIpAddress() },
    }),
    { CELL_0: actBeforeBatch(getCell(0), 1, () => revokeAccess(databases, clientId, Date.now())) },
  );
  const { access_token = '' } = (await exchanged.json()) as { access_token?: string };
  expect([exchanged.status, await isAccepted(access_token)]).toEqual([400, false]);
});
