// This file is long because its tests share one client and one signed-in browser.
import { beforeAll, describe, expect, it } from 'vitest';
import { hashSecret } from '../../../src/kernel/secrets/tokens.ts';
import { api, meteredEnv, ORIGIN, send } from '../../support/api.ts';
import { env, getCell } from '../../support/env.ts';
import { createIpAddress } from '../../support/people.ts';
import { addMember, createWorkspace, type Workspace } from '../../support/world.ts';
import {
  buildAuthorizePath,
  buildExchangeForm,
  exchangeCode,
  giveConsent,
  MCP_RESOURCE,
  obtainCode,
  obtainToken,
  postOAuth,
  registerClient,
  startFlow,
  TestBrowser,
} from '../flow.ts';

const DAY_MS = 86_400_000;
let workspace: Workspace;
let browser: TestBrowser;
let clientId: string;

beforeAll(async () => {
  ({ workspace, browser, clientId } = await startFlow());
});

const getMeStatus = async (token: string) => (await api(token).get('/me')).status;
const countTokens = async () =>
  (
    await env.CELL_1.prepare("SELECT count(*) AS n FROM credentials WHERE kind = 'oauth'").first<{
      n: number;
    }>()
  )?.n ?? 0;

it('exchanging an authorization code returns a 30-day token in a response that must not be cached (RFC 6749 section 5.1)', async () => {
  const code = await obtainCode(browser, clientId, {
    scope: 'profile:read tasks:read',
    resource: MCP_RESOURCE,
  });
  const startedAt = Date.now();
  const { status, headers, body } = await exchangeCode(clientId, code, { resource: MCP_RESOURCE });
  expect(status).toBe(200);
  expect(headers.get('Cache-Control')).toBe('no-store');
  expect(headers.get('Pragma')).toBe('no-cache');
  expect(headers.get('Content-Type')).toBe('application/json');
  expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
  expect(body).toEqual({
    access_token: expect.stringMatching(/^ew_oat_01[0-9A-Za-z]{33}$/),
    token_type: 'Bearer',
    expires_in: 2_592_000,
    scope: 'tasks:read profile:read',
  });
  const token = String(body.access_token);
  const answer = await api(token).get('/me');
  expect(answer.body).toMatchObject({ id: workspace.people.member.userId, workspace: { id: workspace.id } });
  const stored = await getCell(1)
    .prepare('SELECT * FROM credentials WHERE hash = ?')
    .bind(hashSecret(token))
    .first();
  expect(JSON.stringify(stored)).not.toContain(token);
  expect(stored).toMatchObject({ kind: 'oauth', name: 'Test app', client_id: clientId, scopes: body.scope });
  const createdAt = Number(stored?.expires_at) - 30 * DAY_MS;
  expect(createdAt).toBeGreaterThanOrEqual(startedAt);
  expect(createdAt).toBeLessThanOrEqual(Date.now());
});

it('an access token has the default scopes if no scopes are requested', async () => {
  const { body } = await exchangeCode(clientId, await obtainCode(browser, clientId));
  expect(body.scope).toBe('tasks:read projects:read profile:read');
  const rejected = await api(String(body.access_token)).get('/timer/current');
  expect(rejected.status).toBe(403);
  expect(rejected.headers.get('WWW-Authenticate')).toContain('error="insufficient_scope", scope="time:read"');
});

it('an access token is bound to the selected workspace', async () => {
  const second = await createWorkspace({ cell: 0 });
  const person = workspace.people.lead;
  await addMember(second, person, 'member');
  const own = new TestBrowser();
  await own.signIn(person);
  for (const { id } of [workspace, second]) {
    const location = await giveConsent(own, buildAuthorizePath(clientId), (form) =>
      form.set('workspace', id),
    );
    const { body } = await exchangeCode(clientId, location.searchParams.get('code') ?? '');
    expect((await api(String(body.access_token)).get('/me')).body.workspace.id).toBe(id);
  }
});

