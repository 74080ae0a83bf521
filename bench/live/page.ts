import { getReconnectSpreadMs, refreshDelayMs } from '../../src/web/client/refresh-pace.ts';

const RETRY_MS_FIRST = 1_000;
const DELAY_GROWTH = 1.5;
const RETRY_MS_MAX = 60_000;
const REQUEST_SPREAD_MS = 50;

/** The settings and callbacks that all pages of a run share. */
export interface Load {
  readonly origin: string;
  readonly address: string;
  /** Called with the number of database round trips of each refresh. */
  readonly onRefresh: (trips: number) => void;
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
  #openPages = 1;
  #slot = 0;
  #isRefreshScheduled = false;
  #isClosed = false;
  #socket: WebSocket | null = null;
  /** The newest event that the server has announced to this page. */
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
      this.#openPages = pages;
      this.#slot = slot;
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
    const ms = this.#retryMs * (0.5 + Math.random()) + Math.random() * getReconnectSpreadMs(this.#openPages);
    this.#retryMs = Math.min(RETRY_MS_MAX, this.#retryMs * DELAY_GROWTH);
    return ms;
  }

  #refreshSoon() {
    if (this.#isRefreshScheduled || this.#isClosed) return;
    this.#isRefreshScheduled = true;
    const ms = refreshDelayMs(this.#slot) + Math.random() * REQUEST_SPREAD_MS;
    setTimeout(() => void this.#refresh(), ms);
  }

  async #refresh() {
    this.#isRefreshScheduled = false;
    const { seq } = this;
    const { origin, address, onRefresh } = this.#load;
    try {
      const response = await fetch(`${origin}${address}/board`, { headers: { Cookie: this.#cookie } });
      await response.arrayBuffer();
      onRefresh(Number(/trips=(\d+)/.exec(response.headers.get('X-Cost') ?? '')?.[1] ?? 1));
      if (response.ok) this.shownSeq = Math.max(this.shownSeq ?? 0, seq ?? 0);
      else this.#refreshSoon();
    } catch {
      this.#refreshSoon();
    }
  }
}
