// This file is long because sending, pausing and replaying must all keep the order, ids and signatures of events.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { api } from '../../support/api.ts';
import { getCell } from '../../support/env.ts';
import { HANG_MS } from '../../support/timeout.ts';
import { createTask, createWorld, type World } from '../../support/world.ts';
import {
  createWebhook,
  deliverAll,
  openReceiver,
  openReceivers,
  readLog,
  readWebhook,
  verifySignature,
} from './receivers.ts';

let world: World;

beforeEach(async () => {
  openReceivers();
  world = await createWorld();
});
afterEach(() => vi.restoreAllMocks());

const createTaskAsOwner = (fields: Record<string, unknown> = {}) =>
  createTask(world.people.owner, world.projects.joined.id, fields);

describe('a webhook', () => {
  it('sends a signed event, equal to the one in the feed, right after a change', async () => {
    const receiver = openReceiver();
    const made = await createWebhook(world.people.owner.token, receiver.url);
    const { id } = await createTaskAsOwner({ name: 'Told' });
    await vi.waitUntil(() => receiver.messages.length === 1, { timeout: HANG_MS });
    const [message] = receiver.messages;
    if (!message) return;
    verifySignature(made.secret, message);
    expect(message.body).toMatchObject({ type: 'task.created', task: { id }, previousSeq: null });
    expect(message.body).toMatchObject({ actor: { id: world.people.owner.userId }, via: 'session' });
    expect(message.headers.get('Content-Type')).toBe('application/json');
    expect(message.messageId).toBe(message.body.id);
    const { previousSeq: _previousSeq, ...event } = message.body;
    const { body: feed } = await api(world.people.owner.token).get(`/events?after=${made.cursor}`);
    expect(feed.data[0]).toEqual(event);
  });

  it('sends all events in order, each with the seq of the previous event', async () => {
    const receiver = openReceiver();
    const made = await createWebhook(world.people.owner.token, receiver.url);
    const { id } = await createTaskAsOwner();
    const { token } = world.people.owner;
    await api(token).patch(`/tasks/${id}`, { status: 'in_progress' });
    await api(token).post(`/tasks/${id}/comments`, { content: 'A remark' });
    await api(token).post(`/tasks/${id}/archive`);
    await deliverAll(world);
    const log = await readLog(world, made.cursor);
    expect(log.length).toBeGreaterThanOrEqual(4);
    expect(receiver.events().map(({ seq, type }) => ({ seq, type }))).toEqual(log);
    const previous = receiver.events().map(({ previousSeq }) => previousSeq);
    expect(previous).toEqual([null, ...log.slice(0, -1).map(({ seq }) => seq)]);
    expect(await readWebhook(world.people.owner, made.id)).toMatchObject({
      cursor: log.at(-1)?.seq,
      failures: 0,
    });
  });

  it('sends only events that match the filters', async () => {
    const types = openReceiver();
    const kinds = openReceiver();
    const project = openReceiver();
    await createWebhook(world.people.owner.token, types.url, { types: ['comment.created'] });
    const made = await createWebhook(world.people.owner.token, kinds.url, { types: ['comment.*', 'team.*'] });
    expect(made.types).toEqual(['comment.*', 'team.*']);
    await createWebhook(world.people.owner.token, project.url, { projectId: world.projects.other.id });
    const { id } = await createTaskAsOwner();
    await api(world.people.owner.token).post(`/tasks/${id}/comments`, { content: 'A remark' });
    const other = await createTask(world.people.owner, world.projects.other.id);
    await deliverAll(world);
    expect(types.events().map(({ type }) => type)).toEqual(['comment.created']);
    expect(kinds.events().map(({ type }) => type)).toEqual(['comment.created']);
    expect(project.messages.map(({ body }) => body.task.id)).toEqual([other.id]);
    const { results } = await getCell(world.cell)
      .prepare('SELECT DISTINCT h.cursor AS cursor FROM webhooks h WHERE h.ws = ?')
      .bind(world.no)
      .all();
    expect(results).toEqual([{ cursor: (await readLog(world)).at(-1)?.seq }]);
  });

  it('sends up to a hundred events per batch', async () => {
    const receiver = openReceiver();
    const made = await createWebhook(world.people.owner.token, receiver.url, { batch: true });
    await api(world.people.owner.token).patch(`/webhooks/${made.id}`, { status: 'paused' });
    for (let n = 0; n < 105; n += 1) await createTaskAsOwner();
    await api(world.people.owner.token).patch(`/webhooks/${made.id}`, { status: 'active' });
    await deliverAll(world);
    const log = await readLog(world, made.cursor);
    expect(receiver.messages.map(({ body }) => body.events.length)).toEqual([100, log.length - 100]);
    expect(receiver.events().map(({ seq }) => seq)).toEqual(log.map(({ seq }) => seq));
    for (const message of receiver.messages) verifySignature(made.secret, message);
    await createTaskAsOwner();
    await deliverAll(world);
    const ids = receiver.messages.map(({ messageId }) => messageId);
    expect(new Set(ids).size, 'a batch, also of one event, has an id of its own').toBe(3);
    expect(receiver.events().filter(({ id }) => ids.includes(id))).toEqual([]);
    receiver.messages.pop();
    const previous = receiver.events().map(({ previousSeq }) => previousSeq);
    expect(previous).toEqual([null, ...log.slice(0, -1).map(({ seq }) => seq)]);
  });
});

