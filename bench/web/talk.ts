// What the bench in a browser and its server, a process of its own, tell each other.

/** Where a seeded workspace is, for whoever opens it in a browser. */
export interface Place {
  readonly origin: string;
  /** The address of the workspace's own pages. */
  readonly base: string;
  /** The session of its owner. */
  readonly cookie: { readonly name: string; readonly value: string };
  /** Projects by their ids: one with many tasks in every column, one with a long column beside short ones, one with short ones. */
  readonly projects: { readonly usual: number; readonly long: number; readonly short: number };
  readonly cardsInLong: number;
  /** A task that people talk about. */
  readonly task: number;
}

export interface ScreenCost {
  readonly name: string;
  readonly trips: number;
  readonly rowsRead: number;
  /** Of the document before it is packed. */
  readonly bytes: number;
  /** Of the worker and its databases together; null where the system does not tell. */
  readonly cpuMs: number | null;
}

/** The server is there; the screens were measured. */
export type Told = { readonly place: Place } | { readonly screens: readonly ScreenCost[] };
