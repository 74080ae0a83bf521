import { describe, expect, it } from 'vitest';
import { parseRetryAfter } from '../../../src/kernel/net/retry-after.ts';

const START = Date.UTC(2026, 2, 2, 9);

describe('the Retry-After header', () => {
  it.each([
    ['120', 120_000],
    [' 5 ', 5_000],
    [new Date(START + 90_000).toUTCString(), 90_000],
    [new Date(START - 90_000).toUTCString(), 0],
    ['soon', null],
    ['-5', null],
    ['99999999999999999999', null],
    [null, null],
  ])('with the value %j is read as %j ms', (value, expected) => {
    expect(parseRetryAfter(value, START)).toBe(expected);
  });
});
