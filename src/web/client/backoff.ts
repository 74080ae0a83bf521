const FIRST_RETRY_DELAY_MS = 1_000;
/** Makes each wait about half as long as the outage so far, so pages reconnect soon after a short outage. */
const DELAY_GROWTH_FACTOR = 1.5;

export class Backoff {
  readonly #delayMsMax: number;
  #delayMs = FIRST_RETRY_DELAY_MS;

  constructor(delayMsMax: number) {
    this.#delayMsMax = delayMsMax;
  }

  /** After an outage, also ends the waits of other requests on the page. */
  reset() {
    if (this.#delayMs > FIRST_RETRY_DELAY_MS) announceServerReached();
    this.#delayMs = FIRST_RETRY_DELAY_MS;
  }

  /**
   * The wait ends early if the browser goes online, the person returns to the tab, another request succeeds, or one of
   * the `wakeEvents` is dispatched. `spreadMs` adds a random delay of up to this many milliseconds.
   */
  wait(wakeEvents: readonly string[] = [], spreadMs = 0): Promise<void> {
    const ms = this.#delayMs * (0.5 + Math.random()) + Math.random() * spreadMs;
    this.#delayMs = Math.min(this.#delayMsMax, this.#delayMs * DELAY_GROWTH_FACTOR);
    return new Promise((resolve) => {
      const ended = new AbortController();
      const { signal } = ended;
      const finish = () => {
        clearTimeout(timer);
        ended.abort();
        resolve();
      };
      const timer = setTimeout(finish, ms);
      window.addEventListener('online', finish, { signal });
      document.addEventListener('visibilitychange', () => document.hidden || finish(), { signal });
      for (const name of ['edgework:reached', ...wakeEvents])
        document.addEventListener(name, finish, { signal });
    });
  }
}

export function announceServerReached() {
  document.dispatchEvent(new CustomEvent('edgework:reached'));
}
