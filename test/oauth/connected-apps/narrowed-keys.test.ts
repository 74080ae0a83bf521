import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { listRequiredScopes, scopes } from '../../../src/kernel/access/access.ts';
import { hashSecret } from '../../../src/kernel/secrets/tokens.ts';
import { routes } from '../../../src/registry.ts';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterEach(() => vi.useRealTimers());

async function createKey(body: Record<string, unknown>, person = world.people.member) {
  const { body: created, status } = await api(person.token).post('/connected-apps/api-keys', {
    name: 'Narrow',
    ...body,
  });
  expect(status).toBe(201);
  return created;
}
const findListedKey = async (id: number) =>
  (await api(world.people.member.token).get('/connected-apps?limit=100')).body.data.find(
    (each: { id: number }) => each.id === id,
  );

describe("an API key's scopes", () => {
  it('are returned without duplicates, in a fixed order', async () => {
    const created = await createKey({ scopes: ['projects:read', 'tasks:read', 'projects:read'] });
    expect(created.scopes).toEqual(['tasks:read', 'projects:read']);
    expect(created).not.toHaveProperty('expiresAt');
    const { key: _key, ...item } = created;
    expect(await findListedKey(created.id)).toEqual(item);
  });

  it('default to all scopes, including scopes that are added later', async () => {
    const created = await createKey({});
    expect(created.scopes).toEqual(scopes);
    expect(Object.keys(created)).toEqual([
      'id',
      'kind',
      'name',
      'prefix',
      'scopes',
      'createdAt',
      'lastUsedAt',
      'status',
      'key',
    ]);
    const { scopes: stored } = (await getCell(world.cell)
      .prepare('SELECT scopes FROM credentials WHERE id = ?')
      .bind(created.id)
      .first()) as { scopes: string };
    expect(stored).toBe('');
  });

  it('are checked by every operation, which returns 403 with the required scopes if one is missing', async () => {
    for (const scope of scopes) {
      const narrow = api(
        (await createKey({ scopes: scopes.filter((each) => each !== scope) }, world.people.admin)).key,
      );
      const guarded = routes.filter(({ operation }) => listRequiredScopes(operation.access).includes(scope));
      expect(guarded.length).toBeGreaterThan(0);
      for (const { method, path, operation } of guarded) {
        const answer = await narrow.call(method, path.replace(/:\w+/g, '1'));
        const rejected = [operation.name, answer.status, answer.body.error.code];
        expect(rejected).toEqual([operation.name, 403, 'forbidden']);
        expect(answer.headers.get('WWW-Authenticate')).toBe(
          `Bearer error="insufficient_scope", scope="${listRequiredScopes(operation.access).join(' ')}"`,
        );
      }
    }
  });

  it('allow the operations that require them, and other operations return 403', async () => {
    const { key } = await createKey({ scopes: ['tasks:read', 'profile:read'] });
    expect((await api(key).get('/tasks')).status).toBe(200);
    expect((await api(key).get('/me')).status).toBe(200);
    const rejected = await api(key).post('/tasks', { projectId: world.projects.joined.id, name: 'No' });
    expect(rejected.status).toBe(403);
    expect(rejected.body.error.message).toContain('This API key lacks the scope tasks:write');
  });

  it('must include webhooks:write to read or delete webhooks, and also events:read to create or change them', async () => {
    const url = 'https://hooks.example.com/narrow';
    const both = await createKey({ scopes: ['webhooks:write', 'events:read'] });
    const made = await api(both.key).post('/webhooks', { url });
    expect(made.status).toBe(201);
    const narrow = api((await createKey({ scopes: ['webhooks:write'] })).key);
    const path = `/webhooks/${made.body.id}`;
    for (const rejected of [
      await narrow.post('/webhooks', { url }),
      await narrow.patch(path, { status: 'paused' }),
      await narrow.post(`${path}/rotate-secret`),
      await narrow.post(`${path}/replay`, { after: 0 }),
      await narrow.post(`${path}/test`),
    ]) {
      expect(rejected.status).toBe(403);
      expect(rejected.body.error.message).toContain('lacks the scope events:read.');
    }
    expect((await narrow.get(path)).body).toMatchObject({ status: 'active' });
    expect((await narrow.get(`${path}/deliveries`)).body.meta.total).toBe(0);
    expect((await narrow.delete(path)).status).toBe(200);
  });
});

describe('an API key with an expiry time', () => {
  it('is returned with the time in UTC, and stops working at that time', async () => {
    const created = await createKey({ expiresAt: '2030-03-02T10:30:00+01:00' });
    expect(created.expiresAt).toBe('2030-03-02T09:30:00.000Z');
    expect((await api(created.key).get('/me')).status).toBe(200);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2030-03-02T09:29:59.999Z') });
    expect((await api(created.key).get('/me')).status).toBe(200);
    vi.setSystemTime(Date.parse('2030-03-02T09:30:00.000Z'));
    const answer = await api(created.key).get('/me');
    expect([answer.status, answer.body.error.code]).toEqual([401, 'unauthorized']);
    vi.useRealTimers();
    // Changes the expiry time, because advancing the clock would also expire the session.
    await getCell(world.cell)
      .prepare('UPDATE credentials SET expires_at = 1000 WHERE hash = ?')
      .bind(hashSecret(created.key))
      .run();
    expect(await findListedKey(created.id)).toMatchObject({
      status: 'revoked',
      expiresAt: '1970-01-01T00:00:01.000Z',
    });
  });
});

describe('an API key', () => {
  it.each([
    ['a past time', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt must be in the future'],
    ['an invalid time', { expiresAt: 'tomorrow' }, 'expiresAt'],
    ['a null expiry', { expiresAt: null }, 'expiresAt'],
    ['an unknown scope', { scopes: ['tasks:delete'] }, 'scopes'],
    ['an empty list of scopes', { scopes: [] }, 'scopes'],
    ['a string as scopes', { scopes: 'tasks:read' }, 'scopes'],
  ])("isn't created with %s", async (_what, body, named) => {
    const session = api(world.people.lead.token);
    const answer = await session.post('/connected-apps/api-keys', { name: 'Refused', ...body });
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toContain(named);
    expect((await session.get('/connected-apps')).body.meta.total).toBe(0);
  });
});
