import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { readAllContents } from '../../support/stored-contents.ts';
import { createApiKey, createTask, createWorkspace, createWorld, type World } from '../../support/world.ts';
import {
  createWebhook,
  deliverAll,
  openReceiver,
  openReceivers,
  readWebhook,
  verifySignature,
} from '../delivery/receivers.ts';

let world: World;

beforeAll(async () => {
  world = await createWorld();
});
beforeEach(() => void openReceivers());
afterEach(() => vi.restoreAllMocks());

describe('a new webhook', () => {
  it('has a secret that is returned once and stored only encrypted', async () => {
    const { url } = openReceiver();
    const made = await createWebhook(world.people.member.token, url, { description: 'Mirror' });
    expect(made.secret).toMatch(/^whsec_/);
    const { secret: _secret, ...shown } = made;
    expect(await readWebhook(world.people.member, made.id)).toEqual(shown);
    const listed = await api(world.people.member.token).get('/webhooks');
    expect(listed.body.data[0]).toEqual(shown);
    expect(JSON.stringify(await readAllContents())).not.toContain(made.secret.slice(6));
    expect(shown).toMatchObject({ url, description: 'Mirror', types: null, project: null, status: 'active' });
    expect(shown).toMatchObject({ madeWith: 'session', createdBy: { id: world.people.member.userId } });
  });

  it("doesn't send earlier events", async () => {
    await createTask(world.people.owner, world.projects.joined.id);
    const { body: feed } = await api(world.people.owner.token).get('/events');
    const made = await createWebhook(world.people.owner.token, openReceiver().url);
    expect(made.cursor).toBe(feed.meta.nextAfter);
    expect(made.cursor).toBeGreaterThan(0);
  });

  it('can be limited only to projects that its creator can see', async () => {
    const { owner } = world.people;
    const made = await createWebhook(owner.token, openReceiver().url, { projectId: world.projects.other.id });
    expect(made.project).toEqual(world.projects.other);
    const elsewhere = await createWorld();
    const before = await readAllContents();
    for (const projectId of [999_999_999, elsewhere.projects.other.id]) {
      const answer = await api(owner.token).post('/webhooks', { url: openReceiver().url, projectId });
      expect(answer.status).toBe(404);
    }
    expect(await readAllContents()).toEqual(before);
  });

  it('is rejected with 403 for a client', async () => {
    const before = await readAllContents();
    const answer = await api(world.people.client.token).post('/webhooks', { url: openReceiver().url });
    expect(answer.status).toBe(403);
    expect(await readAllContents()).toEqual(before);
  });

  it('is rejected if the workspace has 50 webhooks, even when many are created at the same time', async () => {
    const full = await createWorkspace();
    const { owner, lead } = full.people;
    for (let n = 0; n < 47; n += 1) await createWebhook(owner.token, openReceiver().url);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => api(lead.token).post('/webhooks', { url: openReceiver().url })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, 201, 201, 400, 400, 400, 400, 400]);
    expect(answers.find(({ status }) => status === 400)?.body.error.message).toContain('50');
    expect((await api(owner.token).get('/webhooks?limit=1')).body.meta.total).toBe(50);
  });
});

describe("other people's webhooks", () => {
  it('are visible to owners and admins only', async () => {
    const { people } = await createWorkspace();
    const made = await createWebhook(people.member.token, openReceiver().url);
    for (const who of ['owner', 'admin', 'member'] as const) {
      expect((await api(people[who].token).get(`/webhooks/${made.id}`)).status, who).toBe(200);
      expect((await api(people[who].token).get('/webhooks')).body.meta.total, who).toBe(1);
    }
    for (const who of ['lead', 'client'] as const) {
      expect((await api(people[who].token).get(`/webhooks/${made.id}`)).status, who).toBe(404);
      expect((await api(people[who].token).get('/webhooks')).body.meta.total, who).toBe(0);
    }
  });

  it('can be paused and deleted, but not changed, by owners and admins', async () => {
    const { people } = await createWorkspace();
    const { member, admin } = people;
    const made = await createWebhook(member.token, openReceiver().url);
    const before = await readAllContents();
    const rest = api(admin.token);
    const changes = [
      { url: openReceiver().url },
      { status: 'active' },
      { types: null },
      { status: 'paused', batch: true },
    ];
    for (const change of changes) {
      expect((await rest.patch(`/webhooks/${made.id}`, change)).status, JSON.stringify(change)).toBe(403);
    }
    for (const call of ['rotate-secret', 'test']) {
      expect((await rest.post(`/webhooks/${made.id}/${call}`)).status, call).toBe(403);
    }
    expect((await rest.post(`/webhooks/${made.id}/replay`, { after: 0 })).status).toBe(403);
    expect(await readAllContents()).toEqual(before);
    expect((await rest.patch(`/webhooks/${made.id}`, { status: 'paused' })).body.status).toBe('paused');
    expect((await api(member.token).patch(`/webhooks/${made.id}`, { status: 'active' })).body.status).toBe(
      'active',
    );
    expect((await rest.delete(`/webhooks/${made.id}`)).status).toBe(200);
    expect((await api(member.token).get(`/webhooks/${made.id}`)).status).toBe(404);
  });
});

