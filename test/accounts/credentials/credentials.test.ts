import { expect, it } from 'vitest';
import { signSessionToken } from '../../../src/accounts/credentials/session-token.ts';
import { createToken, hashSecret } from '../../../src/kernel/secrets/tokens.ts';
import { api, ORIGIN } from '../../support/api.ts';
import { env, getCell } from '../../support/env.ts';
import {
  createApiKey,
  createSessionToken,
  createWorkspace,
  type Person,
  type Workspace,
} from '../../support/world.ts';

async function insertOauthToken(workspace: Workspace, person: Person, scopes: string, expiresAt: number) {
  const token = createToken('ew_oat_', workspace.cell);
  await getCell(workspace.cell)
    .prepare(
      "INSERT INTO credentials (hash, ws, member, kind, name, prefix, scopes, created_at, expires_at) VALUES (?, ?, ?, 'oauth', 'App', 'ew_oat_…', ?, ?, ?)",
    )
    .bind(hashSecret(token), workspace.no, person.member, scopes, Date.now(), expiresAt)
    .run();
  return token;
}

it.each([0, 1] as const)(
  'the second request with an API key or session token takes one database round trip (cell %i)',
  async (cell) => {
    const { people } = await createWorkspace({ cell });
    const key = await createApiKey(people.member);
    for (const token of [key, people.member.token]) {
      const cold = await api(token).get('/me');
      expect(cold.body).toMatchObject({ id: people.member.userId, role: 'member' });
      expect((await api(token).get('/me')).cost.trips).toBe(1);
    }
  },
);

it.each([
  ['no credential', {}],
  ['another scheme', { Authorization: 'Basic YTpi' }],
  ['an empty bearer token', { Authorization: 'Bearer ' }],
  ['two credentials', { Authorization: 'Bearer a b' }],
  ['an invalid token', { Authorization: 'Bearer x' }],
  ['a malformed session token', { Authorization: 'Bearer a.b.c' }],
  ['a mistyped key', { Authorization: `Bearer ${createToken('ew_live_', 0).slice(0, -1)}_` }],
  ['an unknown key', { Authorization: `Bearer ${createToken('ew_live_', 0)}` }],
  ['a key for an unbound cell', { Authorization: `Bearer ${createToken('ew_live_', 61)}` }],
  ['an OAuth token for an unbound cell', { Authorization: `Bearer ${createToken('ew_oat_', 3843)}` }],
])('a request with %s returns 401 with a WWW-Authenticate header', async (_, headers) => {
  const answer = await api().get('/me', headers as Record<string, string>);
  expect(answer.status).toBe(401);
  expect(answer.body.error.code).toBe('unauthorized');
  expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
});

it('the authorization scheme is case-insensitive', async () => {
  const { people } = await createWorkspace();
  const answer = await api().get('/me', { Authorization: `bEARER ${people.owner.token}` });
  expect(answer.status).toBe(200);
});

it('a mistyped key is rejected without a database query', async () => {
  const answer = await api(`${createToken('ew_live_', 0).slice(0, -1)}_`).get('/me');
  expect(answer.cost.statements).toBe(0);
});

it('a session token is rejected if it is forged, expired, or from another deployment or cell', async () => {
  const { id, cell, people } = await createWorkspace();
  const subject = { userId: people.owner.userId, workspaceId: id, cell };
  const secret = env.SESSION_SECRET;
  const tokens = await Promise.all([
    signSessionToken({ secret, issuer: 'https://elsewhere.test' }, subject, Date.now()),
    signSessionToken({ secret: 'x'.repeat(40), issuer: ORIGIN }, subject, Date.now()),
    signSessionToken({ secret, issuer: ORIGIN }, { ...subject, cell: 7 }, Date.now()),
    signSessionToken({ secret, issuer: ORIGIN }, subject, Date.now() - 7 * 86_400_000 - 1000),
  ]);
  for (const { token } of tokens) expect((await api(token).get('/me')).status).toBe(401);
});

it('an unsigned session token is rejected', async () => {
  const { people } = await createWorkspace();
  const [, payload] = people.owner.token.split('.');
  const header = btoa(JSON.stringify({ alg: 'none', typ: 'JWT' })).replaceAll('=', '');
  expect((await api(`${header}.${payload}.`).get('/me')).status).toBe(401);
});

