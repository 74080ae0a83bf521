import type { Database } from '../kernel/database.ts';
import {
  dropStrayCommentRows,
  emptyCommentSearch,
  type IndexedComment,
  isContentFolded,
  listContents,
  refoldContent,
  reindexComments,
} from './comment-search-repair.queries.ts';

const COMMENTS_A_PAGE = 200;
/** A statement stays below D1's 2 MB, tokens included. */
const CHARACTERS_A_BATCH_MAX = 40_000;
const STRAY_ROWS_MAX = 1_000_000;

/**
 * Builds the search index of the comments of a cell, in pages, while requests go on. It may be stopped and repeated at
 * any time: every batch leaves a right index.
 * @param fromScratch empties it first; until the end, searches find a part.
 */
export async function rebuildCommentSearch(
  cell: Database,
  { fromScratch = false }: { fromScratch?: boolean } = {},
): Promise<{ comments: number }> {
  if (fromScratch) await cell.batch([emptyCommentSearch()]);
  let comments = 0;
  for (let after = 0; ; ) {
    const [page] = await cell.batch([listContents(after, COMMENTS_A_PAGE)]);
    for (const wrong of page.filter((each) => !isContentFolded(each)))
      await cell.batch([refoldContent(wrong)]);
    for (const part of inParts(page)) await cell.batch(reindexComments(part));
    comments += page.length;
    const last = page.at(-1);
    if (!last || page.length < COMMENTS_A_PAGE) break;
    after = last.id;
  }
  await cell.batch([dropStrayCommentRows(STRAY_ROWS_MAX)]);
  return { comments };
}

/** Long comments make short parts. */
function inParts(comments: readonly IndexedComment[]): IndexedComment[][] {
  const parts: IndexedComment[][] = [];
  let characters = Number.POSITIVE_INFINITY;
  for (const comment of comments) {
    if (characters + comment.content.length > CHARACTERS_A_BATCH_MAX) {
      parts.push([]);
      characters = 0;
    }
    parts.at(-1)?.push(comment);
    characters += comment.content.length;
  }
  return parts;
}
