import { expect, it } from 'vitest';
import { initials } from '../../../src/workspaces/reference/initials.ts';

it.each([
  ['Ada Lovelace', 'AL'],
  ['Ada King Lovelace', 'AL'],
  ['ada', 'A'],
  ['  Ada   Lovelace  ', 'AL'],
  ['', ''],
])('takes the first letters of the first and the last word of %j', (name, expected) => {
  expect(initials(name)).toBe(expected);
});

it('never cuts a letter in half', () => {
  expect(initials('👩‍👩‍👧 Étienne')).toBe('👩‍👩‍👧É');
  expect(initials('e\u0301ric')).toBe('E\u0301');
});
