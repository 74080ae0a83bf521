import type { Database } from '../../kernel/sql/database.ts';
import { rebuildCommentSearch } from '../../search/index/comment-search-repair.ts';
import { rebuildTaskSearch } from '../../search/index/search-repair.ts';

/**
 * Builds every search index of a cell from its tasks and comments, while requests continue.
 * @param fromScratch empties the indexes first; until this ends, searches find only some results
 * @returns how many of each were indexed
 */
export async function rebuildSearch(
  cell: Database,
  options: { fromScratch?: boolean } = {},
): Promise<{ tasks: number; comments: number }> {
  const { tasks } = await rebuildTaskSearch(cell, options);
  const { comments } = await rebuildCommentSearch(cell, options);
  return { tasks, comments };
}
