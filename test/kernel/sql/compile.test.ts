import { expect, it } from 'vitest';
import { compileSql, sql } from '../../../src/kernel/sql/sql.ts';

const buildPairs = (count: number) => {
  const pairs = Array.from({ length: count }, () => sql`${1} || ${'a'}`);
  return compileSql(sql`SELECT ${sql.join(pairs, sql`, `)}`);
};

it("equal values share a parameter only if the statement would otherwise exceed D1's parameter limit", () => {
  expect(buildPairs(50).params).toHaveLength(100);
  const { sql: text, params } = buildPairs(51);
  expect(params).toEqual([1, 'a']);
  expect(text.slice(0, 36)).toBe('SELECT ? || ?, ?1 || ?2, ?1 || ?2, ?1'.slice(0, 36));
});
