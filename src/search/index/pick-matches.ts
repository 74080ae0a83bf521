import type { PageRange } from '../../kernel/lists/pagination.ts';
import { toSearchKey } from './search-key.ts';

export const SEARCH_CHARACTERS_MAX = 200;

interface SearchableRow {
  /** 1 if the row comes after the cursor. */
  is_after: number;
}

/** `all` must contain every row of the list. Returns the rows of the page, plus the next row if there is one. */
export function pickMatches<R extends SearchableRow>(
  all: readonly R[],
  search: string,
  { offset, limit }: PageRange,
  getTexts: (row: R) => readonly string[],
): { total: number; rows: R[] } {
  const pattern = toSearchKey(search);
  const found = all.filter((row) => getTexts(row).some((text) => toSearchKey(text).includes(pattern)));
  const following = found.filter((row) => row.is_after === 1);
  return { total: found.length, rows: following.slice(offset, offset + limit + 1) };
}