it('a revoked key is rejected immediately, even if it was just used', async () => {
  const { people, cell } = await createWorkspace();
  const key = await createApiKey(people.member);
  expect((await api(key).get('/me')).status).toBe(200);
  await getCell(cell)
    .prepare('UPDATE credentials SET revoked_at = ? WHERE hash = ?')
    .bind(Date.now(), hashSecret(key))
    .run();
  const revoked = await api(key).get('/me');
  const unknown = await api(createToken('ew_live_', cell)).get('/me');
  expect(revoked.status).toBe(401);
  expect(revoked.text).toBe(unknown.text);
});

it('changes to a role, plan or membership take effect immediately', async () => {
  const { people, cell, no } = await createWorkspace({ plan: 'free' });
  const session = api(people.member.token);
  expect((await session.get('/me')).body).toMatchObject({ role: 'member', workspace: { plan: 'free' } });
  const db = getCell(cell);
  await db.prepare("UPDATE members SET role = 'admin' WHERE no = ?").bind(people.member.member).run();
  await db.prepare("UPDATE workspaces SET plan = 'pro' WHERE no = ?").bind(no).run();
  expect((await session.get('/me')).body).toMatchObject({ role: 'admin', workspace: { plan: 'pro' } });
  await db.prepare('UPDATE members SET ended_at = 1 WHERE no = ?').bind(people.member.member).run();
  expect((await session.get('/me')).status).toBe(401);
});

it('a session token is rejected if it was issued before the person left and rejoined', async () => {
  const workspace = await createWorkspace();
  const { token, member, userId } = workspace.people.member;
  const db = getCell(workspace.cell);
  await db
    .prepare('UPDATE members SET ended_at = ? WHERE no = ?')
    .bind(Date.now() + 1, member)
    .run();
  await db.prepare('UPDATE members SET ended_at = NULL WHERE no = ?').bind(member).run();
  expect((await api(token).get('/me')).status).toBe(401);
  const later = await createSessionToken(workspace, userId, Date.now() + 5);
  expect((await api(later).get('/me')).status).toBe(200);
});

it('an OAuth token works only for its scopes, and only until it expires', async () => {
  const workspace = await createWorkspace();
  const person = workspace.people.owner;
  const narrow = await insertOauthToken(workspace, person, 'tasks:read', Date.now() + 60_000);
  expect((await api(narrow).get('/tasks')).status).toBe(200);
  const rejected = await api(narrow).get('/me');
  expect(rejected.status).toBe(403);
  expect(rejected.headers.get('WWW-Authenticate')).toContain('insufficient_scope');
  const expired = await insertOauthToken(workspace, person, 'profile:read', Date.now() - 1);
  expect((await api(expired).get('/me')).status).toBe(401);
});

it('API keys require a paid plan only if the deployment enforces plans, and work right after an upgrade', async () => {
  const { people, cell, no } = await createWorkspace({ plan: 'free' });
  const key = await createApiKey(people.owner);
  const gated = { ENFORCE_API_KEY_PLAN: 'true' };
  expect((await api(key).get('/me')).status).toBe(200);
  const rejected = await api(key, gated).get('/me');
  expect([rejected.status, rejected.body.error.code]).toEqual([403, 'forbidden_plan']);
  expect((await api(people.owner.token, gated).get('/me')).status).toBe(200);
  await getCell(cell).prepare("UPDATE workspaces SET plan = 'medium' WHERE no = ?").bind(no).run();
  expect((await api(key, gated).get('/me')).status).toBe(200);
});

it("a valid session token can be refreshed, but an expired token or an API key can't", async () => {
  const workspace = await createWorkspace();
  const person = workspace.people.client;
  const now = Date.now();
  const old = await createSessionToken(workspace, person.userId, now - 6 * 86_400_000);
  const fresh = await api(old).post('/auth/refresh');
  expect(fresh.status).toBe(200);
  expect(fresh.body.user).toMatchObject({ id: person.userId, workspace: { id: workspace.id } });
  expect(Date.parse(fresh.body.expiresAt)).toBeGreaterThan(now + 6.9 * 86_400_000);
  expect((await api(fresh.body.token).get('/me')).status).toBe(200);
  const expired = await createSessionToken(workspace, person.userId, now - 8 * 86_400_000);
  expect((await api(expired).post('/auth/refresh')).status).toBe(401);
  expect((await api(await createApiKey(person)).post('/auth/refresh')).status).toBe(403);
});

it('a request for /me returns only the selected fields', async () => {
  const { people } = await createWorkspace();
  const answer = await api(people.lead.token).get('/me?fields=email,role');
  expect(answer.body).toEqual({ email: people.lead.email, role: 'lead' });
});
