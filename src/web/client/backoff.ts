const RETRY_MS_FIRST = 1_000;
/** Makes each wait about half as long as the outage so far, so pages reconnect soon after a short outage. */
const DELAY_GROWTH = 1.5;

export class Backoff {
  readonly #msMax: number;
  #ms = RETRY_MS_FIRST;

  constructor(msMax: number) {
    this.#msMax = msMax;
  }

  /** After an outage, also ends the waits of other requests on the page. */
  reset() {
    if (this.#ms > RETRY_MS_FIRST) announceServerReached();
    this.#ms = RETRY_MS_FIRST;
  }

  /**
   * The wait ends early if the browser goes online, the person returns to the tab, another request succeeds, or one of
   * the `sooner` events is dispatched. `spreadMs` adds a random delay of up to this many milliseconds.
   */
  wait(sooner: readonly string[] = [], spreadMs = 0): Promise<void> {
    const ms = this.#ms * (0.5 + Math.random()) + Math.random() * spreadMs;
    this.#ms = Math.min(this.#msMax, this.#ms * DELAY_GROWTH);
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
      for (const name of ['edgework:reached', ...sooner]) document.addEventListener(name, finish, { signal });
    });
  }
}

export function announceServerReached() {
  document.dispatchEvent(new CustomEvent('edgework:reached'));
}
