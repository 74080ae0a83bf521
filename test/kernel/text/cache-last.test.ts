import { expect, it } from 'vitest';
import { cacheLastResult } from '../../../src/kernel/text/cache-last.ts';

it('cacheLastResult computes the result again only if the text has changed', () => {
  const asked: string[] = [];
  const length = cacheLastResult((text) => asked.push(text) && text.length);
  expect(['', '', 'ab', 'ab', 'abc', 'ab', ''].map(length)).toEqual([0, 0, 2, 2, 3, 2, 0]);
  expect(asked).toEqual(['', 'ab', 'abc', 'ab', '']);
});
