/** The database cost of one request. `Database` adds to it; `X-Cost` and the log show it. */
export class CostMeter {
  /** Database round trips, one after the other. Calls that run in parallel are one trip. */
  trips = 0;
  statements = 0;
  rowsRead = 0;
  rowsWritten = 0;
  databaseMs = 0;
  readonly #bytes = new Map<D1Database, number>();
  #inFlight = 0;

  async trip<T>(statements: number, run: () => Promise<T>): Promise<T> {
    if (this.#inFlight === 0) this.trips += 1;
    this.#inFlight += 1;
    this.statements += statements;
    const startedAt = Date.now();
    try {
      return await run();
    } finally {
      this.#inFlight -= 1;
      this.databaseMs += Date.now() - startedAt;
    }
  }

  addRows(database: D1Database, meta: { rows_read?: number; rows_written?: number; size_after?: number }) {
    this.rowsRead += meta.rows_read ?? 0;
    this.rowsWritten += meta.rows_written ?? 0;
    if (meta.size_after !== undefined) this.#bytes.set(database, meta.size_after);
  }

  /** Size of a database after its last batch; 0 if it had none. */
  bytesOf(database: D1Database): number {
    return this.#bytes.get(database) ?? 0;
  }

  toHeader(): string {
    return `trips=${this.trips} statements=${this.statements} rows_read=${this.rowsRead} rows_written=${this.rowsWritten}`;
  }
}
