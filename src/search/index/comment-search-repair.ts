import type { Database } from '../../kernel/sql/database.ts';
import {
  clearCommentIndex,
  deleteStrayCommentRows,
  type IndexedComment,
  isContentKeyCurrent,
  listIndexedComments,
  reindexComments,
  rewriteContentKey,
} from './comment-search-repair.queries.ts';
import { rebuildIndex, type SearchIndex } from './rebuild-index.ts';

const commentIndex: SearchIndex<IndexedComment> = {
  charactersMax: 40_000,
  list: listIndexedComments,
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