describe('exchanging an authorization code (RFC 6749 section 4.1.2)', () => {
  it('creates exactly one token for 20 parallel requests, and the repeated requests revoke it', async () => {
    const code = await obtainCode(browser, clientId);
    const before = await countTokens();
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchangeCode(clientId, code)));
    const granted = answers.filter(({ status }) => status === 200);
    expect(granted).toHaveLength(1);
    for (const { status, body } of answers.filter((each) => each.status !== 200)) {
      expect([status, body.error]).toEqual([400, 'invalid_grant']);
    }
    expect(await countTokens()).toBe(before + 1);
    expect(await getMeStatus(String(granted[0]?.body.access_token))).toBe(401);
  });

  it('revokes the token immediately if the same client replays the code', async () => {
    const code = await obtainCode(browser, clientId);
    const { body } = await exchangeCode(clientId, code);
    const token = String(body.access_token);
    expect(await getMeStatus(token)).toBe(200);
    // Imitates a thief who has the code but not its verifier. The replay must still be detected.
    const replay = await exchangeCode(clientId, code, { code_verifier: 'z'.repeat(43) });
    expect([replay.status, replay.body.error]).toEqual([400, 'invalid_grant']);
    expect(await getMeStatus(token)).toBe(401);
  });

  it('leaves no valid token if the code is replayed before the first request writes the token', async () => {
    const code = await obtainCode(browser, clientId);
    let release: () => void = () => undefined;
    const replayed = new Promise<void>((resolve) => {
      release = resolve;
    });
    // The first exchange redeems the code, and waits before it writes the token.
    const CELL_1 = {
      prepare: (sql: string) => meteredEnv.CELL_0 && env.CELL_1.prepare(sql),
      batch: async (statements: D1PreparedStatement[]) => {
        await replayed;
        return env.CELL_1.batch(statements);
      },
    } as unknown as D1Database;
    const request = new Request(`${ORIGIN}/api/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams(buildExchangeForm(clientId, code)),
      headers: { 'CF-Connecting-IP': createIpAddress() },
    });
    const first = send(request, { CELL_1 } as Partial<Env>);
    await expect
      .poll(() =>
        env.DIRECTORY.prepare('SELECT used_at FROM oauth_codes WHERE code_hash = ?')
          .bind(hashSecret(code))
          .first('used_at'),
      )
      .not.toBeNull();
    expect((await exchangeCode(clientId, code)).status).toBe(400);
    release();
    const answer = await first;
    expect(answer.status).toBe(200);
    const { access_token } = (await answer.json()) as { access_token: string };
    expect(await getMeStatus(access_token)).toBe(401);
  });

  it('revokes nothing if another client replays the code', async () => {
    const code = await obtainCode(browser, clientId);
    const { body } = await exchangeCode(clientId, code);
    const replay = await exchangeCode(await registerClient(), code);
    expect([replay.status, replay.body.error]).toEqual([400, 'invalid_grant']);
    expect(await getMeStatus(String(body.access_token))).toBe(200);
  });

  it('fails for another client, without using up the code', async () => {
    const code = await obtainCode(browser, clientId);
    expect((await exchangeCode(await registerClient(), code)).body.error).toBe('invalid_grant');
    expect((await exchangeCode(clientId, code)).status).toBe(200);
  });

  it('fails 60 seconds after the code was issued', async () => {
    const code = await obtainCode(browser, clientId);
    const row = await env.DIRECTORY.prepare(
      'SELECT expires_at - created_at AS life FROM oauth_codes WHERE code_hash = ?',
    )
      .bind(hashSecret(code))
      .first();
    expect(row).toEqual({ life: 60_000 });
    await env.DIRECTORY.prepare('UPDATE oauth_codes SET expires_at = ? WHERE code_hash = ?')
      .bind(Date.now(), hashSecret(code))
      .run();
    const late = await exchangeCode(clientId, code);
    expect([late.status, late.body.error]).toEqual([400, 'invalid_grant']);
  });
});

describe('an invalid code exchange (RFC 6749 section 5.2)', () => {
  const cases: [string, Record<string, string | null>, number, string][] = [
    ['a wrong verifier (RFC 7636 section 4.6)', { code_verifier: 'b'.repeat(43) }, 400, 'invalid_grant'],
    ['the challenge as verifier (RFC 7636 section 4.6)', { code_verifier: 'plain' }, 400, 'invalid_grant'],
    ['no verifier (RFC 7636 section 4.5)', { code_verifier: null }, 400, 'invalid_request'],
    [
      'another redirect_uri (RFC 6749 section 4.1.3)',
      { redirect_uri: 'https://app.example/other' },
      400,
      'invalid_grant',
    ],
    ['no redirect_uri', { redirect_uri: null }, 400, 'invalid_request'],
    ['no code', { code: null }, 400, 'invalid_request'],
    ['an invalid code', { code: 'rubbish' }, 400, 'invalid_grant'],
    ['no client_id', { client_id: null }, 400, 'invalid_request'],
    ['an unknown client', { client_id: 'client_nobody' }, 401, 'invalid_client'],
    ['no grant_type', { grant_type: null }, 400, 'invalid_request'],
    ['a refresh token', { grant_type: 'refresh_token' }, 400, 'unsupported_grant_type'],
    ['client credentials', { grant_type: 'client_credentials' }, 400, 'unsupported_grant_type'],
    [
      'a foreign resource (RFC 8707 section 2)',
      { resource: 'https://other.example/mcp' },
      400,
      'invalid_target',
    ],
  ];

  it.each(cases)('creates no token for a request with %s', async (_what, changes, status, error) => {
    const code = await obtainCode(browser, clientId);
    const before = await countTokens();
    const answer = await exchangeCode(clientId, code, changes);
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    expect(Object.keys(answer.body)).toEqual(['error', 'error_description']);
    expect(answer.body.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    expect(answer.headers.get('Cache-Control')).toBe('no-store');
    expect(answer.headers.get('Pragma')).toBe('no-cache');
    expect(await countTokens()).toBe(before);
    // The code wasn't used up, so its own client can still redeem it.
    expect((await exchangeCode(clientId, code)).status).toBe(200);
  });

  it.each(['grant_type', 'code', 'code_verifier', 'client_id', 'redirect_uri', 'resource', 'unknown'])(
    'creates no token for a request that repeats the parameter %s (RFC 6749 section 3.2)',
    async (name) => {
      const code = await obtainCode(browser, clientId);
      const form = new URLSearchParams({
        ...buildExchangeForm(clientId, code),
        resource: MCP_RESOURCE,
        unknown: '1',
      });
      form.append(name, form.get(name) ?? '');
      const answer = await postOAuth('token', form);
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
    },
  );

  it('creates no token for a request with a JSON body', async () => {
    const answer = await postOAuth('token', JSON.stringify(buildExchangeForm(clientId, 'x')), {
      'Content-Type': 'application/json',
    });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
  });

  it('creates no token for a request with parameters in the URL (RFC 6749 section 3.2)', async () => {
    const code = await obtainCode(browser, clientId);
    const answer = await send(
      new Request(`${ORIGIN}/api/oauth/token?${new URLSearchParams(buildExchangeForm(clientId, code))}`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/x-www-form-urlencoded',
          'CF-Connecting-IP': createIpAddress(),
        },
      }),
    );
    expect(answer.status).toBe(400);
  });

  it('creates no token for a request with a secret in a header, because no client has a secret', async () => {
    const code = await obtainCode(browser, clientId);
    const answer = await postOAuth('token', buildExchangeForm(clientId, code), {
      Authorization: `Basic ${btoa(`${clientId}:secret`)}`,
    });
    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client']);
    expect(answer.headers.get('WWW-Authenticate')).toContain('Basic');
    expect(answer.body.error_description).toContain('Send client_id in the form');
  });

  it('creates no token for a person who has since left the workspace', async () => {
    const own = new TestBrowser();
    await own.signIn(workspace.people.client);
    const code = await obtainCode(own, clientId);
    const { member, userId } = workspace.people.client;
    await env.CELL_1.prepare('UPDATE members SET ended_at = 1 WHERE no = ? AND user_id = ?')
      .bind(member, userId)
      .run();
    const answer = await exchangeCode(clientId, code);
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_grant']);
  });
});

it('the 61st token exchange in 15 minutes from the same IP address returns 429 with Retry-After', async () => {
  const ip = { 'CF-Connecting-IP': createIpAddress() };
  for (let count = 1; count <= 60; count += 1) {
    expect((await postOAuth('token', buildExchangeForm(clientId, 'x'), ip)).status).toBe(400);
  }
  const answer = await postOAuth('token', buildExchangeForm(clientId, 'x'), ip);
  expect(answer.status).toBe(429);
  expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(800);
  expect(answer.body).toEqual({ error: 'temporarily_unavailable', error_description: expect.any(String) });
});

describe('token revocation (RFC 7009)', () => {
  it('takes effect immediately, and returns 200 even for an unknown token (section 2.2)', async () => {
    const token = await obtainToken(browser, clientId);
    expect(await getMeStatus(token)).toBe(200);
    const revokeToken = () =>
      postOAuth('revoke', { token, token_type_hint: 'access_token', client_id: clientId });
    for (const answer of [await revokeToken(), await revokeToken()])
      expect([answer.status, answer.body]).toEqual([200, {}]);
    expect(await getMeStatus(token)).toBe(401);
    for (const unknown of ['rubbish', `${token.slice(0, -1)}!`]) {
      expect((await postOAuth('revoke', { token: unknown, client_id: clientId })).status).toBe(200);
    }
  });

  it("doesn't affect another client's token (section 2.1)", async () => {
    const token = await obtainToken(browser, clientId);
    const answer = await postOAuth('revoke', { token, client_id: await registerClient() });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_grant']);
    expect(await getMeStatus(token)).toBe(200);
  });

  it.each([
    ['no token', (id: string) => ({ client_id: id }), 400, 'invalid_request'],
    ['no client', () => ({ token: 'x' }), 400, 'invalid_request'],
    ['an unknown client', () => ({ token: 'x', client_id: 'client_nobody' }), 401, 'invalid_client'],
  ])('returns an error for a request with %s', async (_what, form, status, error) => {
    const answer = await postOAuth('revoke', form(clientId) as Record<string, string>);
    expect([answer.status, answer.body.error]).toEqual([status, error]);
  });

  it('also happens when the person disconnects the app', async () => {
    const token = await obtainToken(browser, clientId);
    const session = api(workspace.people.member.token);
    const { data } = (await session.get('/connected-apps')).body;
    expect(data[0]).toMatchObject({ kind: 'oauth', name: 'Test app', prefix: `ew_oat_…${token.slice(-4)}` });
    await session.delete(`/connected-apps/${data[0].id}`);
    expect(await getMeStatus(token)).toBe(401);
  });
});
