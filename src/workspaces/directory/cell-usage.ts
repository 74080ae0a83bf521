export interface CellUsage {
  readonly bytes: number;
  /** Tasks and comments created within a day. */
  readonly changes: number;
}

/** A cell closes to new workspaces here, because those it has keep growing. A D1 database holds 10 GB. */
export const CELL_BYTES_MAX = 7e9;
/**
 * A cell can't count its requests, but they rise with what people create: 300 requests per second in the busiest hour
 * correspond to about this many tasks and comments per day (docs/scaling.md).
 */
const CELL_CHANGES_MAX = 75_000;

/** Percent of a cell that is used, by bytes or by load, whichever is more. Unmeasured cells are new. */
export function toPercentUsed({ bytes, changes }: CellUsage = { bytes: 0, changes: 0 }): number {
  return Math.floor(100 * Math.max(bytes / CELL_BYTES_MAX, changes / CELL_CHANGES_MAX));
}
