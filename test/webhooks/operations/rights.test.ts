import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { api } from '../../support/api.ts';
import { env, getCell } from '../../support/env.ts';
import { createApiKey, createTask, createWorld, type World } from '../../support/world.ts';
import {
  createWebhook,
  deliverAll,
  makeRetriesDue,
  openReceiver,
  openReceivers,
  readLog,
  readWebhook,
} from '../delivery/receivers.ts';

let world: World;

beforeEach(async () => {
  openReceivers();
  world = await createWorld();
});
afterEach(() => vi.restoreAllMocks());

const createTaskAsOwner = () => createTask(world.people.owner, world.projects.joined.id);

describe("a webhook's access", () => {
  const revokeKey = async (token: string) => {
    const { body } = await api(token).get('/connected-apps');
    await api(token).delete(`/connected-apps/${body.data[0].id}`);
  };

  it('ends when the key that created the webhook is revoked, even between two messages', async () => {
    const { member } = world.people;
    const receiver = openReceiver();
    const made = await createWebhook(await createApiKey(member), receiver.url);
    await api(member.token).patch(`/webhooks/${made.id}`, { status: 'paused' });
    for (let n = 0; n < 4; n += 1) await createTaskAsOwner();
    receiver.answer = async () => {
      if (receiver.messages.length === 2) await revokeKey(member.token);
      return new Response('ok');
    };
    await api(member.token).patch(`/webhooks/${made.id}`, { status: 'active' });
    await deliverAll(world);
    expect(receiver.messages).toHaveLength(2);
    expect(await readWebhook(member, made.id)).toMatchObject({
      status: 'stopped',
      stopReason: 'access_ended',
    });
    // After someone resumes the webhook with another credential, it continues where it left off.
    receiver.answer = () => new Response('ok');
    await api(await createApiKey(member)).patch(`/webhooks/${made.id}`, { status: 'active' });
    await deliverAll(world);
    const log = await readLog(world, made.cursor);
    expect(receiver.events().map(({ seq }) => seq)).toEqual(log.map(({ seq }) => seq));
  });

  it('ends between two batches if the key is revoked', async () => {
    const { member } = world.people;
    const receiver = openReceiver();
    const made = await createWebhook(await createApiKey(member), receiver.url, { batch: true });
    await api(member.token).patch(`/webhooks/${made.id}`, { status: 'paused' });
    for (let n = 0; n < 102; n += 1) await createTaskAsOwner();
    receiver.answer = async () => {
      await revokeKey(member.token);
      return new Response('ok');
    };
    await api(member.token).patch(`/webhooks/${made.id}`, { status: 'active' });
    await deliverAll(world);
    expect(receiver.messages.map(({ body }) => body.events.length)).toEqual([100]);
  });

  it.each([
    ['a member who was removed', 'UPDATE members SET ended_at = 1 WHERE no = ?'],
    ['a member who became a client', "UPDATE members SET role = 'client' WHERE no = ?"],
    ['an expired key', 'UPDATE credentials SET expires_at = 1 WHERE member = ?'],
    ['a deleted key', 'DELETE FROM credentials WHERE member = ?'],
  ])('ends for %s', async (_who, change) => {
    const { member } = world.people;
    const receiver = openReceiver();
    const made = await createWebhook(await createApiKey(member), receiver.url);
    await createTaskAsOwner();
    await deliverAll(world);
    expect(receiver.messages).toHaveLength(1);
    await createApiKey(world.people.owner);
    await getCell(world.cell).prepare(change).bind(member.member).run();
    await createTaskAsOwner();
    await deliverAll(world);
    expect(receiver.messages).toHaveLength(1);
    expect(await readWebhook(world.people.owner, made.id)).toMatchObject({
      status: 'stopped',
      stopReason: 'access_ended',
    });
  });

  it.each([
    ['api_key', 'webhooks:write', 'the scope events:read'],
    ['oauth', 'events:read', 'the scope webhooks:write'],
    ['oauth', 'tasks:read', 'the scopes webhooks:write and events:read'],
  ])(
    'is paused if its credential (%s) has only the scope %s, and an email asks for %s',
    async (kind, scopes, named) => {
      const { member } = world.people;
      const receiver = openReceiver();
      const made = await createWebhook(await createApiKey(member), receiver.url);
      await getCell(world.cell)
        .prepare('UPDATE credentials SET kind = ?, scopes = ? WHERE member = ?')
        .bind(kind, scopes, member.member)
        .run();
      await createTaskAsOwner();
      await deliverAll(world);
      expect(receiver.messages).toEqual([]);
      const { cursor } = made;
      expect(await readWebhook(member, made.id)).toMatchObject({
        status: 'paused',
        stopReason: 'scope',
        cursor,
      });
      const listEmails = () =>
        env.DIRECTORY.prepare("SELECT text FROM outbox WHERE recipient = ? AND subject LIKE '%was paused'")
          .bind(member.email)
          .all<{ text: string }>();
      expect((await listEmails()).results.map(({ text }) => text)).toEqual([expect.stringContaining(named)]);
      // After someone resumes the webhook with a credential that has both scopes, it continues where it left off.
      await api(member.token).patch(`/webhooks/${made.id}`, { status: 'active' });
      await deliverAll(world);
      const log = await readLog(world, cursor);
      expect(receiver.events().map(({ seq }) => seq)).toEqual(log.map(({ seq }) => seq));
      expect(await readWebhook(member, made.id)).toMatchObject({
        status: 'active',
        stopReason: null,
        madeWith: 'session',
      });
      expect((await listEmails()).results).toHaveLength(1);
    },
  );

  it("includes the time entries of the webhook's creator, but of no one else", async () => {
    const { owner, member } = world.people;
    const mine = openReceiver();
    const theirs = openReceiver();
    await createWebhook(owner.token, mine.url);
    await createWebhook(member.token, theirs.url);
    const { id } = await createTaskAsOwner();
    await api(owner.token).post('/timer/start', { taskId: id });
    await deliverAll(world);
    expect(mine.events().map(({ type }) => type)).toContain('time_entry.started');
    expect(theirs.events().map(({ type }) => type)).not.toContain('time_entry.started');
    expect(theirs.events().map(({ type }) => type)).toContain('task.created');
  });
});

describe("a paused webhook's expired events", () => {
  it('are skipped, and the next event has a previousSeq of null', async () => {
    const receiver = openReceiver();
    const { token } = world.people.owner;
    const made = await createWebhook(token, receiver.url);
    await createTaskAsOwner();
    await deliverAll(world);
    await api(token).patch(`/webhooks/${made.id}`, { status: 'paused' });
    for (let n = 0; n < 4; n += 1) await createTaskAsOwner();
    const head = (await readLog(world)).at(-1)?.seq ?? 0;
    await getCell(world.cell)
      .prepare('UPDATE workspaces SET events_from = ? WHERE no = ?')
      .bind(head, world.no)
      .run();
    await api(token).patch(`/webhooks/${made.id}`, { status: 'active' });
    await deliverAll(world);
    await makeRetriesDue(world);
    expect(receiver.events().map(({ seq }) => seq)).toEqual([made.cursor + 1, head]);
    expect(receiver.events().at(-1)?.previousSeq).toBeNull();
  });
});
