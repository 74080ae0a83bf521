import { getReconnectSpreadMs, RefreshPace } from '../../src/web/client/refresh-pace.ts';

const RETRY_MS_FIRST = 1_000;
const DELAY_GROWTH = 1.5;
const RETRY_MS_MAX = 60_000;
/** Must equal `DEFAULT_RETRY_SECONDS` in src/web/client/live.ts. */
const RETRY_SECONDS = 10;

export interface PageOptions {
  readonly origin: string;
  readonly address: string;
  /** Called with the time at which a refresh was due, and the number of its database round trips. */
  readonly onRefresh: (dueAt: number, trips: number) => void;
  readonly onAdmission: () => void;
}

interface LiveMessage {
  readonly seq: number;
  readonly pages: number;
  readonly slot: number;
}

/** Behaves like an open page (src/web/client/live.ts), but has no DOM. */
export class SimulatedPage {
  readonly #options: PageOptions;
  readonly #cookie: string;
  #retryMs = RETRY_MS_FIRST;
  readonly #pace = new RefreshPace();
  #isRefreshScheduled = false;
  #isRefreshing = false;
  #hasMissedChange = false;
  #isClosed = false;
  #socket: WebSocket | null = null;
  seq: number | null = null;
  shownSeq: number | null = null;
  isConnected = false;

  constructor(options: PageOptions, cookie: string) {
    this.#options = options;
    this.#cookie = cookie;
  }

  connect(isAgain = false) {
    const { origin, address, onAdmission } = this.#options;
    // Node needs these headers, which browsers set themselves.
    const socket = new WebSocket(`${origin.replace('http', 'ws')}${address}/live`, {
      headers: { Cookie: this.#cookie, Origin: origin },
    } as never);
    this.#socket = socket;
    let isAdmitted = false;
    socket.addEventListener('message', ({ data }) => {
      const { seq, pages, slot } = JSON.parse(String(data)) as LiveMessage;
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
      if (isChange) this.#scheduleRefresh();
      else this.shownSeq = seq;
    });
    socket.addEventListener('error', () => undefined);
    socket.addEventListener('close', () => {
      this.isConnected = false;
      if (!this.#isClosed) setTimeout(() => this.connect(true), this.#computeRetryDelayMs());
    });
  }

  close() {
    this.#isClosed = true;
    this.#socket?.close();
  }

  #computeRetryDelayMs(): number {
    const ms =
      this.#retryMs * (0.5 + Math.random()) + Math.random() * getReconnectSpreadMs(this.#pace.openPages);
    this.#retryMs = Math.min(RETRY_MS_MAX, this.#retryMs * DELAY_GROWTH);
    return ms;
  }

  #scheduleRefresh() {
    if (this.#isRefreshScheduled || this.#isClosed) return;
    if (this.#isRefreshing) {
      this.#hasMissedChange = true;
      return;
    }
    this.#isRefreshScheduled = true;
    const delayMs = this.#pace.getDelayMs();
    const dueAt = Date.now() + delayMs;
    setTimeout(() => void this.#refresh(dueAt), delayMs);
  }

  async #refresh(dueAt: number) {
    this.#isRefreshScheduled = false;
    this.#isRefreshing = true;
    this.#pace.recordRefresh();
    const isShown = await this.#fetch(dueAt).catch(() => false);
    this.#isRefreshing = false;
    if (isShown && !this.#hasMissedChange) return;
    this.#hasMissedChange = false;
    this.#scheduleRefresh();
  }

  async #fetch(dueAt: number): Promise<boolean> {
    const { seq } = this;
    const { origin, address, onRefresh } = this.#options;
    const response = await fetch(`${origin}${address}/board`, { headers: { Cookie: this.#cookie } });
    await response.arrayBuffer();
    onRefresh(dueAt, Number(/trips=(\d+)/.exec(response.headers.get('X-Cost') ?? '')?.[1] ?? 1));
    if (response.ok) this.shownSeq = Math.max(this.shownSeq ?? 0, seq ?? 0);
    else this.#pace.pause(Number(response.headers.get('Retry-After') ?? RETRY_SECONDS));
    return response.ok;
  }
}
