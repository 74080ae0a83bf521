/** The recorded statements of one request, which the bare worker sends again. */
export interface Plan {
  readonly status: number;
  /** Statements by their number, with their parameters. */
  readonly batches: readonly (readonly (readonly [statement: number, params: readonly unknown[]])[])[];
}

export interface Plans {
  readonly sql: readonly string[];
  /** By method, path and body. */
  readonly requests: Readonly<Record<string, Plan>>;
}
