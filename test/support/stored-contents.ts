import { env } from './env.ts';
import { listTables, readRows } from './tables.ts';

/** These rows are omitted, because opening a page copies the session to the cell and records the sign-in. */
const SESSION_COPIES_TABLE = 'workspace_sessions';
const SIGN_IN_ENTRY = /type='sign_in.succeeded'/;

const databases = { directory: env.DIRECTORY, 'cell 0': env.CELL_0, 'cell 1': env.CELL_1 };

/**
 * Returns all rows of all databases, by table, and all files. A rejected request must not change any of them. The
 * tables in `except` are omitted; the caller explains why.
 */
export async function readAllContents(
  except: readonly string[] = [],
): Promise<Record<string, readonly string[]>> {
  const found = await Promise.all(
    Object.entries(databases).map(async ([name, db]) => {
      const tables = (await listTables(db)).filter(
        (table) => table !== SESSION_COPIES_TABLE && !except.includes(table),
      );
      return [...(await readRows(db, tables))].map(
        ([table, rows]) => [`${name}.${table}`, rows.filter((row) => !SIGN_IN_ENTRY.test(row))] as const,
      );
    }),
  );
  return { files: await listFiles(), ...Object.fromEntries(found.flat()) };
}

/** Parts of incomplete uploads can't be listed. */
async function listFiles(): Promise<string[]> {
  const { objects } = await env.FILES.list();
  return objects.map(({ key, etag, size }) => `${key} ${etag} ${size}`).sort();
}
