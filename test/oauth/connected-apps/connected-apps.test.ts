import { expect, it } from 'vitest';
import { hashSecret } from '../../../src/kernel/secrets/tokens.ts';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createApiKey, createWorkspace } from '../../support/world.ts';

it('a new API key is returned once, and only its hash and last four characters are stored', async () => {
  const { people, cell } = await createWorkspace({ cell: 1 });
  const session = api(people.member.token);
  const created = await session.post('/connected-apps/api-keys', { name: ' Nightly <report> ' });
  expect(created.status).toBe(201);
  const { key, ...item } = created.body;
  expect(key).toMatch(/^ew_live_01[0-9A-Za-z]{33}$/);
  expect(item).toMatchObject({
    kind: 'api_key',
    name: ' Nightly <report> ',
    lastUsedAt: null,
    status: 'active',
  });
  expect(item.prefix).toBe(`ew_live_…${key.slice(-4)}`);
  const listed = await session.get('/connected-apps');
  expect(listed.body.data).toEqual([item]);
  const stored = await getCell(cell).prepare('SELECT * FROM credentials WHERE id = ?').bind(item.id).first();
  expect(JSON.stringify(stored)).not.toContain(key);
  expect(stored?.hash).toBe(hashSecret(key));
});

it("the list of connected apps contains the caller's own credentials, newest first, with the exact total", async () => {
  const { people } = await createWorkspace();
  for (const name of ['one', 'two', 'three']) await createApiKey(people.owner, name);
  await createApiKey(people.admin, 'of another');
  const first = await api(people.owner.token).get('/connected-apps?limit=2');
  expect(first.body.data.map((each: { name: string }) => each.name)).toEqual(['three', 'two']);
  expect(first.body.meta).toEqual({ total: 3, limit: 2, offset: 0, hasMore: true });
});

it('a credential is revoked immediately and listed as revoked, and can be revoked again', async () => {
  const { people } = await createWorkspace();
  const key = await createApiKey(people.lead);
  expect((await api(key).get('/me')).status).toBe(200);
  const session = api(people.lead.token);
  const [{ id }] = (await session.get('/connected-apps')).body.data;
  for (const answer of [
    await session.delete(`/connected-apps/${id}`),
    await session.delete(`/connected-apps/${id}`),
  ]) {
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
  }
  expect((await api(key).get('/me')).status).toBe(401);
  expect((await session.get('/connected-apps')).body.data).toMatchObject([{ id, status: 'revoked' }]);
});

it("revoking another person's credential returns 404, even for an owner", async () => {
  const { people } = await createWorkspace();
  const key = await createApiKey(people.member);
  const [{ id }] = (await api(people.member.token).get('/connected-apps')).body.data;
  const foreign = await api(people.owner.token).delete(`/connected-apps/${id}`);
  const missing = await api(people.owner.token).delete('/connected-apps/999999999');
  expect([foreign.status, missing.status]).toEqual([404, 404]);
  expect(foreign.text.replace(String(id), '999999999')).toBe(missing.text);
  expect((await api(key).get('/me')).status).toBe(200);
});

it('the last use of an API key is recorded, at most once an hour', async () => {
  const { people, cell } = await createWorkspace();
  const key = await createApiKey(people.client);
  await api(key).get('/me');
  const session = api(people.client.token);
  const [{ lastUsedAt }] = (await session.get('/connected-apps')).body.data;
  expect(Date.now() - Date.parse(lastUsedAt)).toBeLessThan(60_000);
  await getCell(cell)
    .prepare('UPDATE credentials SET last_used_at = 1000 WHERE hash = ?')
    .bind(hashSecret(key))
    .run();
  await api(key).get('/me');
  expect((await session.get('/connected-apps')).body.data[0].lastUsedAt).toBe('1970-01-01T00:00:01.000Z');
});

it.each([{ name: '' }, { name: '   ' }, { name: 'x'.repeat(101) }, {}, { name: 'x', scopes: [] }])(
  'a new API key with %j is rejected',
  async (body) => {
    const { people } = await createWorkspace();
    const answer = await api(people.owner.token).post('/connected-apps/api-keys', body);
    expect(answer.status).toBe(400);
    expect((await api(people.owner.token).get('/connected-apps')).body.meta.total).toBe(0);
  },
);

it("an API key can't list, create or revoke keys", async () => {
  const { people } = await createWorkspace();
  const client = api(await createApiKey(people.owner));
  for (const answer of [
    await client.get('/connected-apps'),
    await client.post('/connected-apps/api-keys', { name: 'more' }),
    await client.delete('/connected-apps/1'),
  ]) {
    expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden']);
  }
  expect((await api(people.owner.token).get('/connected-apps')).body.meta.total).toBe(1);
});
