// This file is long because one matrix lists which credentials still work after a password change or reset
// (docs/adr/0022).
import { sign } from 'hono/jwt';
import { beforeEach, describe, expect, it } from 'vitest';
import { changePassword } from '../../../src/accounts/own/change-profile.ts';
import { requestPasswordReset, resetPassword } from '../../../src/accounts/own/password-reset.ts';
import {
  buildAuthorizePath,
  buildExchangeForm,
  obtainCode,
  readConsentForm,
  registerClient,
  TestBrowser,
} from '../../oauth/flow.ts';
import { createFaultyD1 } from '../../suites/faults/faulty-d1.ts';
import { runForAccount, runPublic, signIn } from '../../support/accounts.ts';
import { actBeforeBatch } from '../../support/act-before-batch.ts';
import { api, meteredEnv, ORIGIN, send } from '../../support/api.ts';
import { runCron } from '../../support/cron.ts';
import { env, getCell } from '../../support/env.ts';
import { createIpAddress, logIn, PASSWORD, readMailedToken, setPassword } from '../../support/people.ts';
import { addMember, createApiKey, createWorld, type Person, type World } from '../../support/world.ts';
import { type AccessChecks, createAccessChecks } from './access-checks.ts';

const NEW_PASSWORD = 'another right password';
const WEBHOOK_URL = 'https://hooks.example.com/edgework';

let home: World;
let otherWorld: World;
let me: Person;
let memberInOtherCell: Person;

beforeEach(async () => {
  [home, otherWorld] = [await createWorld({ cell: 0 }), await createWorld({ cell: 1 })];
  me = home.people.admin;
  memberInOtherCell = await addMember(otherWorld, me, 'lead');
  await setPassword(me.userId);
});

type ResetOptions = { endAccess: boolean };
const resetPasswordByEmail = async ({ endAccess }: ResetOptions, variables: Partial<Env> = {}) => {
  await runPublic(requestPasswordReset, { email: me.email });
  const token = await readMailedToken(me.email, 'reset-password');
  const answer = await runPublic(resetPassword, { token, password: NEW_PASSWORD, endAccess }, variables);
  expect(answer.status).toBe(200);
};
const passwordChanges: readonly (readonly [
  string,
  (browser: Awaited<ReturnType<typeof signIn>>, end: ResetOptions) => Promise<void>,
])[] = [
  [
    'changed',
    async (browser, end) => {
      const input = { password: PASSWORD, newPassword: NEW_PASSWORD, ...end };
      expect((await runForAccount(browser, changePassword, input)).status).toBe(200);
    },
  ],
  ['reset', (_browser, end) => resetPasswordByEmail(end)],
];

const getToken = async (answer: Promise<{ status: number; body: { token: string } }>) => {
  const { status, body } = await answer;
  expect(status).toBe(200);
  return body.token;
};

/** Creates a token in the format of an earlier release, without the sign-in time. */
async function createTokenWithoutSignIn(): Promise<string> {
  const iat = Math.floor(Date.now() / 1000) - 1;
  const subject = { sub: me.userId, wid: home.id, cell: home.cell, jti: crypto.randomUUID() };
  const claims = { ...subject, iat, exp: iat + 3_600, iss: ORIGIN, aud: 'edgework' };
  return sign(claims, env.SESSION_SECRET, 'HS256');
}

async function requestEverything(token: string) {
  const client = api(token);
  const webhook = (await api(me.token).get('/webhooks')).body.data.at(-1)?.id ?? 0;
  return {
    me: (await client.get('/me')).status,
    refresh: (await client.post('/auth/refresh')).status,
    switch: (await client.post(`/workspaces/${otherWorld.id}/switch`)).status,
    key: (await client.post('/connected-apps/api-keys', { name: 'Of a thief' })).status,
    webhook: (await client.post('/webhooks', { url: WEBHOOK_URL })).status,
    change:
      webhook === 0 ? null : (await client.patch(`/webhooks/${webhook}`, { description: 'Mine' })).status,
    pause: webhook === 0 ? null : (await client.patch(`/webhooks/${webhook}`, { status: 'paused' })).status,
  };
}
const fullAccess = { me: 200, refresh: 200, switch: 200, key: 201, webhook: 201, change: 200, pause: 200 };
const onlyExistingAccess = {
  me: 200,
  refresh: 401,
  switch: 401,
  key: 401,
  webhook: 401,
  change: 401,
  pause: 200,
};

