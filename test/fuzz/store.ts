import { env } from '../support/env.ts';

const everything = () => [env.DIRECTORY, env.CELL_0, env.CELL_1];

/** Noted beside an answer, refused or not: when a credential was last seen. */
const noted = ['credentials.last_used_at'];

/** Watches every row of these databases, by default of the directory and of both cells. */
export async function watchStore(databases: readonly D1Database[] = everything()) {
  const tables = await Promise.all(databases.map(findTables));
  let totals = await readTotals(databases);
  return {
    /** Whether anything was written since the last call, be it undone since. */
    async wasWritten(): Promise<boolean> {
      const before = totals;
      totals = await readTotals(databases);
      return totals !== before;
    },
    /** What the work leaves different, null where nothing; scans all. */
    async differenceAfter(work: () => Promise<unknown>): Promise<string | null> {
      const before = await readPicture(databases, tables);
      await work();
      const after = await readPicture(databases, tables);
      totals = await readTotals(databases);
      const changed = after.filter((line, index) => line !== before[index]);
      return changed.length === 0 ? null : changed.join('\n');
    },
  };
}
export type Store = Awaited<ReturnType<typeof watchStore>>;

/** Rows that the connections have written so far, those of undone batches included. */
async function readTotals(databases: readonly D1Database[]): Promise<string> {
  const totals = await Promise.all(
    databases.map((each) => each.prepare('SELECT total_changes() AS n').first<number>('n')),
  );
  return totals.join();
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
async function readPicture(databases: readonly D1Database[], tables: Table[][]): Promise<string[]> {
  const pictures = await Promise.all(
    databases.map((database, index) =>
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
