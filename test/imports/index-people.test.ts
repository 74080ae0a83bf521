import { expect, it } from 'vitest';
import { indexPeople } from '../../src/imports/plan/index-people.ts';
import { parseStatus } from '../../src/imports/plan/parse-values.ts';

it("an import matches no person or status by symbols alone, and no email address to a person's name", () => {
  const { findPerson } = indexPeople([
    { no: 1, user_id: 'usr_smile', name: '🙂', email: 'smile@example.com' },
    { no: 2, user_id: 'usr_dash', name: '—', email: 'dash@example.com' },
    { no: 3, user_id: 'usr_boss', name: 'ceo@acme.example', email: 'other@example.com' },
    { no: 4, user_id: 'usr_ana', name: 'Ana  Núñez', email: 'ana@example.com' },
  ]);
  for (const text of ['-', '—', '', ' ', '🙂', '?', 'ceo@acme.example', 'Ana Nunez']) {
    expect(findPerson(text), text).toBeNull();
  }
  expect(findPerson('ana nu\u0301n\u0303ez')).toBe(4);
  expect(findPerson('OTHER@example.com')).toBe(3);
  expect(parseStatus('?', new Map([['', 'completed']]))).toBeNull();
});
