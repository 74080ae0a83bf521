import type { Database } from '../../kernel/sql/database.ts';
import { rebuildCommentSearch } from '../../search/index/comment-search-repair.ts';
import { rebuildDetailSearch } from '../../search/index/detail-repair.ts';
import { rebuildTaskSearch } from '../../search/index/search-repair.ts';

/** Can run while the cell serves requests. With `fromScratch`, searches miss some results until the rebuild ends. */
export async function rebuildSearch(
  cell: Database,
  options: { fromScratch?: boolean } = {},
): Promise<{ tasks: number; comments: number }> {
  const { tasks } = await rebuildTaskSearch(cell, options);
  await rebuildDetailSearch(cell, options);
  const { comments } = await rebuildCommentSearch(cell, options);
  return { tasks, comments };
}
