import type { Database, Results, Statement } from '../sql/database.ts';
import { GuardedDatabase } from '../sql/guarded-database.ts';

interface WaitingBatch {
  readonly statements: readonly Statement[];
  readonly resolve: (results: unknown[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Combines the queries that parallel reads are waiting for into one batch (docs/adr/0032). */
export class BatchingDatabase extends GuardedDatabase {
  #waiting: WaitingBatch[] = [];
  #readers: number;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(database: Database, guard: Statement<void> | null, readers: number) {
    super(database, guard);
    this.#readers = readers;
  }

  override batch<const S extends readonly Statement[]>(statements: S): Promise<Results<S>> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ statements, resolve: resolve as WaitingBatch['resolve'], reject });
      // Sends the batch even if the remaining reads are waiting for something other than this database.
      this.#timer ??= setTimeout(() => this.#send(), 0);
      this.#sendIfAllWaiting();
    });
  }

  removeReader() {
    this.#readers -= 1;
    this.#sendIfAllWaiting();
  }

  #sendIfAllWaiting() {
    if (this.#waiting.length > 0 && this.#waiting.length >= this.#readers) this.#send();
  }

  #send() {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const waiting = this.#waiting;
    this.#waiting = [];
    super.batch(waiting.flatMap(({ statements }) => statements)).then(
      (results) => {
        let from = 0;
        for (const { statements, resolve } of waiting) {
          resolve((results as unknown[]).slice(from, from + statements.length));
          from += statements.length;
        }
      },
      (error: unknown) => {
        for (const { reject } of waiting) reject(error);
      },
    );
  }
}
