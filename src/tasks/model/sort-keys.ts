import type { SortKey } from '../../kernel/lists/pagination.ts';

export function compareSortKeys(one: SortKey, other: SortKey, isDescending: boolean): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  const [left = 0, right = 0] = [one[at], other[at]];
  const order =
    typeof left === 'string' || typeof right === 'string'
      ? compareCodePoints(String(left), String(right))
      : left - right;
  return isDescending ? -order : order;
}

function compareCodePoints(one: string, other: string): number {
  const [left, right] = [encoder.encode(one), encoder.encode(other)];
  const at = left.findIndex((byte, index) => byte !== right[index]);
  return at === -1 ? left.length - right.length : (left[at] ?? 0) - (right[at] ?? -1);
}

const encoder = new TextEncoder();
