import { runDurableObjectAlarm } from 'cloudflare:test';
import { Webhook } from 'standardwebhooks';
import { vi } from 'vitest';
import { getWorkspaceHub } from '../../../src/kernel/operation/request-scope.ts';
import { api } from '../../support/api.ts';
import { assertDocumentedMessage } from '../../support/contract.ts';
import { env, getCell } from '../../support/env.ts';
import { HANG_MS } from '../../support/timeout.ts';
import type { Person, Workspace } from '../../support/world.ts';

export interface ReceivedMessage {
  readonly messageId: string;
  // biome-ignore lint/suspicious/noExplicitAny: the parsed body, unvalidated.
  readonly body: any;
  readonly headers: Headers;
  readonly text: string;
  readonly at: number;
}

type Respond = (received: ReceivedMessage, signal: AbortSignal | null) => Response | Promise<Response>;

export interface Receiver {
  readonly url: string;
  readonly messages: ReceivedMessage[];
  answer: Respond;
  /** The events of all messages, in order of arrival. */
  events(): { id: string; seq: number; type: string; previousSeq: number | null }[];
}

const receivers = new Map<string, Receiver>();

/** Routes every fetch of the Worker to the receivers. Other hosts are unreachable. */
export function openReceivers() {
  return vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input as Request, init);
    const receiver = receivers.get(new URL(request.url).hostname);
    if (!receiver) throw new Error(`no receiver at ${request.url}`);
    const text = await request.text();
    const received: ReceivedMessage = {
      messageId: request.headers.get('webhook-id') ?? '',
      body: JSON.parse(text),
      headers: request.headers,
      text,
      at: Date.now(),
    };
    receiver.messages.push(received);
    return receiver.answer(received, init?.signal ?? null);
  });
}

export function openReceiver(answer: Respond = () => new Response('ok')): Receiver {
  const hostname = `${crypto.randomUUID()}.receiver.example.com`;
  const receiver: Receiver = {
    url: `https://${hostname}/hook`,
    messages: [],
    answer,
    events() {
      return receiver.messages.flatMap(({ body }) => body.events ?? [body]);
    },
  };
  receivers.set(hostname, receiver);
  return receiver;
}

/** Throws unless the message is documented and signed with this secret. */
export function verifySignature(secret: string, { text, headers, body }: ReceivedMessage): unknown {
  const kind = body.events ? 'eventsSent' : body.type === 'webhook.test' ? 'testSent' : 'eventSent';
  assertDocumentedMessage(kind, body);
  return new Webhook(secret).verify(text, Object.fromEntries(headers));
}

export async function createWebhook(token: string, url: string, fields: Record<string, unknown> = {}) {
  const answer = await api(token).post('/webhooks', { url, ...fields });
  if (answer.status !== 201) throw new Error(`POST /webhooks returned ${answer.status}: ${answer.text}`);
  return answer.body as { id: number; secret: string; cursor: number } & Record<string, unknown>;
}

export const readWebhook = async (person: Pick<Person, 'token'>, id: number) =>
  (await api(person.token).get(`/webhooks/${id}`)).body;

export async function makeRetriesDue({ cell, no }: Pick<Workspace, 'cell' | 'no'>) {
  await getCell(cell)
    .prepare('UPDATE webhooks SET next_attempt_at = 1 WHERE ws = ? AND next_attempt_at IS NOT NULL')
    .bind(no)
    .run();
}

/** Makes the workspace hub send its webhook messages, and waits until no message is due. */
export async function deliverAll(workspace: Pick<Workspace, 'cell' | 'no'>) {
  const stub = getWorkspaceHub(env, workspace.cell, workspace.no);
  await stub.sendWebhooks(true);
  await runDurableObjectAlarm(stub);
  await vi.waitUntil(async () => !(await isBusy(workspace)), { timeout: HANG_MS, interval: 10 });
}

async function isBusy({ cell, no }: Pick<Workspace, 'cell' | 'no'>): Promise<boolean> {
  const busy = await getCell(cell)
    .prepare(
      `SELECT count(*) AS n FROM webhooks h WHERE h.ws = ? AND h.status = 'active'
        AND (h.next_attempt_at IS NULL OR h.next_attempt_at <= ?)
        AND h.cursor < (SELECT coalesce(max(e.seq), 0) FROM events e WHERE e.ws = h.ws)`,
    )
    .bind(no, Date.now())
    .first<{ n: number }>();
  return (busy?.n ?? 0) > 0;
}

export async function readLog({ cell, no }: Pick<Workspace, 'cell' | 'no'>, after = 0) {
  const { results } = await getCell(cell)
    .prepare('SELECT seq, type FROM events WHERE ws = ? AND seq > ? ORDER BY seq')
    .bind(no, after)
    .all<{ seq: number; type: string }>();
  return results;
}

/** @param sql assignments for the UPDATE. */
export async function updateWebhookRow(
  { cell }: Pick<Workspace, 'cell'>,
  id: number,
  sql: string,
  ...params: unknown[]
) {
  await getCell(cell)
    .prepare(`UPDATE webhooks SET ${sql} WHERE id = ?`)
    .bind(...params, id)
    .run();
}
