import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { describeUnsafeUrl } from '../../../src/kernel/net/outbound-url.ts';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import { insertWebhook } from '../operations/insert-webhook.ts';
import { hostileUrls } from './hostile-urls.ts';
import { createWebhook, deliverAll, openReceiver, openReceivers, readWebhook } from './receivers.ts';

let world: World;

beforeAll(async () => {
  world = await createWorld();
});
beforeEach(() => void openReceivers());
afterEach(() => vi.restoreAllMocks());

it('at least sixty forbidden webhook URLs are tested', () => {
  expect(hostileUrls.length).toBeGreaterThanOrEqual(60);
});

describe('a forbidden webhook URL', () => {
  it.each(hostileUrls)('is rejected: %s', async (_what, url) => {
    const { member } = world.people;
    const made = await api(member.token).post('/webhooks', { url });
    expect(made.status).toBe(400);
    expect(made.body.error.code).toBe('invalid_request');
    const kept = await createWebhook(member.token, openReceiver().url);
    const changed = await api(member.token).patch(`/webhooks/${kept.id}`, { url });
    expect(changed.status).toBe(400);
    expect((await readWebhook(member, kept.id)).url).toBe(kept.url);
    await api(member.token).delete(`/webhooks/${kept.id}`);
  });

  it.each(['https://edgework.example/v1/tasks', 'https://EDGEWORK.example./', 'https://edgework。example/'])(
    'is rejected if it points to this service: %s',
    (url) => {
      const options = { isLocal: false, deploymentHost: 'edgework.example' };
      expect(describeUnsafeUrl(new URL(url).href, options)).toContain('Edgework itself');
      expect(
        describeUnsafeUrl(new URL(url).href, { ...options, deploymentHost: 'other.example' }),
      ).toBeNull();
    },
  );

  it('that points to the local machine is accepted in local development', async () => {
    const local = { ENVIRONMENT: 'local' };
    const { member } = world.people;
    for (const url of ['http://127.0.0.1:9999/hook', 'http://localhost:9999/', 'http://[::1]:9999/']) {
      const made = await api(member.token, local).post('/webhooks', { url });
      expect(made.status, url).toBe(201);
      await api(member.token).delete(`/webhooks/${made.body.id}`);
    }
    for (const url of ['http://192.168.0.1/', 'http://hooks.example.com/', 'https://10.0.0.1/']) {
      expect((await api(member.token, local).post('/webhooks', { url })).status, url).toBe(400);
    }
  });
});

describe('a forbidden URL in the database', () => {
  it('stops its webhook and receives no request', async () => {
    const place = await createWorld();
    const db = getCell(place.cell);
    const planted = new Map<number, string>();
    for (const [what, url] of hostileUrls) {
      const id = await insertWebhook(place, place.people.owner);
      await db.prepare("UPDATE webhooks SET url = ?, status = 'active' WHERE id = ?").bind(url, id).run();
      planted.set(id, what);
    }
    await createTask(place.people.owner, place.projects.joined.id);
    // Each run serves only a limited number of webhooks.
    for (let runs = 0; runs < 3; runs += 1) await deliverAll(place);
    const { results } = await db
      .prepare('SELECT id, status, stop_reason, attempts FROM webhooks WHERE ws = ?')
      .bind(place.no)
      .all<{ id: number; status: string; stop_reason: string; attempts: number }>();
    expect(results).toHaveLength(hostileUrls.length);
    for (const { id, ...state } of results) {
      const rejected = { status: 'stopped', stop_reason: 'address_refused', attempts: 0 };
      expect(state, planted.get(id)).toEqual(rejected);
    }
    expect(vi.mocked(fetch)).not.toHaveBeenCalled();
  });
});
