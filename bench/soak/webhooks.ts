// Creates three webhooks in a workspace. During the soak, one receiver rejects every message, one is slow, and one goes
// down with the server. Afterwards, each must receive the whole event log in order.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import type { Client } from './client.ts';

const SLOW_MS = 1_500;
const CATCH_UP_MS_MAX = 5 * 60_000;
const EVENTS_PER_PAGE = 300;

interface SentEvent {
  readonly seq: number;
  readonly type: string;
}

interface Receiver {
  readonly name: string;
  id: number | string;
  secret: string;
  url: string;
  /** Event numbers in order of first arrival, each with the id of the message that contained the event. */
  readonly messageBySeq: Map<number, string>;
  attempts: number;
  listener: Server;
}

export interface SoakWebhooks {
  /** Simulates a power failure, which also stops the local receiver. */
  stopReceiver(): Promise<void>;
  restartReceiver(): Promise<void>;
  /** Waits until every webhook has received the whole event log. Returns the counts and any problems. */
  compare(): Promise<{ readonly events: number; readonly attempts: number; readonly problems: string[] }>;
  close(): void;
}

/** `client` must act for a person who can see the whole workspace, so that the event feed contains the whole log. */
export async function startWebhooks(client: Client): Promise<SoakWebhooks> {
  const problems: string[] = [];
  let isWorking = true;
  const answers = {
    failing: async () => (isWorking ? 500 : 204),
    slow: async () => {
      await sleep(isWorking ? SLOW_MS : 0);
      return 204;
    },
    mortal: async () => 204,
  };
  const receivers = new Map<string, Receiver>();
  for (const [name, answer] of Object.entries(answers)) {
    const receiver = await startReceiver(name, answer, problems);
    const body = { url: receiver.url, batch: name === 'slow' };
    Object.assign(receiver, await client.write<{ id: number; secret: string }>('POST', '/webhooks', body));
    receivers.set(name, receiver);
  }
  const start = (await client.read<{ meta: { nextAfter: number } }>('/events')).meta.nextAfter;
  const mortal = receivers.get('mortal') as Receiver;

  return {
    async stopReceiver() {
      mortal.listener.closeAllConnections();
      if (mortal.listener.listening) await once(mortal.listener.close(), 'close');
    },
    async restartReceiver() {
      const { port } = new URL(mortal.url);
      if (!mortal.listener.listening)
        await once(mortal.listener.listen(Number(port), '127.0.0.1'), 'listening');
    },
    async compare() {
      isWorking = false;
      const log = await readLog(client, start);
      // Restarts each webhook, so that it continues at once instead of at the next retry, which may be hours away.
      for (const { id } of receivers.values()) {
        await client.write('PATCH', `/webhooks/${id}`, { status: 'paused' });
        await client.write('PATCH', `/webhooks/${id}`, { status: 'active' });
      }
      const deadline = Date.now() + CATCH_UP_MS_MAX;
      for (const { name, messageBySeq } of receivers.values()) {
        while (messageBySeq.size < log.length && Date.now() < deadline) await sleep(200);
        const received = [...messageBySeq.keys()];
        const wrong = log.findIndex((seq, index) => received[index] !== seq);
        if (wrong !== -1 || received.length !== log.length) {
          problems.push(
            `the ${name} receiver has ${received.length} of ${log.length} events; the first difference is at ${wrong}: ${received[wrong]}, not ${log[wrong]}`,
          );
        }
      }
      const attempts = [...receivers.values()].reduce((sum, receiver) => sum + receiver.attempts, 0);
      return { events: log.length, attempts, problems };
    },
    close() {
      for (const { listener } of receivers.values()) {
        listener.closeAllConnections();
        listener.close();
      }
    },
  };
}

async function startReceiver(
  name: string,
  answer: () => Promise<number>,
  problems: string[],
): Promise<Receiver> {
  const receiver: Receiver = {
    name,
    id: '',
    secret: '',
    url: '',
    messageBySeq: new Map(),
    attempts: 0,
    listener: createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      receiver.attempts += 1;
      const status = await answer();
      if (status < 300)
        recordMessage(Buffer.concat(parts).toString(), request.headers as Record<string, string>);
      response.writeHead(status).end();
    }),
  };
  function recordMessage(text: string, headers: Record<string, string>) {
    const message = headers['webhook-id'] ?? '';
    try {
      const body = new Webhook(receiver.secret).verify(text, headers) as SentEvent | { events: SentEvent[] };
      for (const { seq } of 'events' in body ? body.events : [body]) {
        const before = receiver.messageBySeq.get(seq);
        if (before === undefined) receiver.messageBySeq.set(seq, message);
        else if (before !== message)
          problems.push(`the ${name} receiver got event ${seq} in messages ${before} and ${message}`);
      }
    } catch (error) {
      problems.push(`the ${name} receiver could not verify ${message}: ${error}`);
    }
  }
  await once(receiver.listener.listen(0, '127.0.0.1'), 'listening');
  receiver.url = `http://127.0.0.1:${(receiver.listener.address() as AddressInfo).port}/${name}`;
  return receiver;
}

async function readLog(client: Client, start: number): Promise<number[]> {
  const log: number[] = [];
  for (let after = start; ; ) {
    const { data, meta } = await client.read<{
      data: SentEvent[];
      meta: { nextAfter: number; hasMore: boolean };
    }>(`/events?after=${after}&limit=${EVENTS_PER_PAGE}`);
    log.push(...data.map(({ seq }) => seq));
    if (!meta.hasMore) return log;
    after = meta.nextAfter;
  }
}
