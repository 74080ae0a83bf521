const RETRY_MS_FIRST = 1_000;
/** Each wait is about half as long as all before it together: a short absence costs little. */
const GROWTH = 1.5;

/** How long to wait before each try, until one succeeds. */
export class Retry {
  readonly #msMax: number;
  #ms = RETRY_MS_FIRST;

  constructor(msMax: number) {
    this.#msMax = msMax;
  }

  /** The server answered: if it was waited for, whatever else waits goes on, too. */
  succeeded() {
    if (this.#ms > RETRY_MS_FIRST) announceReached();
    this.#ms = RETRY_MS_FIRST;
  }

  /**
   * Resolves when it is time to try again: sooner where the browser is online again, the person comes back to the page, or
   * something else got through to the server.
   * @param sooner events of the document that end this wait as well.
   */
  wait(sooner: readonly string[] = []): Promise<void> {
    // Many pages wait for one server; they do not come back in the same moment.
    const ms = this.#ms * (0.5 + Math.random());
    this.#ms = Math.min(this.#msMax, this.#ms * GROWTH);
    return new Promise((resolve) => {
      const ended = new AbortController();
      const { signal } = ended;
      const done = () => {
        clearTimeout(timer);
        ended.abort();
        resolve();
      };
      const timer = setTimeout(done, ms);
      window.addEventListener('online', done, { signal });
      document.addEventListener('visibilitychange', () => document.hidden || done(), { signal });
      for (const name of ['edgework:reached', ...sooner]) document.addEventListener(name, done, { signal });
    });
  }
}

/** Something got through to the server: whatever waits for it goes on. */
export function announceReached() {
  document.dispatchEvent(new CustomEvent('edgework:reached'));
}
