import { DurableObject } from 'cloudflare:workers';
import { parseEnv } from '../../env.ts';
import { describeError, log } from '../../kernel/operation/log.ts';
import { reportErrors } from '../../kernel/operation/report-errors.ts';
import { CostMeter } from '../../kernel/sql/cost.ts';
import { Database } from '../../kernel/sql/database.ts';
import { WebhookSender } from '../../webhooks/delivery/webhook-sender.ts';
import { findNewestSeq } from '../log/newest-seq.queries.ts';
import { admitSockets, closeUnadmittedSockets, isOpen, type Listener, notifySockets } from './sockets.ts';

/** Each waiting request keeps the object busy. Above this limit, requests wait without being woken by events. */
const WAITERS_MAX = 1_000;
const WAITERS_PER_PERSON = 50;
const SOCKETS_PER_PERSON = 30;
/** Includes closed sockets, which stay in memory until the browser confirms the close, if it ever does. */
const SOCKETS_HELD_PER_PERSON = 100;
/** Tells the browser not to reconnect (src/web/client/live.ts). */
const TOO_MANY_SOCKETS_CODE = 4008;
const UNEXPECTED_MESSAGE_CODE = 1008;
/**
 * Sockets that open within this time are checked together, so that a thousand reconnections need only a few queries.
 */
const ADMISSION_MS = 250;
const PAUSE_MS_PER_SOCKET = 2;
const PAUSE_MS_MAX = 1_000;

/**
 * Tells pages and API clients that there are new events, which they then read with their own permissions. Also sends
 * the workspace's webhooks.
 */
export class WorkspaceHub extends DurableObject<Env> {
  readonly #waiters = new Set<{ member: number; resume: () => void }>();
  readonly #webhooks: WebhookSender;
  #notifying: Promise<void> | null = null;
  #admitting: Promise<void> | null = null;
  #isStale = false;
  #hasNewSockets = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#webhooks = new WebhookSender(ctx.storage, env, () => this.#getWorkspaceKey());
    // A client can send `ping` to keep its connection through a proxy open, without waking the object.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'));
  }

  async wake(): Promise<void> {
    for (const { resume } of [...this.#waiters]) resume();
    this.#isStale = true;
    this.#notifying ??= this.#notify().finally(() => {
      this.#notifying = null;
    });
    await Promise.all([this.#webhooks.wake(), this.#notifying]);
  }

  async sendWebhooks(savesIdleCursors: boolean): Promise<void> {
    await this.#webhooks.activate(savesIdleCursors);
  }

  override async alarm(): Promise<void> {
    await this.#webhooks.alarm();
    reportErrors(this.env, (work) => this.ctx.waitUntil(work));
  }

  /** Called only by src/events/live/. Returns 429 if the person has too many sockets. */
  override async fetch(request: Request): Promise<Response> {
    const listener: Listener = JSON.parse(request.headers.get('X-Listener') ?? 'null');
    const tag = String(listener.member);
    const held = this.ctx.getWebSockets(tag);
    if (held.length >= SOCKETS_HELD_PER_PERSON) return new Response(null, { status: 429 });
    for (const surplus of held.slice(SOCKETS_PER_PERSON - 1))
      surplus.close(TOO_MANY_SOCKETS_CODE, 'too many open pages');
    const { 0: page, 1: socket } = new WebSocketPair();
    this.ctx.acceptWebSocket(socket, [tag]);
    socket.serializeAttachment(listener);
    this.#hasNewSockets = true;
    this.#admitting ??= this.#admit().finally(() => {
      this.#admitting = null;
    });
    return new Response(null, { status: 101, webSocket: page });
  }

  /** Closes the socket, because pages send no messages, and a flood of messages would keep the object busy. */
  override webSocketMessage(socket: WebSocket) {
    socket.close(UNEXPECTED_MESSAGE_CODE, 'this socket accepts no messages');
  }

  override webSocketClose(socket: WebSocket) {
    socket.close();
  }

  async #admit(): Promise<void> {
    while (this.#hasNewSockets) {
      await scheduler.wait(ADMISSION_MS);
      this.#hasNewSockets = false;
      const sockets = this.#openSockets();
      try {
        await admitSockets(sockets, this.#openCell());
      } catch (error) {
        log('error', 'hub.admission', { cause: describeError(error) });
        reportErrors(this.env, (work) => this.ctx.waitUntil(work));
        closeUnadmittedSockets(sockets);
      }
    }
  }

  /** Events recorded while a message is being sent, or in the pause after it, are announced in the next message. */
  async #notify(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      const sockets = this.#openSockets();
      if (sockets.length === 0) return;
      // Admits the sockets that were still unchecked when the object restarted.
      if (this.#admitting === null) await admitSockets(sockets, this.#openCell());
      await notifySockets(sockets, this.#openCell());
      await scheduler.wait(Math.min(PAUSE_MS_MAX, sockets.length * PAUSE_MS_PER_SOCKET));
    }
  }

  #openSockets(): WebSocket[] {
    return this.ctx.getWebSockets().filter(isOpen);
  }

  async waitForEvent(after: number, member: number, ms: number): Promise<void> {
    const own = [...this.#waiters].filter((each) => each.member === member).length;
    if (this.#waiters.size >= WAITERS_MAX || own >= WAITERS_PER_PERSON) {
      await scheduler.wait(ms);
      return;
    }
    const change = Promise.withResolvers<void>();
    const waiter = { member, resume: change.resolve };
    this.#waiters.add(waiter);
    const timer = setTimeout(change.resolve, ms);
    try {
      // An event may have been logged after the reader last read the log and before it started waiting here.
      if ((await this.#findHead()) > after) return;
      await change.promise;
    } finally {
      clearTimeout(timer);
      this.#waiters.delete(waiter);
    }
  }

  async #findHead(): Promise<number> {
    const { cell, workspace } = this.#openCell();
    const [head] = await cell.batch([findNewestSeq(workspace)]);
    return head;
  }

  #openCell(): { cell: Database; workspace: number } {
    const { cell, workspace } = this.#getWorkspaceKey();
    const binding = parseEnv(this.env).cells.get(cell);
    if (!binding) throw new Error(`CELL_${cell} is not bound; see docs/scaling.md`);
    return { cell: new Database(binding, new CostMeter()), workspace };
  }

  #getWorkspaceKey(): { cell: number; workspace: number } {
    const [cell = -1, workspace = -1] = (this.ctx.id.name ?? '').split('/').map(Number);
    return { cell, workspace };
  }
}
