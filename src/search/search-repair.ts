import type { Database } from '../kernel/database.ts';
import {
  dropStrayRows,
  emptySearch,
  type IndexedTask,
  listTexts,
  reindexTasks,
} from './search-repair.queries.ts';

/** A page stays below the limits of a statement (2 MB) and, where statements go by command line, of a line. */
const TASKS_A_PAGE = 200;
const CHARACTERS_A_BATCH_MAX = 20_000;
const STRAY_ROWS_MAX = 1_000_000;

/**
 * Builds the search index of a cell from its tasks, in pages, while requests go on. It may be stopped and repeated at
 * any time: every batch leaves a right index.
 * @param fromScratch empties it first; until the end, searches find a part.
 */
export async function rebuildTaskSearch(
  cell: Database,
  { fromScratch = false }: { fromScratch?: boolean } = {},
): Promise<{ tasks: number }> {
  if (fromScratch) await cell.batch([emptySearch()]);
  let tasks = 0;
  for (let after = 0; ; ) {
    const [page] = await cell.batch([listTexts(after, TASKS_A_PAGE)]);
    for (const part of inParts(page)) await cell.batch(reindexTasks(part));
    tasks += page.length;
    const last = page.at(-1);
    if (!last || page.length < TASKS_A_PAGE) break;
    after = last.id;
  }
  await cell.batch(dropStrayRows(STRAY_ROWS_MAX));
  return { tasks };
}

/** Long descriptions make short parts. */
export function inParts(tasks: readonly IndexedTask[]): IndexedTask[][] {
  const parts: IndexedTask[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const task of tasks) {
    const length = task.name.length * 2 + (task.description?.length ?? 0);
    if (characters + length > CHARACTERS_A_BATCH_MAX) {
      parts.push([]);
      characters = 0;
    }
    parts.at(-1)?.push(task);
    characters += length;
  }
  return parts;
}
