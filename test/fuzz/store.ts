import { meteredEnv } from '../support/api.ts';
import { env } from '../support/env.ts';

const databases = () => [env.DIRECTORY, env.CELL_0, env.CELL_1];

/** Noted beside an answer, refused or not: when a credential was last seen. */
const noted = ['credentials.last_used_at'];

/** Watches the directory and both cells while requests are sent with its `bindings`. */
export async function watchStore() {
  const tables = await Promise.all(databases().map(findTables));
  let rowsWritten = 0;
  const count = (rows: number) => {
    rowsWritten += rows;
  };
  const { DIRECTORY, CELL_0, CELL_1 } = meteredEnv as typeof env;
  return {
    /** For `send` and `api`: the same databases, counting. */
    bindings: {
      DIRECTORY: countWrites(DIRECTORY, count),
      CELL_0: countWrites(CELL_0, count),
      CELL_1: countWrites(CELL_1, count),
    } as Partial<Env>,
    /** Whether a row was written since the last call; what a batch undid was not. */
    wasWritten(): boolean {
      const was = rowsWritten > 0;
      rowsWritten = 0;
      return was;
    },
    /** What the work leaves different, null where nothing; scans every row. */
    async differenceAfter(work: () => Promise<unknown>): Promise<string | null> {
      const before = await readPicture(tables);
      await work();
      const after = await readPicture(tables);
      rowsWritten = 0;
      const changed = after.filter((line, index) => line !== before[index]);
      return changed.length === 0 ? null : changed.join('\n');
    },
  };
}
export type Store = Awaited<ReturnType<typeof watchStore>>;

/** The worker sends nothing but batches (src/kernel/database.ts); anything else is refused here. */
function countWrites(database: D1Database, count: (rows: number) => void): D1Database {
  const batch = async (statements: D1PreparedStatement[]) => {
    const results = await database.batch(statements);
    for (const { meta } of results) count(meta.rows_written);
    return results;
  };
  return new Proxy(database, {
    get(target, name) {
      if (name === 'batch') return batch;
      if (name === 'prepare') return (sql: string) => target.prepare(sql);
      throw new Error(`The store is watched through batches, and ${String(name)} was used`);
    },
  });
}

interface Table {
  name: string;
  columns: string[];
}

async function findTables(database: D1Database): Promise<Table[]> {
  const { results } = await database
    .prepare(`
      SELECT m.name AS name, json_group_array(c.name) AS columns FROM sqlite_master m, pragma_table_info(m.name) c
      WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%' AND m.name NOT GLOB '_cf_*' AND m.name NOT GLOB 'd1_*'
      GROUP BY m.name`)
    .all<{ name: string; columns: string }>();
  return results.map(({ name, columns }) => ({
    name,
    columns: (JSON.parse(columns) as string[]).filter((column) => !noted.includes(`${name}.${column}`)),
  }));
}

/** A line a table: how many rows, and of each column the sum of its numbers and of its bytes. */
async function readPicture(tables: Table[][]): Promise<string[]> {
  const pictures = await Promise.all(
    databases().map((database, index) =>
      database.batch<Record<string, number>>(
        (tables[index] ?? []).map(({ name, columns }) => {
          const sums = columns.map(
            (column) => `total("${column}"), total(length(CAST("${column}" AS BLOB)))`,
          );
          return database.prepare(
            `SELECT '${name}' AS name, json_array(count(*), ${sums.join(', ')}) AS sums FROM "${name}"`,
          );
        }),
      ),
    ),
  );
  return pictures.flat().map(({ results }) => JSON.stringify(results[0]));
}
