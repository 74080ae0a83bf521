import { env } from './env.ts';
import { rowsOf, tablesOf } from './tables.ts';

/** Opening a page copies the browser's session to its cell. */
const COPIED = 'workspace_sessions';

const databases = { directory: env.DIRECTORY, 'cell 0': env.CELL_0, 'cell 1': env.CELL_1 };

/**
 * Everything that is stored, by table: all rows of all databases, and the files. What is refused must leave it as it was.
 * @param except tables that may change all the same; the caller says why.
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

/** Parts of uploads that are not complete cannot be listed. */
async function files(): Promise<string[]> {
  const { objects } = await env.FILES.list();
  return objects.map(({ key, etag, size }) => `${key} ${etag} ${size}`).sort();
}
