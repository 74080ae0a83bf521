import { DurableObject } from 'cloudflare:workers';
import { findOpenSessions } from '../../accounts/browser-sessions/workspace-session.queries.ts';
import { parseEnv } from '../../env.ts';
import { CostMeter } from '../../kernel/sql/cost.ts';
import { Database } from '../../kernel/sql/database.ts';
import { WebhookSender } from '../../webhooks/delivery/webhook-sender.ts';
import { findHead } from '../log/head.queries.ts';
import {
  listChangedProjects,
  listNewestEvents,
  listPresentMembers,
  type SocketEvent,
} from './sockets.queries.ts';

/** Waiting requests keep the object busy. Further ones wait outside it. */
const WAITERS_MAX = 1_000;
/** Each waiting request reads the log after every change. */
const WAITERS_PER_PERSON = 50;
const SOCKETS_PER_PERSON = 30;
/** A closed socket is held until its browser replies, which may never happen. */
const SOCKETS_HELD_PER_PERSON = 100;
/** Makes the browser stay disconnected (src/web/client/live.ts). */
const CLOSE_TOO_MANY = 4008;
const CLOSE_NOT_LISTENING = 1008;
/** After more events than this, a message names no projects and every page reloads. */
const EVENTS_SENT_MAX = 200;
/** Makes the browser open a new socket if it still may. */
const CLOSE_RECONNECT = 4001;

/** The person behind a socket. Stored with the socket while the object hibernates. */
export interface Listener {
  readonly member: number;
  readonly version: number;
  readonly idHash: string;
  /** True if the person sees only some projects. */
  readonly isLimited: boolean;
}

/** Messages have no contents: readers get those from the log, with their own access. */
export class WorkspaceHub extends DurableObject<Env> {
  readonly #waiters = new Set<{ member: number; resume: () => void }>();
  readonly #webhooks: WebhookSender;
  /** `seq` of the last event sent to the sockets, or null after hibernation. */
  #sent: number | null = null;
  #notifying: Promise<void> | null = null;
  #isStale = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#webhooks = new WebhookSender(ctx.storage, env, () => this.#place());
    // Keeps connections open through proxies without waking the object.
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

  async sendWebhooks(settles: boolean): Promise<void> {
    await this.#webhooks.begin(settles);
  }

  override async alarm(): Promise<void> {
    await this.#webhooks.alarm();
  }

  /** Only src/events/live/ calls this, after checking access. Returns 429 if the person has too many sockets. */
  override async fetch(request: Request): Promise<Response> {
    const listener: Listener = JSON.parse(request.headers.get('X-Listener') ?? 'null');
    const tag = String(listener.member);
    const held = this.ctx.getWebSockets(tag);
    if (held.length >= SOCKETS_HELD_PER_PERSON) return new Response(null, { status: 429 });
    for (const surplus of held.slice(SOCKETS_PER_PERSON - 1))
      surplus.close(CLOSE_TOO_MANY, 'too many open pages');
    const { 0: page, 1: socket } = new WebSocketPair();
    this.ctx.acceptWebSocket(socket, [tag]);
    socket.serializeAttachment(listener);
    return new Response(null, { status: 101, webSocket: page });
  }

  /** Pages never send messages, and a flood of them would keep the object busy. */
  override webSocketMessage(socket: WebSocket) {
    socket.close(CLOSE_NOT_LISTENING, 'this socket accepts no messages');
  }

  override webSocketClose(socket: WebSocket) {
    socket.close();
  }

  /** Changes that arrive while a message is being sent go into the next one. */
  async #notify(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      const sockets = this.ctx.getWebSockets().filter(({ readyState }) => readyState === WebSocket.OPEN);
      if (sockets.length === 0) return;
      const { cell, workspace } = this.#workspace();
      this.#sent = await notifySockets(sockets, this.#sent, { cell, workspace });
    }
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
      // An event may have been logged after the reader checked and before it was registered here.
      if ((await this.#head()) > after) return;
      await change.promise;
    } finally {
      clearTimeout(timer);
      this.#waiters.delete(waiter);
    }
  }

  async #head(): Promise<number> {
    const { cell, workspace } = this.#workspace();
    const [head] = await cell.batch([findHead(workspace)]);
    return head;
  }

  #workspace(): { cell: Database; workspace: number } {
    const { cell, workspace } = this.#place();
    const binding = parseEnv(this.env).cells.get(cell);
    if (!binding) throw new Error(`no workspace for the object ${this.ctx.id.name}`);
    return { cell: new Database(binding, new CostMeter()), workspace };
  }

  /** The object's name contains its cell and workspace (`getHub`). */
  #place(): { cell: number; workspace: number } {
    const [cell = -1, workspace = -1] = (this.ctx.id.name ?? '').split('/').map(Number);
    return { cell, workspace };
  }
}

/** Closes the sockets of people who lost access. `after` is null if unknown. Returns the last event sent. */
export async function notifySockets(
  sockets: readonly WebSocket[],
  after: number | null,
  { cell, workspace }: { cell: Database; workspace: number },
): Promise<number> {
  const all = sockets.map((socket) => ({ socket, ...(socket.deserializeAttachment() as Listener) }));
  const limited = new Set(all.flatMap(({ isLimited, member }) => (isLimited ? [member] : [])));
  const [from, most] = after === null ? [0, 1] : [after, EVENTS_SENT_MAX];
  const [events, present, joined, signedIn] = await cell.batch([
    listNewestEvents(workspace, from, most),
    listPresentMembers(workspace, [...new Set(all.map(({ member }) => member))]),
    listChangedProjects(workspace, [...limited], from, most),
    findOpenSessions(
      workspace,
      all.map(({ idHash }) => idHash),
      Date.now(),
    ),
  ]);
  const head = events[0]?.seq ?? after ?? 0;
  const joinedBy = Map.groupBy(joined, ({ member }) => member);
  const versions = new Map(present.map(({ no, version }) => [no, version]));
  const isComplete = after !== null && events.length < EVENTS_SENT_MAX;
  for (const { socket, member, version, idHash, isLimited } of all) {
    if (versions.get(member) !== version || !signedIn.has(idHash)) {
      socket.close(CLOSE_RECONNECT, 'sign in again');
      continue;
    }
    const own = isLimited ? new Set(joinedBy.get(member)?.map(({ project }) => project)) : null;
    const message = isComplete ? buildMessage(events, member, own) : { seq: head };
    if (message) socket.send(JSON.stringify(message));
  }
  return head;
}

/** Returns null if no event concerns the person. A message without projects concerns every page. */
function buildMessage(events: readonly SocketEvent[], member: number, own: ReadonlySet<number> | null) {
  const seen = events.filter(({ reader }) => reader === null || reader === member);
  const [newest] = seen;
  if (!newest) return null;
  const projects = [...new Set(seen.map(({ project }) => project))];
  // A client may follow a task in a project they can't see. The message then doesn't name the project.
  const named = projects.flatMap((project) =>
    project !== null && (own === null || own.has(project)) ? [project] : [],
  );
  return named.length === projects.length ? { seq: newest.seq, projects: named } : { seq: newest.seq };
}