/** Access that still works after a password change, because it belongs to the workspace or expires within an hour. */
const keptNames = [
  'public link',
  'intake form',
  'bot key',
  'invitation from the person',
  'signed download URL',
  'presigned upload URL',
];
const connectedAppNames = [
  'API key',
  'API key in another cell',
  'OAuth token',
  'OAuth token in another cell',
  'webhook of a session',
  'webhook of a key',
  'calendar link',
];

const listOpenAccess = async (checks: AccessChecks) => {
  const open = [];
  for (const [name, isOpen] of Object.entries(checks)) if (await isOpen()) open.push(name);
  return open;
};

it.each([
  ['link for another address', 'link for a new password'],
  ['link for a new password', 'link for another address'],
] as const)(
  'every credential works before the password is changed, and using the %s invalidates the %s',
  async (_used, ended) => {
    const {
      [ended]: isOpen,
      'verification link': isSignedIn,
      ...checks
    } = await createAccessChecks({
      home,
      otherWorld,
      me,
      memberInOtherCell,
    });
    expect(await listOpenAccess(checks)).toEqual(Object.keys(checks));
    expect(await isOpen()).toBe(false);
    // A verification link verifies an address, but never signs anyone in.
    expect(await isSignedIn()).toBe(false);
  },
);

describe.each(passwordChanges)('after the password was %s', (how, replace) => {
  it.each([
    ['connected apps, webhooks and calendar links still work', false, [...connectedAppNames, ...keptNames]],
    ['connected apps, webhooks and calendar links are revoked on request', true, keptNames],
  ])(
    'other browsers, sockets, OAuth codes and emailed links no longer work, and %s',
    async (_what, endAccess, left) => {
      const checks = await createAccessChecks({ home, otherWorld, me, memberInOtherCell });
      const mine = await signIn(me.userId);
      await replace(mine, { endAccess });
      expect(await listOpenAccess(checks)).toEqual(left);
      const session = env.DIRECTORY.prepare('SELECT count(*) AS n FROM browser_sessions WHERE id_hash = ?');
      expect(await session.bind(mine.session).first('n')).toBe(how === 'changed' ? 1 : 0);
      const user = env.DIRECTORY.prepare('SELECT is_settled, access_ends_at FROM users WHERE id = ?').bind(
        me.userId,
      );
      expect(await user.first()).toEqual({ is_settled: 1, access_ends_at: null });
    },
  );

  it("earlier session tokens still work, but can't be refreshed or used to create keys or webhooks", async () => {
    const first = await getToken(logIn(me.email));
    const refreshed = await getToken(api(first).post('/auth/refresh'));
    const away = await getToken(api(refreshed).post(`/workspaces/${otherWorld.id}/switch`));
    const back = await getToken(api(away).post(`/workspaces/${home.id}/switch`));
    const tokens = { first, refreshed, back, old: await createTokenWithoutSignIn() };
    for (const [name, token] of Object.entries(tokens)) {
      // No webhook exists yet when the first token is tested.
      const expected = name === 'first' ? { ...fullAccess, change: null, pause: null } : fullAccess;
      expect([name, await requestEverything(token)]).toEqual([name, expected]);
    }
    await replace(await signIn(me.userId), { endAccess: false });
    for (const [name, token] of Object.entries(tokens))
      expect([name, await requestEverything(token)]).toEqual([name, onlyExistingAccess]);
    for (const call of [
      api(first).post('/auth/refresh'),
      api(first).post('/connected-apps/api-keys', { name: 'No' }),
    ]) {
      const { headers, body } = await call;
      expect(headers.get('WWW-Authenticate')).toBe('Bearer');
      expect(body.error.message).toContain('Sign in again with POST /v1/auth/login');
    }
    expect((await api(away).get('/me')).status).toBe(200);
    expect((await api(away).post('/auth/refresh')).status).toBe(401);

    const fresh = await getToken(logIn(me.email, NEW_PASSWORD));
    expect(await requestEverything(fresh)).toEqual(fullAccess);
    expect(await requestEverything(await getToken(api(fresh).post('/auth/refresh')))).toEqual(fullAccess);
  });
});

