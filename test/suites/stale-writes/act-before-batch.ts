const WRITE_STATEMENT = /^\s*(WITH\b[\s\S]*\b)?(INSERT|UPDATE|DELETE)\b/i;

/**
 * Creates a database that calls `act` before the batch with the number `turn`, starting at 1, unless an earlier batch
 * contained a write.
 */
export function actBeforeBatch(db: D1Database, turn: number, act: () => Promise<unknown>) {
  let batches = 0;
  let isWriting = false;
  let hasWritten = false;
  let hasActed = false;
  const held = {
    prepare: (query: string) => {
      isWriting ||= WRITE_STATEMENT.test(query);
      return db.prepare(query);
    },
    batch: async (statements: D1PreparedStatement[]) => {
      const writes = isWriting;
      isWriting = false;
      batches += 1;
      if (batches === turn && !hasWritten) {
        hasActed = true;
        await act();
      }
      hasWritten ||= writes;
      return db.batch(statements);
    },
  } as D1Database;
  return { held, hasActed: () => hasActed };
}
