import { meteredEnv } from '../../support/api.ts';
import type { TestEnv } from '../../support/env.ts';

/**
 * Matches writes that even a rejected request may make: the last use of a credential, the copy of a session when a page
 * opens, and the audit log entry about that session.
 */
const UNRELATED_WRITE =
  /^\s*UPDATE "credentials" SET "last_used_at"|^\s*(INSERT INTO|UPDATE|DELETE FROM) workspace_sessions\b|^\s*INSERT INTO audit_entries\b[\s\S]*\bFROM workspace_sessions\b/i;

/** Records what a request committed. A batch that was rolled back wrote nothing. */
export interface WriteLog {
  /** Databases that record writes. Pass them to `send` and `api`. */
  readonly bindings: Partial<Env>;
  /** Returns the statements that have written rows since the last call, with the number of rows. */
  takeWrites(): string[];
}

export function watchWrites(): WriteLog {
  const writes: string[] = [];
  const { DIRECTORY, CELL_0, CELL_1 } = meteredEnv as TestEnv;
  return {
    bindings: {
      DIRECTORY: watchDatabase(DIRECTORY, writes),
      CELL_0: watchDatabase(CELL_0, writes),
      CELL_1: watchDatabase(CELL_1, writes),
    } as Partial<Env>,
    takeWrites: () => writes.splice(0),
  };
}

interface WatchedStatement {
  statement: D1PreparedStatement;
  sql: string;
}

/** The worker sends only batches (src/kernel/sql/database.ts), so no other method is provided. */
function watchDatabase(database: D1Database, writes: string[]): D1Database {
  const known = new WeakMap<D1PreparedStatement, WatchedStatement>();
  const watchStatement = (statement: D1PreparedStatement, sql: string): D1PreparedStatement => {
    const bind = (...values: unknown[]) => watchStatement(statement.bind(...values), sql);
    const wrapped = { bind } as D1PreparedStatement;
    known.set(wrapped, { statement, sql });
    return wrapped;
  };
  const batch = async (statements: D1PreparedStatement[]) => {
    const watched = statements.map((each) => known.get(each) as WatchedStatement);
    const results = await database.batch(watched.map((each) => each.statement));
    results.forEach(({ meta }, index) => {
      const sql = watched[index]?.sql ?? '';
      if (meta.rows_written > 0 && !UNRELATED_WRITE.test(sql))
        writes.push(`${meta.rows_written} rows by ${sql.trim()}`);
    });
    return results;
  };
  return { prepare: (sql: string) => watchStatement(database.prepare(sql), sql), batch } as D1Database;
}