describe('PATCH /webhooks/{id}', () => {
  it('changes only the fields in the body', async () => {
    const { member } = world.people;
    const made = await createWebhook(member.token, openReceiver().url, {
      description: 'One',
      types: ['task.created'],
    });
    const { secret: _secret, ...before } = made;
    const path = `/webhooks/${made.id}`;
    expect((await api(member.token).patch(path, {})).body).toEqual(before);
    const changed = await api(member.token).patch(path, { types: null, batch: true });
    expect(changed.body).toEqual({ ...before, types: null, batch: true });
    const cleared = await api(member.token).patch(path, { description: null });
    expect(cleared.body).toEqual({ ...changed.body, description: null });
  });

  it.each([
    [{ types: [] }],
    [{ types: ['task.exploded'] }],
    [{ status: 'stopped' }],
    [{ secret: 'whsec_bWluZQ==' }],
    [{ batch: 'yes' }],
    [{ cursor: 1 }],
  ])('rejects %j', async (change) => {
    const { member } = world.people;
    const made = await createWebhook(member.token, openReceiver().url);
    const before = await readAllContents();
    expect((await api(member.token).patch(`/webhooks/${made.id}`, change)).status).toBe(400);
    expect(await readAllContents()).toEqual(before);
  });
});

describe('DELETE /webhooks/{id}', () => {
  it('deletes the delivery log as well', async () => {
    const { people, no } = world;
    const made = await createWebhook(people.lead.token, openReceiver().url);
    await api(people.lead.token).post(`/webhooks/${made.id}/test`);
    const path = `/webhooks/${made.id}`;
    expect((await api(people.lead.token).get(`${path}/deliveries`)).body.meta.total).toBe(1);
    expect((await api(people.lead.token).delete(path)).body).toEqual({ success: true });
    expect((await api(people.lead.token).get(`${path}/deliveries`)).status).toBe(404);
    const kept = await getCell(world.cell)
      .prepare('SELECT count(*) AS n FROM webhook_deliveries WHERE ws = ? AND webhook = ?')
      .bind(no, made.id)
      .first();
    expect(kept).toEqual({ n: 0 });
  });
});

describe('a test call', () => {
  it('sends a signed webhook.test message immediately, without moving the cursor', async () => {
    const { admin } = world.people;
    const receiver = openReceiver(() => new Response('thanks', { status: 202 }));
    const made = await createWebhook(admin.token, receiver.url);
    await api(admin.token).patch(`/webhooks/${made.id}`, { status: 'paused' });
    const { status, body } = await api(admin.token).post(`/webhooks/${made.id}/test`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: 1,
      firstSeq: null,
      lastSeq: null,
      status: 202,
      error: null,
      answer: 'thanks',
    });
    const [received] = receiver.messages;
    expect(received).toBeDefined();
    if (!received) return;
    verifySignature(made.secret, received);
    expect(received.body).toMatchObject({ type: 'webhook.test', webhook: { id: made.id } });
    expect(received.body).not.toHaveProperty('seq');
    expect((await readWebhook(admin, made.id)).cursor).toBe(made.cursor);
  });

  it("returns the receiver's error, and shows the response body to owners and admins only", async () => {
    const { member, owner } = world.people;
    const broken = openReceiver(() => new Response('<h1>secret page</h1>', { status: 500 }));
    const made = await createWebhook(member.token, broken.url);
    const path = `/webhooks/${made.id}`;
    const { body } = await api(member.token).post(`${path}/test`);
    expect(body).toMatchObject({ status: 500, error: 'returned 500', answer: null });
    const seen = await api(owner.token).get(`${path}/deliveries`);
    expect(seen.body.data[0].answer).toBe('<h1>secret page</h1>');
    broken.answer = () => Response.redirect('https://127.0.0.1/', 302);
    expect((await api(member.token).post(`${path}/test`)).body.error).toContain('redirects');
    broken.answer = () => {
      throw new Error('reset');
    };
    expect((await api(member.token).post(`${path}/test`)).body).toMatchObject({
      status: null,
      error: 'connection failed',
    });
  });
});

describe('the delivery list', () => {
  it('contains the last 100 attempts, in pages, newest first', async () => {
    const { owner } = world.people;
    const made = await createWebhook(owner.token, openReceiver().url);
    for (let n = 0; n < 103; n += 1) await api(owner.token).post(`/webhooks/${made.id}/test`);
    const first = await api(owner.token).get(`/webhooks/${made.id}/deliveries?limit=60`);
    expect(first.body.meta).toEqual({ total: 100, limit: 60, offset: 0, hasMore: true });
    const next = /<https:\/\/edgework\.test\/v1([^>]+)>/.exec(first.headers.get('Link') ?? '')?.[1] ?? '';
    const second = await api(owner.token).get(next);
    const ids = [...first.body.data, ...second.body.data].map(({ id }: { id: number }) => id);
    expect(ids).toEqual(Array.from({ length: 100 }, (_, n) => 103 - n));
  });
});

describe('an API key with every scope', () => {
  it('can create and list webhooks', async () => {
    const key = await createApiKey(world.people.member);
    const made = await createWebhook(key, openReceiver().url);
    expect(made.madeWith).toBe('api_key');
    expect((await api(key).get('/webhooks')).status).toBe(200);
    await deliverAll(world);
  });
});
