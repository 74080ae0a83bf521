import { meteredEnv } from '../../support/api.ts';
import type { TestEnv } from '../../support/env.ts';

/** Written whatever the response is: when a credential was last seen, and the copy of a session that opened a page. */
const NOTED =
  /^\s*UPDATE "credentials" SET "last_used_at"|^\s*(INSERT INTO|UPDATE|DELETE FROM) workspace_sessions\b/i;

/** What a request committed. A batch that was rolled back wrote nothing. */
export interface Store {
  /** For `send` and `api`: the databases of all tests, watched. */
  readonly bindings: Partial<Env>;
  /** Statements that wrote rows since the last call, with how many; empty where nothing did. */
  takeWrites(): string[];
}

export function watchStore(): Store {
  const writes: string[] = [];
  const { DIRECTORY, CELL_0, CELL_1 } = meteredEnv as TestEnv;
  return {
    bindings: {
      DIRECTORY: watch(DIRECTORY, writes),
      CELL_0: watch(CELL_0, writes),
      CELL_1: watch(CELL_1, writes),
    } as Partial<Env>,
    takeWrites: () => writes.splice(0),
  };
}

interface Watched {
  statement: D1PreparedStatement;
  sql: string;
}

/** The worker sends nothing but batches (src/kernel/database.ts); anything else is refused here. */
function watch(database: D1Database, writes: string[]): D1Database {
  const known = new WeakMap<D1PreparedStatement, Watched>();
  const wrap = (statement: D1PreparedStatement, sql: string): D1PreparedStatement => {
    const bind = (...values: unknown[]) => wrap(statement.bind(...values), sql);
    const wrapped = { bind } as D1PreparedStatement;
    known.set(wrapped, { statement, sql });
    return wrapped;
  };
  const batch = async (statements: D1PreparedStatement[]) => {
    const watched = statements.map((each) => known.get(each) as Watched);
    const results = await database.batch(watched.map((each) => each.statement));
    results.forEach(({ meta }, index) => {
      const sql = watched[index]?.sql ?? '';
      if (meta.rows_written > 0 && !NOTED.test(sql))
        writes.push(`${meta.rows_written} rows by ${sql.trim()}`);
    });
    return results;
  };
  return { prepare: (sql: string) => wrap(database.prepare(sql), sql), batch } as D1Database;
}
