import { beforeAll, describe, expect, it } from 'vitest';
import { cleanAuditEntries } from '../../src/audit/retention.ts';
import { unlimitedAllowance } from '../../src/kernel/sql/budget.ts';
import { buildKeyInput } from '../../src/web/pages/connected-apps/key-form.ts';
import { changeRole } from '../../src/workspaces/people/change-role.ts';
import { grantToken } from '../contract/requests.ts';
import { api } from '../support/api.ts';
import { getCell } from '../support/env.ts';
import { runForm } from '../support/forms.ts';
import { openScope } from '../support/scope.ts';
import { createApiKey, createWorld, type World } from '../support/world.ts';
import { insertAuditEntries, readAuditEntries, START } from './audit-entries.ts';

const DAY_MS = 86_400_000;

describe('GET /v1/audit', () => {
  let world: World;
  const listEntries = async (query = '') => {
    const answer = await api(world.people.owner.token).get(`/audit?limit=100${query}`);
    expect(answer.status).toBe(200);
    return answer.body.data as { id: number; type: string; occurredAt: string; actor: { id: string } }[];
  };

  beforeAll(async () => {
    world = await createWorld();
    const { owner, admin } = world.people;
    await insertAuditEntries(
      world,
      Array.from({ length: 60 }, (_, index) => ({
        type: ['member.joined', 'webhook.created', 'api_key.created'][index % 3] ?? '',
        actor: (index % 2 ? owner : admin).member,
        day: Math.floor(index / 6),
      })),
    );
  });

  it('returns each entry with its actor, credential, affected person and details', async () => {
    const place = await createWorld();
    const { owner, member } = place.people;
    await runForm(owner.token, changeRole, { userId: member.userId, role: 'lead' });
    const { body } = await api(owner.token).get('/audit');
    expect(body).toEqual({
      data: [
        {
          id: expect.any(Number),
          type: 'member.role_changed',
          occurredAt: expect.any(String),
          actor: { id: owner.userId, name: owner.name, email: owner.email },
          credential: { kind: 'session_token', name: null },
          ipAddress: null,
          userAgent: null,
          person: { id: member.userId, name: member.name, email: member.email },
          subject: null,
          details: { from: 'member', to: 'lead' },
        },
      ],
      meta: { limit: 25, hasMore: false },
    });
  });

  it('lists the newest entries first, without gaps or repetitions across pages', async () => {
    const all = await listEntries();
    expect(all).toHaveLength(60);
    expect(all.map(({ occurredAt }) => occurredAt)).toEqual(
      all
        .map(({ occurredAt }) => occurredAt)
        .toSorted()
        .toReversed(),
    );
    const paged: unknown[] = [];
    let path: string | undefined = '/audit?limit=7';
    while (path) {
      const { body, headers } = await api(world.people.owner.token).get(path);
      paged.push(...body.data);
      expect(body.meta.hasMore).toBe(headers.has('Link'));
      path = /<[^>]*\/v1(\/audit[^>]*)>; rel="next"/.exec(headers.get('Link') ?? '')?.[1];
    }
    expect(paged).toEqual(all);
  });

  it('filters by person, type and date, individually and combined', async () => {
    const all = await listEntries();
    const { admin } = world.people;
    const actors = [undefined, admin.userId, 'usr_unknown'];
    const types = [undefined, 'webhook.created'];
    const days = [
      [undefined, undefined],
      ['2026-03-04', undefined],
      [undefined, '2026-03-05'],
      ['2026-03-04', '2026-03-05'],
    ];
    for (const actorId of actors) {
      for (const type of types) {
        for (const [from, to] of days) {
          const query = new URLSearchParams(
            Object.entries({ actorId, type, from, to }).filter((each): each is [string, string] =>
              Boolean(each[1]),
            ),
          );
          const expected = all.filter(
            (entry) =>
              (actorId === undefined || entry.actor.id === actorId) &&
              (type === undefined || entry.type === type) &&
              (from === undefined || entry.occurredAt.slice(0, 10) >= from) &&
              (to === undefined || entry.occurredAt.slice(0, 10) <= to),
          );
          expect(await listEntries(`&${query}`), String(query)).toEqual(expected);
        }
      }
    }
  });

  it('reads a bounded number of rows, however many entries there are', async () => {
    const big = await createWorld();
    const { owner, admin } = big.people;
    const drafts = Array.from({ length: 5_000 }, (_, index) => ({
      type: index % 50 ? 'sign_in.succeeded' : 'webhook.created',
      actor: (index % 7 ? owner : admin).member,
      day: Math.floor(index / 50),
    }));
    await insertAuditEntries(big, drafts);
    await api(owner.token).get('/me');
    for (const query of [
      '',
      '&type=webhook.created',
      `&actorId=${admin.userId}`,
      `&actorId=${admin.userId}&type=webhook.created`,
      '&from=2026-04-01&to=2026-04-02',
      `&actorId=${admin.userId}&type=sign_in.succeeded&to=2026-04-02`,
    ]) {
      const { cost, body } = await api(owner.token).get(`/audit?limit=25${query}`);
      expect(body.data.length, query).toBeGreaterThan(2);
      expect(cost.trips, query).toBe(1);
      expect(cost.rowsRead, query).toBeLessThanOrEqual(110);
    }
  });

  it('returns 403 to leads, members and clients, and to tokens without the scope', async () => {
    const { owner, admin, lead, member, client } = world.people;
    for (const { token } of [lead, member, client]) {
      const { status, body } = await api(token).get('/audit');
      expect([status, body.error.message]).toEqual([
        403,
        'Only owners and admins can read the audit log. Ask one of them.',
      ]);
    }
    expect((await api(await grantToken(world, admin, ['audit:read'])).get('/audit')).status).toBe(200);
    expect((await api(await grantToken(world, lead, ['audit:read'])).get('/audit')).status).toBe(403);
    expect((await api(await grantToken(world, owner, ['tasks:read'])).get('/audit')).status).toBe(403);
    expect((await api(await createApiKey(admin)).get('/audit')).status).toBe(200);
    expect((await api(await createApiKey(lead)).get('/audit')).status).toBe(403);
  });

  it('rejects dates in the wrong order, unknown types, invalid cursors, and any offset', async () => {
    const { token } = world.people.owner;
    for (const query of [
      'from=2026-03-05&to=2026-03-04',
      'type=task.created',
      'cursor=bm9uc2Vuc2U',
      'offset=5',
    ]) {
      expect((await api(token).get(`/audit?${query}`)).status, query).toBe(400);
    }
  });

  it('returns no entries from another workspace', async () => {
    const other = await createWorld();
    expect((await api(other.people.owner.token).get('/audit')).body.data).toEqual([]);
    const byForeigner = `/audit?actorId=${world.people.admin.userId}`;
    expect((await api(other.people.owner.token).get(byForeigner)).body.data).toEqual([]);
  });
});

