/** The number of cells that an id can encode. Ids stay exact in JSON up to two trillion notifications per cell. */
const CELLS_MAX = 4096;

export function toPublicId(local: number, cell: number): number {
  return local * CELLS_MAX + cell;
}

export function fromPublicId(id: number): { local: number; cell: number } {
  return { local: Math.floor(id / CELLS_MAX), cell: id % CELLS_MAX };
}
