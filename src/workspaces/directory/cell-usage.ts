export interface CellUsage {
  readonly bytes: number;
  readonly changes: number;
}

/** A cell of this size accepts no new workspaces, because its existing workspaces keep growing. D1 allows 10 GB. */
export const CELL_BYTES_MAX = 7e9;
/**
 * An estimate, because a cell can't count its requests. This many new tasks and comments per day correspond
 * to about 300 requests per second in the busiest hour (docs/scaling.md).
 */
const CELL_CHANGES_MAX = 75_000;

/**
 * Returns the higher of two percentages, by size and by load. A new cell has no measurements yet, so it
 * counts as empty.
 */
export function toPercentUsed({ bytes, changes }: CellUsage = { bytes: 0, changes: 0 }): number {
  return Math.floor(100 * Math.max(bytes / CELL_BYTES_MAX, changes / CELL_CHANGES_MAX));
}
