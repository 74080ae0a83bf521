import type { Key } from '../kernel/pagination.ts';
import { fromPublicId } from './public-id.ts';

/*
 * How far a crawl has come in each cell: ids fall within a cell, but not across cells, so a cursor says where every
 * one of them stands, as `cell:id` pairs.
 */

/** Local id of the last notification that was shown, by cell; a cell that is missing begins at its newest. */
export type Positions = ReadonlyMap<number, number>;

export function parsePositions(after: Key | null): Positions {
  const pairs = String(after?.[0] ?? '').matchAll(/(\d+):(\d+)/g);
  return new Map([...pairs].map(([, cell, id]) => [Number(cell), Number(id)]));
}

export function formatPositions(before: Positions, shown: readonly { id: number }[]): string {
  const reached = new Map(before);
  for (const { id } of shown) {
    const { cell, local } = fromPublicId(id);
    reached.set(cell, local);
  }
  return [...reached].map(([cell, id]) => `${cell}:${id}`).join(',');
}
