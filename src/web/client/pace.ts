/** Limits that all open pages of a workspace share. */
const REFRESHES_PER_SECOND = 36;
const CONNECTIONS_PER_SECOND = 120;
const RECONNECT_MS_MAX = 45_000;

/** The time over which the open pages of a workspace spread their refreshes after a change. */
export function refreshSpreadMs(pages: number): number {
  return (pages * 1_000) / REFRESHES_PER_SECOND;
}

/** The time over which open pages reconnect after a server restart. */
export function reconnectSpreadMs(pages: number): number {
  return Math.min(RECONNECT_MS_MAX, (pages * 1_000) / CONNECTIONS_PER_SECOND);
}

/** How long the page in this slot waits before it refreshes after a change. The hub numbers the open pages. */
export function refreshDelayMs(slot: number): number {
  return (slot * 1_000) / REFRESHES_PER_SECOND;
}
