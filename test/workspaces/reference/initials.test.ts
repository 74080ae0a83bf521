import { expect, it } from 'vitest';
import { initials } from '../../../src/workspaces/reference/initials.ts';

it.each([
  ['Ada Lovelace', 'AL'],
  ['Ada King Lovelace', 'AL'],
  ['ada', 'A'],
  ['  Ada   Lovelace  ', 'AL'],
  ['', ''],
])('uses the first letters of the first and last word of %j', (name, expected) => {
  expect(initials(name)).toBe(expected);
});

it('never splits a letter', () => {
  expect(initials('👩‍👩‍👧 Étienne')).toBe('👩‍👩‍👧É');
  expect(initials('e\u0301ric')).toBe('E\u0301');
});
