import type { SortKey } from '../../kernel/lists/pagination.ts';
import { fromPublicId } from './public-id.ts';

/**
 * The local id of the last listed notification, by cell. Ids are ordered only within a cell, so a pagination cursor
 * contains one `cell:id` pair per cell. A cell without an id starts with its newest notification.
 */

export type CursorPositions = ReadonlyMap<number, number>;

export function parsePositions(after: SortKey | null): CursorPositions {
  const pairs = String(after?.[0] ?? '').matchAll(/(\d+):(\d+)/g);
  return new Map([...pairs].map(([, cell, id]) => [Number(cell), Number(id)]));
}

export function formatPositions(before: CursorPositions, shown: readonly { id: number }[]): string {
  const reached = new Map(before);
  for (const { id } of shown) {
    const { cell, local } = fromPublicId(id);
    reached.set(cell, local);
  }
  return [...reached].map(([cell, id]) => `${cell}:${id}`).join(',');
}
