import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { api } from '../support/api.ts';
import { cellOf } from '../support/env.ts';
import { createTask, createWorld, type World } from '../support/world.ts';
import { hostileAddresses } from './hostile-addresses.ts';
import { createWebhook, deliver, openReceiver, openReceivers, read } from './receivers.ts';

let world: World;

beforeAll(async () => {
  world = await createWorld();
});
beforeEach(() => void openReceivers());
afterEach(() => vi.restoreAllMocks());

describe('an address that nothing is sent to', () => {
  it.each(hostileAddresses)('%s', async (_what, url) => {
    const { member } = world.people;
    const made = await api(member.token).post('/webhooks', { url });
    expect(made.status).toBe(400);
    expect(made.body.error.code).toBe('invalid_request');
    const kept = await createWebhook(member.token, openReceiver().url);
    const changed = await api(member.token).patch(`/webhooks/${kept.id}`, { url });
    expect(changed.status).toBe(400);
    expect((await read(member, kept.id)).url).toBe(kept.url);
    await api(member.token).delete(`/webhooks/${kept.id}`);
  });

  it('there are at least sixty of them', () => {
    expect(hostileAddresses.length).toBeGreaterThanOrEqual(60);
  });

  it('is taken on a developer’s machine where it is that machine', async () => {
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

describe('an address that got into the database all the same', () => {
  it('stops its webhook, and no request leaves for any of them', async () => {
    const place = await createWorld();
    const { owner } = place.people;
    for (let from = 0; from < hostileAddresses.length; from += 40) {
      const made: number[] = [];
      for (const [, url] of hostileAddresses.slice(from, from + 40)) made.push(await planted(place, url));
      await createTask(owner, place.projects.joined.id);
      await deliver(place);
      for (const id of made) {
        const { status, stopReason, failures } = await read(owner, id);
        expect([status, stopReason, failures]).toEqual(['stopped', 'address_refused', 0]);
        await api(owner.token).delete(`/webhooks/${id}`);
      }
    }
    expect(vi.mocked(fetch)).not.toHaveBeenCalled();
  });

  async function planted(place: World, url: string): Promise<number> {
    const { id } = await createWebhook(place.people.owner.token, openReceiver().url);
    const stored = url.slice(0, 2048);
    await cellOf(place.cell).prepare('UPDATE webhooks SET url = ? WHERE id = ?').bind(stored, id).run();
    return id;
  }
});
