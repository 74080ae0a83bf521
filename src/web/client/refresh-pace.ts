/** Limits that all open pages of a workspace share. */
const REFRESHES_PER_SECOND = 36;
const CONNECTIONS_PER_SECOND = 120;
const RECONNECT_MS_MAX = 45_000;

/** Spreads out refreshes even if only a few pages are open. */
const REQUEST_SPREAD_MS = 50;
/** This many refreshes can follow each other without waiting for the interval. */
const BURST_MAX = 4;
const REFRESH_INTERVAL_MS_MIN = 300;

export class RefreshPace {
  /** The number of open pages of the workspace, in all browsers. */
  openPages = 1;
  /** The position of this page in the order in which all open pages refresh. */
  slot = 0;
  /** Each refresh moves this time forward, and the next one waits if the time is too far in the future. */
  #usedUntil = Number.NEGATIVE_INFINITY;

  delayMs(): number {
    const rest = Math.max(0, this.#usedUntil - BURST_MAX * this.#intervalMs() - performance.now());
    return rest + refreshDelayMs(this.slot) + Math.random() * REQUEST_SPREAD_MS;
  }

  begin() {
    this.#usedUntil = Math.max(this.#usedUntil, performance.now()) + this.#intervalMs();
  }

  pause(seconds: number) {
    this.#usedUntil = performance.now() + seconds * 1_000 + BURST_MAX * this.#intervalMs();
  }

  #intervalMs(): number {
    return Math.max(REFRESH_INTERVAL_MS_MIN, getRefreshSpreadMs(this.openPages));
  }
}

/** The time over which the open pages of a workspace spread their refreshes after a change. */
function getRefreshSpreadMs(pages: number): number {
  return (pages * 1_000) / REFRESHES_PER_SECOND;
}

export function getReconnectSpreadMs(pages: number): number {
  return Math.min(RECONNECT_MS_MAX, (pages * 1_000) / CONNECTIONS_PER_SECOND);
}

/** The delay before the page in this slot refreshes after a change. The hub numbers the open pages. */
export function refreshDelayMs(slot: number): number {
  return (slot * 1_000) / REFRESHES_PER_SECOND;
}
