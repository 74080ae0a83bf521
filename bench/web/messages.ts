// Messages between the browser bench and its server, which runs in its own process.

/** How to open a seeded workspace in a browser. */
export interface BenchPlace {
  readonly origin: string;
  /** The URL of the workspace's own pages. */
  readonly base: string;
  /** The owner's session. */
  readonly cookie: { readonly name: string; readonly value: string };
  /** Project ids: one with many tasks in every column, one with a single long column, one with short columns. */
  readonly projects: { readonly usual: number; readonly long: number; readonly short: number };
  readonly cardsInLong: number;
  /** A task with many comments. */
  readonly task: number;
}

export interface ScreenCost {
  readonly name: string;
  readonly trips: number;
  readonly rowsRead: number;
  /** Size of the document before compression. */
  readonly bytes: number;
  /** CPU time of the worker and its databases, or null if the system doesn't report it. */
  readonly cpuMs: number | null;
}

/** The messages that the server sends when it is ready, and after the screens were measured. */
export type ServerMessage = { readonly place: BenchPlace } | { readonly screens: readonly ScreenCost[] };
