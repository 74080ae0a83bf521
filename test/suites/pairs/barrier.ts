/**
 * Makes several users of a database wait for each other. No user's second batch runs until all other users have sent
 * their second batch or are done. So everyone reads before anyone writes, which is the worst case for outdated reads.
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

  #arrive() {
    this.#arrived += 1;
    if (this.#arrived >= this.#size) this.#open();
  }

  /** Runs one user's work with the database. When the work ends, other users no longer wait for it. */
  async run<T>(database: D1Database, work: (held: D1Database) => Promise<T>): Promise<T> {
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
