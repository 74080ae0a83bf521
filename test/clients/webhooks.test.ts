// Runs the server in its own process, so that the test can kill it while the webhook receivers keep running.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { type SentEvent, WebhookReceiver } from '../../docs/examples/webhook-receiver.mjs';
import {
  type PreparedServer,
  prepareServer,
  type RunningServer,
  startServer,
} from '../../scripts/own-server.ts';
import { demo } from '../browser/server.ts';
import { pollUntil } from '../support/timeout.ts';

const TASKS = 12;
let prepared: PreparedServer;
let server: RunningServer;
let token: string;
const listeners: Server[] = [];

before(async () => {
  prepared = await prepareServer('webhooks-test');
  server = await startServer(prepared);
  const login = { email: demo.owner, password: demo.password };
  token = (await callApi('POST', '/auth/login', login)).token;
});
after(async () => {
  for (const listener of listeners) listener.close();
  await server?.stop();
  prepared?.remove();
});

// biome-ignore lint/suspicious/noExplicitAny: the type depends on the endpoint.
async function callApi(method: string, path: string, body?: object): Promise<any> {
  const answer = await fetch(`${prepared.origin}/v1${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

/**
 * Starts a receiver that verifies messages with the reference library. `answer` takes the number of a message, and
 * returns the status to respond with.
 */
async function openStrictReceiver(answer: (count: number) => Promise<number>) {
  const strict = {
    url: '',
    secret: '',
    got: new Map<string, string>(),
    order: [] as number[],
    close: () => {},
  };
  let count = 0;
  const listener = createServer(async (request, response) => {
    let text = '';
    for await (const part of request) text += part;
    const event = new Webhook(strict.secret).verify(
      text,
      request.headers as Record<string, string>,
    ) as SentEvent;
    const id = String(request.headers['webhook-id']);
    if (!strict.got.has(id)) strict.order.push(event.seq);
    strict.got.set(id, text);
    count += 1;
    response.writeHead(await answer(count)).end();
  });
  listeners.push(listener);
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  strict.url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/hook`;
  return strict;
}

it('a webhook receives all events in order, even if the server is killed before it has sent all of them', async () => {
  const strict = await openStrictReceiver(async () => {
    await sleep(20);
    return 204;
  });
  const failing = await openStrictReceiver(async (count: number) => (count <= 1 ? 500 : 200));
  const taken: SentEvent[] = [];
  const secrets: string[] = [];
  const example = new WebhookReceiver(secrets, (event) => void taken.push(event));
  const listener = example.listen(0);
  listeners.push(listener);
  await once(listener, 'listening');
  const exampleUrl = `http://localhost:${(listener.address() as AddressInfo).port}/`;
  for (const receiver of [strict, failing]) {
    const made = await callApi('POST', '/webhooks', { url: receiver.url });
    receiver.secret = made.secret;
  }
  const batched = await callApi('POST', '/webhooks', { url: exampleUrl, batch: true });
  secrets.push(batched.secret);
  const tested = await callApi('POST', `/webhooks/${batched.id}/test`);
  assert.equal(tested.status, 200, JSON.stringify(tested));

  const projects = await callApi('GET', '/projects?limit=1');
  const start = (await callApi('GET', '/events')).meta.nextAfter;
  for (let n = 0; n < TASKS; n += 1) {
    await callApi('POST', '/tasks', { projectId: projects.data[0].id, name: `Task ${n}` });
    if (n === TASKS / 2) {
      await server.kill();
      server = await startServer(prepared, true);
    }
  }
  const feed = await callApi('GET', `/events?after=${start}&limit=300`);
  const expected = feed.data.map(({ seq }: SentEvent) => seq);
  assert.ok(expected.length >= TASKS);
  const isComplete = () =>
    [strict.order, failing.order, taken.map(({ seq }) => seq)].every(
      (order) => order.length >= expected.length,
    );
  await pollUntil(isComplete);
  assert.deepEqual(strict.order, expected);
  assert.deepEqual(
    taken.map(({ seq }) => seq),
    expected,
  );
  assert.deepEqual(example.gaps, []);
  assert.deepEqual(failing.order, expected);
});
