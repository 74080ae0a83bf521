// Messages between the browser bench and its server, which runs in its own process.

export interface BenchWorkspace {
  readonly origin: string;
  readonly base: string;
  readonly cookie: { readonly name: string; readonly value: string };
  /** Project ids: one with many tasks in every column, one with one long column, one with only short columns. */
  readonly projects: { readonly usual: number; readonly long: number; readonly short: number };
  readonly cardsInLong: number;
  readonly task: number;
}

export interface ScreenCost {
  readonly name: string;
  readonly trips: number;
  readonly rowsRead: number;
  readonly bytes: number;
  readonly cpuMs: number | null;
}

export type ServerMessage =
  | { readonly workspace: BenchWorkspace }
  | { readonly screens: readonly ScreenCost[] };
