interface StatementMeta {
  readonly duration?: number;
  readonly rows_read?: number;
  readonly rows_written?: number;
  readonly size_after?: number;
}

/** The minimum time to count per batch, because D1 handles about a thousand small batches per second. */
const BATCH_MS_MIN = 1;
const ROWS_READ_PER_MS = 1_000;
const ROWS_WRITTEN_PER_MS = 20;

export class CostMeter {
  /** Sequential database round trips. Parallel calls count as one. */
  trips = 0;
  statements = 0;
  rowsRead = 0;
  rowsWritten = 0;
  databaseMs = 0;
  readonly #bytes = new Map<D1Database, number>();
  /**
   * Receives each batch's database time or an estimate from its rows, whichever is larger. Excludes time spent waiting
   * for the network or other batches.
   */
  onWork: ((ms: number) => void) | null = null;
  #inFlight = 0;

  async measureTrip<T>(statements: number, run: () => Promise<T>): Promise<T> {
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

  addBatch(database: D1Database, metas: readonly StatementMeta[]) {
    let [ms, read, written] = [0, 0, 0];
    for (const { duration = 0, rows_read = 0, rows_written = 0, size_after: bytes } of metas) {
      ms += duration;
      read += rows_read;
      written += rows_written;
      if (bytes !== undefined) this.#bytes.set(database, bytes);
    }
    this.rowsRead += read;
    this.rowsWritten += written;
    this.onWork?.(Math.max(BATCH_MS_MIN, ms, read / ROWS_READ_PER_MS + written / ROWS_WRITTEN_PER_MS));
  }

  getDatabaseBytes(database: D1Database): number {
    return this.#bytes.get(database) ?? 0;
  }

  toHeader(): string {
    return `trips=${this.trips} statements=${this.statements} rows_read=${this.rowsRead} rows_written=${this.rowsWritten}`;
  }
}
