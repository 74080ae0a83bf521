import { expect, it } from 'vitest';
import { rememberLast } from '../../../src/kernel/text/remember-last.ts';

it('computes again only for another text, and never mixes results', () => {
  const asked: string[] = [];
  const length = rememberLast((text) => asked.push(text) && text.length);
  expect(['', '', 'ab', 'ab', 'abc', 'ab', ''].map(length)).toEqual([0, 0, 2, 2, 3, 2, 0]);
  expect(asked).toEqual(['', 'ab', 'abc', 'ab', '']);
});
