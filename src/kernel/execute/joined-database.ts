import type { Database, Results, Statement } from '../sql/database.ts';
import { GuardedDatabase } from '../sql/guarded-database.ts';

interface Waiting {
  readonly statements: readonly Statement[];
  readonly resolve: (results: unknown[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One database for several reads that run at the same time: what they ask goes out together, in one trip, behind one
 * guard (docs/adr/0032). It sends as soon as each of them waits for it or has left. A read that waits for something else
 * does not hold up the others.
 */
export class JoinedDatabase extends GuardedDatabase {
  #waiting: Waiting[] = [];
  #readers: number;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(database: Database, guard: Statement<void>, readers: number) {
    super(database, guard);
    this.#readers = readers;
  }

  override batch<const S extends readonly Statement[]>(statements: S): Promise<Results<S>> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ statements, resolve: resolve as Waiting['resolve'], reject });
      // Runs when every reader waits for something: for this database, or for something else.
      this.#timer ??= setTimeout(() => this.#send(), 0);
      this.#sendIfComplete();
    });
  }

  /** One of the reads has ended. */
  leave() {
    this.#readers -= 1;
    this.#sendIfComplete();
  }

  #sendIfComplete() {
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
