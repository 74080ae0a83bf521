import { describe, expect, it } from 'vitest';
import { slicePage } from '../../src/kernel/tools/tool-page.ts';

const items = ['a', 'b', 'c', 'd', 'e', 'f'];
const readPage = (all: readonly string[], cursor?: string) =>
  slicePage(all, { limit: 2, cursor }, { key: (item) => item, trim: (item) => item });

describe('a page of tool results', () => {
  const first = readPage(items);
  const second = (all: readonly string[]) => readPage(all, first.nextCursor ?? '').data;

  it('continues after the last item of the previous page', () => {
    expect(first).toMatchObject({ data: ['a', 'b'], total: 6 });
    expect(second(items)).toEqual(['c', 'd']);
  });

  it.each([
    ['the last item', ['a', 'c', 'd', 'e', 'f']],
    ['an earlier item', ['b', 'c', 'd', 'e', 'f']],
  ])('skips nothing if %s of the previous page was deleted', (_what, left) => {
    expect(second(left)).toEqual(['c', 'd']);
  });

  it('repeats nothing if an item was added to the start of the list', () => {
    expect(second(['new', ...items])).toEqual(['c', 'd']);
  });

  it('has no cursor if it is the last page', () => {
    expect(readPage(['a', 'b'])).toMatchObject({ data: ['a', 'b'], nextCursor: null });
  });
});
