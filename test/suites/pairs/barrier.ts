/**
 * Databases whose users meet: each waits before its second batch until all have come so far, or have ended. So every
 * one of them has read before any of them writes, which is the worst that can happen to a read.
 */
export class Barrier {
  readonly #size: number;
  #arrived = 0;
  #open: () => void = () => undefined;
  readonly #gate = new Promise<void>((resolve) => {
    this.#open = resolve;
  });

  constructor(size: number) {
    this.#size = size;
  }

  /** One user has come, or will not come any more. */
  #arrive() {
    this.#arrived += 1;
    if (this.#arrived >= this.#size) this.#open();
  }

  /** Runs one user's work over the database, and lets the others pass when it has ended. */
  async through<T>(database: D1Database, work: (held: D1Database) => Promise<T>): Promise<T> {
    let batches = 0;
    let hasArrived = false;
    const arrive = () => {
      if (!hasArrived) this.#arrive();
      hasArrived = true;
    };
    const held = {
      prepare: (query: string) => database.prepare(query),
      batch: async (statements: D1PreparedStatement[]) => {
        batches += 1;
        if (batches === 2) {
          arrive();
          await this.#gate;
        }
        return database.batch(statements);
      },
    } as D1Database;
    try {
      return await work(held);
    } finally {
      arrive();
    }
  }
}
