/**
 * Makes several users of a database wait for each other: no second batch runs before all users have sent theirs
 * or have ended. Everyone therefore reads before anyone writes, which is the worst case for outdated reads.
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

  /** Counts a user that has sent the second batch or has ended. */
  #arrive() {
    this.#arrived += 1;
    if (this.#arrived >= this.#size) this.#open();
  }

  /** Runs the work of one user with the database. When the work ends, the other users no longer wait for it. */
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
