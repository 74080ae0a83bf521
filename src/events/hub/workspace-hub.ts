import { DurableObject } from 'cloudflare:workers';
import { areSignedIn } from '../../accounts/browser-sessions/browser-session.queries.ts';
import { parseEnv } from '../../env.ts';
import { CostMeter } from '../../kernel/sql/cost.ts';
import { Database } from '../../kernel/sql/database.ts';
import { WebhookSender } from '../../webhooks/delivery/webhook-sender.ts';
import { findHead } from '../log/head.queries.ts';
import { listChangedProjectsOf, listNewest, listPresentMembers, type ToldEvent } from './sockets.queries.ts';

/** A flood of waiting requests would keep the object busy; whoever comes after these waits without it. */
const WAITERS_MAX = 1_000;
/** Each of them reads the log after every change. */
const WAITERS_A_PERSON = 50;
const SOCKETS_A_PERSON = 30;
/** One that was closed stays until its browser answers, which it need not. */
const SOCKETS_HELD_A_PERSON = 100;
/** Tells a browser not to open it again (src/web/client/live.ts). */
const CLOSE_TOO_MANY = 4008;
const CLOSE_NOT_LISTENING = 1008;
/** After more events than this, a message names no projects and every page reloads. */
const EVENTS_SENT_MAX = 200;
/** Tells a browser to open a new socket, if it still may. */
const CLOSE_AGAIN = 4001;

/** The person of a socket; kept with the socket while the object sleeps. */
export interface Listener {
  readonly member: number;
  /** The version of the membership when the socket opened; a person whose membership changed opens a new socket. */
  readonly version: number;
  /** The hash that names the browser session. */
  readonly idHash: string;
  /** Sees only some projects, so hears only of those. */
  readonly isLimited: boolean;
}

/**
 * Notifies long polls, pages over WebSockets, and webhooks that something happened in a workspace. What happened is in the
 * log, which each of them reads with their own rights.
 */
export class WorkspaceHub extends DurableObject<Env> {
  readonly #waiters = new Set<{ member: number; resume: () => void }>();
  readonly #webhooks: WebhookSender;
  /** The last event sent to the sockets; null after the object slept. */
  #sent: number | null = null;
  #notifying: Promise<void> | null = null;
  #isStale = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#webhooks = new WebhookSender(ctx.storage, env, () => this.#place());
    // Keeps a connection open through proxies without waking the object.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'));
  }

  /** Something was logged. Called after every commit that did. */
  async wake(): Promise<void> {
    for (const { resume } of [...this.#waiters]) resume();
    this.#isStale = true;
    this.#notifying ??= this.#notify().finally(() => {
      this.#notifying = null;
    });
    await Promise.all([this.#webhooks.wake(), this.#notifying]);
  }

  /** The workspace has webhooks that may have something to get (webhook-delivery/webhook-sender.ts). */
  async sendWebhooks(settles: boolean): Promise<void> {
    await this.#webhooks.begin(settles);
  }

  override async alarm(): Promise<void> {
    await this.#webhooks.alarm();
  }

  /**
   * Opens the socket of a page; only src/events/live/ calls it, after it has checked who listens. Answers 429 where the person
   * holds too many.
   */
  override async fetch(request: Request): Promise<Response> {
    const listener: Listener = JSON.parse(request.headers.get('X-Listener') ?? 'null');
    const tag = String(listener.member);
    const held = this.ctx.getWebSockets(tag);
    if (held.length >= SOCKETS_HELD_A_PERSON) return new Response(null, { status: 429 });
    for (const surplus of held.slice(SOCKETS_A_PERSON - 1))
      surplus.close(CLOSE_TOO_MANY, 'too many pages are open');
    const { 0: page, 1: socket } = new WebSocketPair();
    this.ctx.acceptWebSocket(socket, [tag]);
    socket.serializeAttachment(listener);
    return new Response(null, { status: 101, webSocket: page });
  }

  /** Pages only listen: a flood of messages would keep the object busy. */
  override webSocketMessage(socket: WebSocket) {
    socket.close(CLOSE_NOT_LISTENING, 'this address only tells');
  }

  override webSocketClose(socket: WebSocket) {
    socket.close();
  }

  /** Many changes at once become few messages: whatever comes while one is on its way goes with the next. */
  async #notify(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false;
      // One that was closed is held until its browser answers, and takes no more words.
      const sockets = this.ctx.getWebSockets().filter(({ readyState }) => readyState === WebSocket.OPEN);
      if (sockets.length === 0) return;
      const { cell, workspace } = this.#workspace();
      const directory = new Database(this.env.DIRECTORY, new CostMeter());
      this.#sent = await notifySockets(sockets, this.#sent, { cell, directory, workspace });
    }
  }

  /**
   * Resolves once the log goes beyond `after`, or when the time is over.
   * @param member who waits.
   * @param ms is how long to wait at most.
   */
  async waitForEvent(after: number, member: number, ms: number): Promise<void> {
    const own = [...this.#waiters].filter((each) => each.member === member).length;
    if (this.#waiters.size >= WAITERS_MAX || own >= WAITERS_A_PERSON) {
      await scheduler.wait(ms);
      return;
    }
    const change = Promise.withResolvers<void>();
    const waiter = { member, resume: change.resolve };
    this.#waiters.add(waiter);
    const timer = setTimeout(change.resolve, ms);
    try {
      // The reader looked before this object knew of them; what was logged in between woke nobody.
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
    if (!binding) throw new Error(`no workspace is named ${this.ctx.id.name}`);
    return { cell: new Database(binding, new CostMeter()), workspace };
  }

  /** The object is named after its cell and the number of its workspace there (`hubOf`). */
  #place(): { cell: number; workspace: number } {
    const [cell = -1, workspace = -1] = (this.ctx.id.name ?? '').split('/').map(Number);
    return { cell, workspace };
  }
}

