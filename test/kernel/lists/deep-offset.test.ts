import { describe, expect, it } from 'vitest';
import { skipToOffset } from '../../../src/kernel/lists/deep-offset.ts';
import type { PageRange } from '../../../src/kernel/lists/pagination.ts';

const STEP = 10;

/** Imitates a database that queries a sorted list of numbers, and records how many rows each query reads. */
function recordRequestedRows(rows: readonly number[]) {
  const reads: number[] = [];
  const readPage = ({ after, offset, limit }: PageRange) => {
    const from = after === null ? 0 : rows.findIndex((row) => row > Number(after[0]));
    const rest = from === -1 ? [] : rows.slice(from);
    reads.push(Math.min(rest.length, offset + limit + 1));
    return rest.slice(offset, offset + limit + 1);
  };
  return {
    readPage,
    reads,
    find: async (range: PageRange) =>
      readPage(range)
        .slice(0, 1)
        .map((row) => [row])[0] ?? null,
  };
}

describe('a deep offset', () => {
  const rows = Array.from({ length: 95 }, (_, index) => index * 3);

  it.each([0, 1, 9, 10, 11, 20, 21, 50, 94, 95, 96, 200, 1_000_000, Number.MAX_SAFE_INTEGER])(
    'returns the same rows as a single query, and reads a limited number of rows per query (offset: %s)',
    async (offset) => {
      const { readPage, reads, find } = recordRequestedRows(rows);
      const range = { limit: 5, offset, after: null, skipped: offset };
      const rest = await skipToOffset(range, { step: STEP, count: async () => rows.length, find });
      expect(readPage(rest)).toEqual(rows.slice(offset, offset + 6));
      expect(Math.max(...reads)).toBeLessThanOrEqual(STEP + 6);
      expect(reads.length).toBeLessThanOrEqual(offset < rows.length ? rows.length / STEP + 2 : 1);
      expect(rest.skipped).toBe(offset);
    },
  );
});
