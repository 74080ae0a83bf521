/** What the recorder learnt of one request: the bare worker sends the same statements and words the same answer. */
export interface Plan {
  readonly status: number;
  readonly shape: string;
  /** What the answer says that does not come from rows. */
  readonly constants: Constants;
  /** Statements by their number, with their parameters. */
  readonly batches: readonly (readonly (readonly [statement: number, params: readonly unknown[]])[])[];
}

export interface Plans {
  readonly sql: readonly string[];
  /** By method, path and body. */
  readonly requests: Readonly<Record<string, Plan>>;
}

export interface Constants {
  readonly meta?: Page | undefined;
  /** Of the workload. */
  readonly frame?: object;
  readonly capacityHours?: number;
  readonly rows?: readonly BreakdownRow[];
}

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

interface BreakdownRow {
  readonly key: string;
  readonly label: string;
  readonly color: string;
  /** The column that the number comes from; that of the hours is named after it. */
  readonly column: string;
}