/**
 * Sends every socket what changed, only `{seq, projects}`. Closes those whose person signed out, left or got another role;
 * checking each time covers every way that this can happen.
 * @param after the last event that was sent; null if this object does not remember.
 * @returns the last event sent now.
 */
export async function notifySockets(
  sockets: readonly WebSocket[],
  after: number | null,
  { cell, directory, workspace }: { cell: Database; directory: Database; workspace: number },
): Promise<number> {
  const all = sockets.map((socket) => ({ socket, ...(socket.deserializeAttachment() as Listener) }));
  const limited = new Set(all.flatMap(({ isLimited, member }) => (isLimited ? [member] : [])));
  // One that does not remember names no project.
  const [from, most] = after === null ? [0, 1] : [after, EVENTS_SENT_MAX];
  const [[events, present, joined], [signedIn]] = await Promise.all([
    cell.batch([
      listNewest(workspace, from, most),
      listPresentMembers(workspace, [...new Set(all.map(({ member }) => member))]),
      listChangedProjectsOf(workspace, [...limited], from, most),
    ]),
    directory.batch([
      areSignedIn(
        all.map(({ idHash }) => idHash),
        Date.now(),
      ),
    ]),
  ]);
  const head = events[0]?.seq ?? after ?? 0;
  const joinedBy = Map.groupBy(joined, ({ member }) => member);
  const versions = new Map(present.map(({ no, version }) => [no, version]));
  const isComplete = after !== null && events.length < EVENTS_SENT_MAX;
  for (const { socket, member, version, idHash, isLimited } of all) {
    if (versions.get(member) !== version || !signedIn.has(idHash)) {
      socket.close(CLOSE_AGAIN, 'sign in again');
      continue;
    }
    const own = isLimited ? new Set(joinedBy.get(member)?.map(({ project }) => project)) : null;
    const message = isComplete ? messageFor(events, member, own) : { seq: head };
    if (message) socket.send(JSON.stringify(message));
  }
  return head;
}

/** Null if no event concerns the person. A message without projects concerns every page. */
function messageFor(events: readonly ToldEvent[], member: number, own: ReadonlySet<number> | null) {
  const seen = events.filter(({ reader }) => reader === null || reader === member);
  const [newest] = seen;
  if (!newest) return null;
  const projects = [...new Set(seen.map(({ project }) => project))];
  // A client may follow a task of a project they can't see; then the message only says that something happened.
  const named = projects.flatMap((project) =>
    project !== null && (own === null || own.has(project)) ? [project] : [],
  );
  return named.length === projects.length ? { seq: newest.seq, projects: named } : { seq: newest.seq };
}
