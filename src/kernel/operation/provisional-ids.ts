/** Higher than the id of any stored row, because a cell doesn't have room for that many rows. */
export const PROVISIONAL_IDS_FROM = 1_000_000_000;

/** True for the id of something that a change set would create. */
export function isProvisionalId(id: number): boolean {
  return id >= PROVISIONAL_IDS_FROM;
}
