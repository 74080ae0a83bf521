/** Runs `act` before the batch with the number `turn`, starting at 1. */
export function actBeforeBatch(db: D1Database, turn: number, act: () => Promise<unknown>): D1Database {
  let batches = 0;
  return {
    prepare: (query: string) => db.prepare(query),
    async batch(statements: D1PreparedStatement[]) {
      batches += 1;
      if (batches === turn) await act();
      return db.batch(statements);
    },
  } as D1Database;
}
