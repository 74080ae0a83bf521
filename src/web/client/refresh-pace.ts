/** Limits for all open pages of a workspace together. Refreshes after a person's own actions aren't limited. */
const REFRESHES_PER_SECOND = 20;
const CONNECTIONS_PER_SECOND = 120;
const RECONNECT_MS_MAX = 45_000;

/** Spreads out refreshes even if only a few pages are open. */
const REQUEST_SPREAD_MS = 50;
const REFRESH_INTERVAL_MS_MIN = 300;
/** How far a page may get ahead of its refresh interval, so that it can show a few changes in a row immediately. */
const AHEAD_OF_SCHEDULE_MS_MAX = 1_200;

export class RefreshPace {
  openPages = 1;
  /** This page's position in the refresh order of all open pages. */
  slot = 0;
  /** Each refresh moves this time forward. If the time is too far ahead, the next refresh waits. */
  #usedUntil = Number.NEGATIVE_INFINITY;
  #pausedUntil = Number.NEGATIVE_INFINITY;

  getDelayMs(waitsForSlot = true): number {
    const now = performance.now();
    const paceDelay = waitsForSlot ? this.#usedUntil - AHEAD_OF_SCHEDULE_MS_MAX - now : 0;
    const slotDelay = Math.max(0, this.#pausedUntil - now) + (waitsForSlot ? getSlotDelayMs(this.slot) : 0);
    return Math.max(paceDelay, slotDelay) + Math.random() * REQUEST_SPREAD_MS;
  }

  recordRefresh() {
    const interval = Math.max(REFRESH_INTERVAL_MS_MIN, getSlotDelayMs(this.openPages));
    this.#usedUntil = Math.max(this.#usedUntil, performance.now()) + interval;
  }

  pause(seconds: number) {
    this.#pausedUntil = performance.now() + seconds * 1_000;
  }
}

export function getReconnectSpreadMs(pages: number): number {
  return Math.min(RECONNECT_MS_MAX, (pages * 1_000) / CONNECTIONS_PER_SECOND);
}

function getSlotDelayMs(slot: number): number {
  return (slot * 1_000) / REFRESHES_PER_SECOND;
}