describe('a paused webhook', () => {
  it('sends nothing until it is resumed, and then continues where it left off', async () => {
    const receiver = openReceiver();
    const { token } = world.people.owner;
    const made = await createWebhook(token, receiver.url);
    await createTaskAsOwner();
    await deliverAll(world);
    await api(token).patch(`/webhooks/${made.id}`, { status: 'paused' });
    await createTaskAsOwner();
    await createTaskAsOwner();
    await deliverAll(world);
    expect(receiver.messages).toHaveLength(1);
    await api(token).patch(`/webhooks/${made.id}`, { status: 'active' });
    await deliverAll(world);
    const log = await readLog(world, made.cursor);
    expect(receiver.events().map(({ seq }) => seq)).toEqual(log.map(({ seq }) => seq));
    expect(receiver.events().at(1)?.previousSeq).toBe(log[0]?.seq);
  });
});

describe('a replay', () => {
  it('resends events in order with the same ids, followed by new events', async () => {
    const receiver = openReceiver();
    const { token } = world.people.owner;
    const made = await createWebhook(token, receiver.url);
    for (let n = 0; n < 3; n += 1) await createTaskAsOwner();
    await deliverAll(world);
    const first = receiver.messages.map(({ messageId }) => messageId);
    const back = await api(token).post(`/webhooks/${made.id}/replay`, { after: made.cursor });
    expect(back.body.cursor).toBe(made.cursor);
    await deliverAll(world);
    await createTaskAsOwner();
    await deliverAll(world);
    const ids = receiver.messages.map(({ messageId }) => messageId);
    expect(ids.slice(0, 6)).toEqual([...first, ...first]);
    expect(ids).toHaveLength(7);
    expect(receiver.events().at(3)?.previousSeq).toBeNull();
  });

  it('starts with the oldest event if after is 0, and rejects a seq outside the log', async () => {
    const receiver = openReceiver();
    const { token } = world.people.owner;
    await createTaskAsOwner();
    const made = await createWebhook(token, receiver.url);
    await api(token).post(`/webhooks/${made.id}/replay`, { after: 0 });
    await deliverAll(world);
    const log = await readLog(world);
    expect(receiver.events().map(({ seq }) => seq)).toEqual(log.map(({ seq }) => seq));
    await getCell(world.cell)
      .prepare('UPDATE workspaces SET events_from = 2 WHERE no = ?')
      .bind(world.no)
      .run();
    await createTaskAsOwner();
    await createTaskAsOwner();
    await getCell(world.cell)
      .prepare('UPDATE workspaces SET events_from = 3 WHERE no = ?')
      .bind(world.no)
      .run();
    for (const after of [1, 999]) {
      const rejected = await api(token).post(`/webhooks/${made.id}/replay`, { after });
      expect(rejected.status, String(after)).toBe(400);
      expect(rejected.body.error.message).toContain(after === 1 ? 'oldest event is 3' : 'newest event');
    }
  });

  it('resends all events, even if a message is being sent when it starts', async () => {
    const { token } = world.people.owner;
    const receiver = openReceiver();
    const made = await createWebhook(token, receiver.url);
    await createTaskAsOwner();
    await createTaskAsOwner();
    await deliverAll(world);
    receiver.answer = async () => {
      if (receiver.messages.length === 3)
        await api(token).post(`/webhooks/${made.id}/replay`, { after: made.cursor });
      return new Response('ok');
    };
    await createTaskAsOwner();
    await deliverAll(world);
    const seqs = receiver.events().map(({ seq }) => seq - made.cursor);
    expect(seqs).toEqual([1, 2, 3, 1, 2, 3]);
  });
});