describe('during a password reset', () => {
  const countKeys = async () =>
    (await getCell(0)
      .prepare('SELECT count(*) AS n FROM credentials WHERE member = ? AND revoked_at IS NULL')
      .bind(me.member)
      .first<number>('n')) ?? 0;
  const changeDuring = (database: D1Database, batch: number, end: ResetOptions = { endAccess: false }) =>
    actBeforeBatch(database, batch, () => resetPasswordByEmail(end));

  it.each([1, 2])(
    "a request with a stolen token creates no API key (reset before the cell's batch %i)",
    async (batch) => {
      const stolen = await getToken(logIn(me.email));
      const CELL_0 = changeDuring(meteredEnv.CELL_0, batch);
      const answer = await api(stolen, { CELL_0 }).post('/connected-apps/api-keys', { name: 'Of a thief' });
      expect([answer.status, await countKeys()]).toEqual([401, 0]);
    },
  );

  it('a request with a stolen token creates no webhook', async () => {
    const stolen = await getToken(logIn(me.email));
    const CELL_0 = changeDuring(meteredEnv.CELL_0, 2);
    expect((await api(stolen, { CELL_0 }).post('/webhooks', { url: WEBHOOK_URL })).status).toBe(401);
    expect((await api(me.token).get('/webhooks')).body.data).toEqual([]);
  });

  it('a sign-in with the old password fails', async () => {
    const DIRECTORY = changeDuring(meteredEnv.DIRECTORY, 2);
    const body = { email: me.email, password: PASSWORD };
    const answer = await api(undefined, { DIRECTORY }).post('/auth/login', body, {
      'CF-Connecting-IP': createIpAddress(),
    });
    expect(answer.status).toBe(401);
  });

  it.each([1, 2, 3, 4])(
    "a browser that is being signed out can't approve an app (reset before the directory's batch %i)",
    async (batch) => {
      const browser = new TestBrowser();
      await browser.signInAs(me);
      const page = await (await browser.get(buildAuthorizePath(await registerClient()))).text();
      const countCodes = () => env.DIRECTORY.prepare('SELECT count(*) AS n FROM oauth_codes').first('n');
      const codes = await countCodes();
      const DIRECTORY = changeDuring(env.DIRECTORY, batch);
      const answer = await browser.post('/api/oauth/authorize', readConsentForm(page), {}, { DIRECTORY });
      expect(answer.headers.get('Location') ?? '').not.toContain('code=');
      expect(await countCodes()).toBe(codes);
    },
  );

  it('exchanging an authorization code issues no token while connected apps are being revoked', async () => {
    const browser = new TestBrowser();
    await browser.signInAs(me);
    const clientId = await registerClient();
    const code = await obtainCode(browser, clientId);
    const exchanged = await send(
      new Request(`${ORIGIN}/api/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams(buildExchangeForm(clientId, code)),
        headers: { 'CF-Connecting-IP': createIpAddress() },
      }),
      { CELL_0: changeDuring(meteredEnv.CELL_0, 1, { endAccess: true }) },
    );
    expect([exchanged.status, await countKeys()]).toEqual([400, 0]);
  });

  it("an API key in a cell that doesn't respond is revoked by the next cron run", async () => {
    const key = await createApiKey(me);
    const broken = createFaultyD1(meteredEnv.CELL_0, () => 'lost before it runs');
    await resetPasswordByEmail({ endAccess: true }, { CELL_0: broken.d1 });
    expect((await api(key).get('/tasks')).status).toBe(200);
    await runCron('* * * * *');
    expect((await api(key).get('/tasks')).status).toBe(401);
    const mine = await createApiKey({ ...me, token: await getToken(logIn(me.email, NEW_PASSWORD)) });
    await runCron('* * * * *');
    expect((await api(mine).get('/tasks')).status).toBe(200);
  });
});