it('only owners and admins can grant a key the audit:read scope', async () => {
  const { people } = await createWorld();
  const createKey = (token: string) =>
    api(token).post('/connected-apps/api-keys', { name: 'Auditor', scopes: ['audit:read'] });
  expect((await createKey(people.admin.token)).status).toBe(201);
  expect((await createKey(people.lead.token)).status).toBe(403);
});

describe('audit entries older than 180 days', () => {
  it('are deleted, and newer entries are kept', async () => {
    const world = await createWorld();
    const actor = world.people.owner.member;
    await getCell(0).prepare('DELETE FROM audit_entries').run();
    const drafts = Array.from({ length: 450 }, () => ({ type: 'member.joined', actor, day: 0 }));
    await insertAuditEntries(world, [...drafts, { type: 'member.left', actor, day: 2 }]);
    expect(await cleanAuditEntries.run(openScope(START + 180 * DAY_MS - 1), 0, unlimitedAllowance)).toBe(
      false,
    );
    expect(await readAuditEntries(world)).toHaveLength(451);
    await cleanAuditEntries.run(openScope(START + 181 * DAY_MS), 0, unlimitedAllowance);
    expect((await readAuditEntries(world)).map(({ type }) => type)).toEqual(['member.left']);
    await cleanAuditEntries.run(openScope(START + 400 * DAY_MS), 0, unlimitedAllowance);
    expect(await readAuditEntries(world)).toEqual([]);
  });
});

it("a read-only key doesn't have the audit:read scope", () => {
  const { scopes } = buildKeyInput({ workspace: 'ws_1', name: 'Report', may: 'read', expiresOn: null });
  expect(scopes).toContain('tasks:read');
  expect(scopes).not.toContain('audit:read');
});
