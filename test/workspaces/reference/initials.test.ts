import { expect, it } from 'vitest';
import { toInitials } from '../../../src/workspaces/reference/initials.ts';

it.each([
  ['Ada Lovelace', 'AL'],
  ['Ada King Lovelace', 'AL'],
  ['ada', 'A'],
  ['  Ada   Lovelace  ', 'AL'],
  ['', ''],
])('initials are the first letters of the first and last words of %j', (name, expected) => {
  expect(toInitials(name)).toBe(expected);
});

it('initials never split a letter', () => {
  expect(toInitials('👩‍👩‍👧 Étienne')).toBe('👩‍👩‍👧É');
  expect(toInitials('e\u0301ric')).toBe('E\u0301');
});
