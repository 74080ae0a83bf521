import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type SentEvent, WebhookReceiver } from '../../../docs/examples/webhook-receiver.mjs';
import { buildSignatureHeaders, createWebhookSecret } from '../../../src/webhooks/secrets/signature.ts';
import { api } from '../../support/api.ts';
import { createTask, createWorld } from '../../support/world.ts';
import {
  createWebhook,
  deliverAll,
  openReceiver,
  openReceivers,
  type ReceivedMessage,
  readLog,
} from '../delivery/receivers.ts';

beforeEach(() => void openReceivers());
afterEach(() => vi.restoreAllMocks());

function collectTasks(secrets: readonly string[]) {
  const taken: SentEvent[] = [];
  return { example: new WebhookReceiver(secrets, (event) => void taken.push(event)), taken };
}

const passToExample = (
  example: WebhookReceiver,
  { headers, text }: Pick<ReceivedMessage, 'headers' | 'text'>,
) => new Response(null, { status: example.receive(Object.fromEntries(headers), text) });

it('the example receiver processes each event once and in order, despite repeats, batches and a new secret', async () => {
  const world = await createWorld();
  const { token } = world.people.owner;
  const receiver = openReceiver();
  const made = await createWebhook(token, receiver.url);
  const { body: rotated } = await api(token).post(`/webhooks/${made.id}/rotate-secret`);
  const { example, taken } = collectTasks([rotated.secret]);
  receiver.answer = (received) => passToExample(example, received);
  const createTaskAsOwner = () => createTask(world.people.owner, world.projects.joined.id);
  await createTaskAsOwner();
  await createTaskAsOwner();
  await deliverAll(world);
  await api(token).post(`/webhooks/${made.id}/test`);
  await api(token).post(`/webhooks/${made.id}/replay`, { after: made.cursor });
  await deliverAll(world);
  await api(token).patch(`/webhooks/${made.id}`, { batch: true });
  await createTaskAsOwner();
  await createTaskAsOwner();
  await deliverAll(world);
  // Some of the replayed events were first delivered one by one, and others in a different batch.
  const inBatches = receiver.messages.length;
  await api(token).post(`/webhooks/${made.id}/replay`, { after: made.cursor + 1 });
  await deliverAll(world);
  expect(receiver.messages.length).toBeGreaterThan(inBatches);
  const log = (await readLog(world, made.cursor)).map(({ seq }) => seq);
  expect(taken.map(({ seq }) => seq)).toEqual(log);
  expect(example.gaps).toEqual([]);
  expect(example.last).toBe(log.at(-1));
});

it('the example receiver detects a gap when a message never arrives', () => {
  const secret = createWebhookSecret();
  const { example, taken } = collectTasks([secret]);
  const sendEvent = (seq: number, previousSeq: number | null, sign = secret, age = 0) => {
    const text = JSON.stringify({ id: `evt_${seq}`, seq, type: 'task.created', previousSeq, changes: {} });
    const message = { id: `msg_${seq}`, timestamp: Math.floor(Date.now() / 1000) - age, body: text };
    return example.receive(buildSignatureHeaders([sign], message), text);
  };
  expect(sendEvent(5, null)).toBe(200);
  expect(sendEvent(9, 7)).toBe(200);
  expect(example.gaps).toEqual([{ after: 5, before: 9 }]);
  expect(sendEvent(10, 9, createWebhookSecret())).toBe(401);
  expect(sendEvent(10, 9, secret, 600)).toBe(400);
  expect(sendEvent(10, 9)).toBe(200);
  expect(sendEvent(10, 9)).toBe(200);
  expect(taken.map(({ seq }) => seq)).toEqual([5, 9, 10]);
});
