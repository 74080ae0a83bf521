import type { Database } from '../../kernel/sql/database.ts';
import { rebuildIndex, type SearchIndex } from './rebuild-index.ts';
import {
  clearTaskIndex,
  deleteStrayTaskRows,
  listSearchableTasks,
  reindexTasks,
  type SearchableTask,
} from './search-repair.queries.ts';

export const taskIndex: SearchIndex<SearchableTask> = {
  // A character produces up to three tokens, so this limit keeps a statement below the token limit of a batch.
  charactersMax: 8_000,
  list: listSearchableTasks,
  charactersOf: ({ name, description }) => name.length * 2 + (description?.length ?? 0),
  repair: () => null,
  reindex: reindexTasks,
  deleteStray: deleteStrayTaskRows,
  empty: clearTaskIndex,
};

export async function rebuildTaskSearch(
  cell: Database,
  { fromScratch = false }: { fromScratch?: boolean } = {},
): Promise<{ tasks: number }> {
  return { tasks: await rebuildIndex(cell, taskIndex, fromScratch) };
}
