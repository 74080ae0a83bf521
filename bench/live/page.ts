import { getReconnectSpreadMs, RefreshPace } from '../../src/web/client/refresh-pace.ts';

const RETRY_MS_FIRST = 1_000;
const DELAY_GROWTH = 1.5;
const RETRY_MS_MAX = 60_000;
/** Must equal the delay in src/web/client/live.ts. */
const RETRY_SECONDS = 10;

export interface Load {
  readonly origin: string;
  readonly address: string;
  /** Called with the time at which a refresh was due, and the number of its database round trips. */
  readonly onRefresh: (dueAt: number, trips: number) => void;
  readonly onAdmission: () => void;
}

interface Message {
  readonly seq: number;
  readonly pages: number;
  readonly slot: number;
}

/** Behaves like an open page (src/web/client/live.ts), without a document. */
export class Page {
  readonly #load: Load;
  readonly #cookie: string;
  #retryMs = RETRY_MS_FIRST;
  readonly #pace = new RefreshPace();
  #isRefreshScheduled = false;
  #isRefreshing = false;
  #hasMissedChange = false;
  #isClosed = false;
  #socket: WebSocket | null = null;
  seq: number | null = null;
  /** The newest event when the page was last refreshed. */
  shownSeq: number | null = null;
  isConnected = false;

  constructor(load: Load, cookie: string) {
    this.#load = load;
    this.#cookie = cookie;
  }

  connect(isAgain = false) {
    const { origin, address, onAdmission } = this.#load;
    // Node needs these headers, which browsers set themselves.
    const socket = new WebSocket(`${origin.replace('http', 'ws')}${address}/live`, {
      headers: { Cookie: this.#cookie, Origin: origin },
    } as never);
    this.#socket = socket;
    let isAdmitted = false;
    socket.addEventListener('message', ({ data }) => {
      const { seq, pages, slot } = JSON.parse(String(data)) as Message;
      const isChange = isAdmitted || (isAgain && seq !== this.seq);
      if (!isAdmitted) {
        this.#retryMs = RETRY_MS_FIRST;
        this.isConnected = true;
        onAdmission();
      }
      isAdmitted = true;
      this.seq = seq;
      this.#pace.openPages = pages;
      this.#pace.slot = slot;
      if (isChange) this.#refreshSoon();
      else this.shownSeq = seq;
    });
    socket.addEventListener('error', () => undefined);
    socket.addEventListener('close', () => {
      this.isConnected = false;
      if (!this.#isClosed) setTimeout(() => this.connect(true), this.#nextWaitMs());
    });
  }

  close() {
    this.#isClosed = true;
    this.#socket?.close();
  }

  #nextWaitMs(): number {
    const ms =
      this.#retryMs * (0.5 + Math.random()) + Math.random() * getReconnectSpreadMs(this.#pace.openPages);
    this.#retryMs = Math.min(RETRY_MS_MAX, this.#retryMs * DELAY_GROWTH);
    return ms;
  }

  #refreshSoon() {
    if (this.#isRefreshScheduled || this.#isClosed) return;
    if (this.#isRefreshing) {
      this.#hasMissedChange = true;
      return;
    }
    this.#isRefreshScheduled = true;
    const delayMs = this.#pace.delayMs();
    const dueAt = Date.now() + delayMs;
    setTimeout(() => void this.#refresh(dueAt), delayMs);
  }

  async #refresh(dueAt: number) {
    this.#isRefreshScheduled = false;
    this.#isRefreshing = true;
    this.#pace.begin();
    const isShown = await this.#fetch(dueAt).catch(() => false);
    this.#isRefreshing = false;
    if (isShown && !this.#hasMissedChange) return;
    this.#hasMissedChange = false;
    this.#refreshSoon();
  }

  async #fetch(dueAt: number): Promise<boolean> {
    const { seq } = this;
    const { origin, address, onRefresh } = this.#load;
    const response = await fetch(`${origin}${address}/board`, { headers: { Cookie: this.#cookie } });
    await response.arrayBuffer();
    onRefresh(dueAt, Number(/trips=(\d+)/.exec(response.headers.get('X-Cost') ?? '')?.[1] ?? 1));
    if (response.ok) this.shownSeq = Math.max(this.shownSeq ?? 0, seq ?? 0);
    else this.#pace.pause(Number(response.headers.get('Retry-After') ?? RETRY_SECONDS));
    return response.ok;
  }
}
