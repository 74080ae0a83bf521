import { expect, it } from 'vitest';
import { mergeNewestFirst } from '../../../src/notifications/inbox/merge-newest-first.ts';
import { fromPublicId, toPublicId } from '../../../src/notifications/inbox/public-id.ts';

it('notifications from several cells are merged by time, then by id', () => {
  const merged = mergeNewestFirst([
    [
      { id: 30, created_at: 9 },
      { id: 10, created_at: 5 },
    ],
    [
      { id: 41, created_at: 9 },
      { id: 21, created_at: 7 },
    ],
    [],
  ]);
  expect(merged.map(({ id }) => id)).toEqual([41, 30, 21, 10]);
});

it("the first page starts with the same notification as the whole list, even if a cell's list isn't sorted by time", () => {
  const a = [
    { id: 2, created_at: 9 },
    { id: 1, created_at: 10 },
  ];
  const b = [{ id: 3, created_at: 9.5 }];
  const whole = mergeNewestFirst([a, b]).map(({ id }) => id);
  const first = mergeNewestFirst([a.slice(0, 1), b.slice(0, 1)]).map(({ id }) => id);
  expect(new Set(whole).size).toBe(3);
  expect(first[0]).toBe(whole[0]);
});

it('the public id of a notification can be converted to its cell and row, and back', () => {
  expect(fromPublicId(toPublicId(123_456_789, 4095))).toEqual({ local: 123_456_789, cell: 4095 });
  expect(toPublicId(1, 0)).not.toBe(toPublicId(1, 1));
});
