import { env } from './env.ts';
import { rowsOf, tablesOf } from './tables.ts';

/** Opening a page copies the browser's session to its cell, so this table is left out. */
const COPIED = 'workspace_sessions';

const databases = { directory: env.DIRECTORY, 'cell 0': env.CELL_0, 'cell 1': env.CELL_1 };

/**
 * Returns everything that is stored: all rows of all databases, by table, and the files. A rejected request must not
 * change any of it. The tables in `except` are left out; the caller explains why.
 */
export async function contents(except: readonly string[] = []): Promise<Record<string, readonly string[]>> {
  const found = await Promise.all(
    Object.entries(databases).map(async ([name, db]) => {
      const tables = (await tablesOf(db)).filter((table) => table !== COPIED && !except.includes(table));
      return [...(await rowsOf(db, tables))].map(([table, rows]) => [`${name}.${table}`, rows] as const);
    }),
  );
  return { files: await files(), ...Object.fromEntries(found.flat()) };
}

/** Parts of incomplete uploads can't be listed. */
async function files(): Promise<string[]> {
  const { objects } = await env.FILES.list();
  return objects.map(({ key, etag, size }) => `${key} ${etag} ${size}`).sort();
}