describe('a webhook whose secret was rotated', () => {
  it('signs with the new secret and, for 24 hours each, with the three previous secrets', async () => {
    const receiver = openReceiver();
    const { token } = world.people.owner;
    const made = await createWebhook(token, receiver.url);
    const secrets = [made.secret];
    const deliverSigned = async () => {
      await createTaskAsOwner();
      await deliverAll(world);
      const last = receiver.messages.at(-1);
      if (!last) throw new Error('nothing came');
      return secrets.map((secret) => {
        try {
          return verifySignature(secret, last) !== null;
        } catch {
          return false;
        }
      });
    };
    const rotateSecret = async () => {
      const { body } = await api(token).post(`/webhooks/${made.id}/rotate-secret`);
      secrets.push(body.secret);
    };
    await rotateSecret();
    await rotateSecret();
    expect(await deliverSigned()).toEqual([true, true, true]);
    await rotateSecret();
    expect(await deliverSigned()).toEqual([true, true, true, true]);
    await rotateSecret();
    expect(await deliverSigned()).toEqual([false, true, true, true, true]);
    expect(receiver.messages.at(-1)?.headers.get('webhook-signature')?.split(' ')).toHaveLength(4);
    // Every replaced secret is valid for another 24 hours, so the oldest one expires first.
    await getCell(world.cell)
      .prepare("UPDATE webhooks SET older_secrets = json_set(older_secrets, '$[1].until', 1) WHERE id = ?")
      .bind(made.id)
      .run();
    expect(await deliverSigned()).toEqual([false, false, true, true, true]);
  });

  it('signs with the old and the new secret for 24 hours, then only with the new secret', async () => {
    const receiver = openReceiver();
    const { token } = world.people.owner;
    const made = await createWebhook(token, receiver.url);
    const rotated = await api(token).post(`/webhooks/${made.id}/rotate-secret`);
    expect(rotated.body.secret).not.toBe(made.secret);
    expect(Date.parse(rotated.body.previousSecretUntil) - Date.now()).toBeGreaterThan(23.9 * 3_600_000);
    await createTaskAsOwner();
    await deliverAll(world);
    const [first] = receiver.messages;
    if (!first) throw new Error('nothing came');
    verifySignature(made.secret, first);
    verifySignature(rotated.body.secret, first);
    await getCell(world.cell)
      .prepare('UPDATE webhooks SET previous_until = 1 WHERE id = ?')
      .bind(made.id)
      .run();
    await createTaskAsOwner();
    await deliverAll(world);
    const [, second] = receiver.messages;
    if (!second) throw new Error('nothing came');
    verifySignature(rotated.body.secret, second);
    expect(() => verifySignature(made.secret, second)).toThrow();
    expect((await readWebhook(world.people.owner, made.id)).previousSecretUntil).toBeNull();
  });
});
