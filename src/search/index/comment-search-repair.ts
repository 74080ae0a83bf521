import type { Database } from '../../kernel/sql/database.ts';
import {
  clearCommentIndex,
  deleteStrayCommentRows,
  isContentKeyCurrent,
  listSearchableComments,
  reindexComments,
  rewriteContentKey,
  type SearchableComment,
} from './comment-search-repair.queries.ts';
import { rebuildIndex, type SearchIndex } from './rebuild-index.ts';

const commentIndex: SearchIndex<SearchableComment> = {
  charactersMax: 40_000,
  list: listSearchableComments,
  charactersOf: ({ content }) => content.length,
  repair: (comment) => (isContentKeyCurrent(comment) ? null : rewriteContentKey(comment)),
  reindex: reindexComments,
  deleteStray: deleteStrayCommentRows,
  empty: clearCommentIndex,
};

export async function rebuildCommentSearch(
  cell: Database,
  { fromScratch = false }: { fromScratch?: boolean } = {},
): Promise<{ comments: number }> {
  return { comments: await rebuildIndex(cell, commentIndex, fromScratch) };
}
