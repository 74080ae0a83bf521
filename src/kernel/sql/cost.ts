/** The database cost of one request. `Database` adds to it; `X-Cost` and the log show it. */
export class CostMeter {
  /** Database round trips, one after the other. Calls that run in parallel are one trip. */
  trips = 0;
  statements = 0;
  rowsRead = 0;
  rowsWritten = 0;
  databaseMs = 0;
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

  addRows(meta: { rows_read?: number; rows_written?: number }) {
    this.rowsRead += meta.rows_read ?? 0;
    this.rowsWritten += meta.rows_written ?? 0;
  }

  toHeader(): string {
    return `trips=${this.trips} statements=${this.statements} rows_read=${this.rowsRead} rows_written=${this.rowsWritten}`;
  }
}
