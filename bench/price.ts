/** Cloudflare's list prices in dollars. */
const PER_MILLION_REQUESTS = 0.3;
const PER_MILLION_CPU_MS = 0.02;
const PER_MILLION_OBJECT_REQUESTS = 0.15;
const PER_MILLION_ROWS_READ = 0.001;
const PER_MILLION_ROWS_WRITTEN = 1;
/** Every eighth call of a busy caller asks the rate window, a Durable Object (src/kernel/rate-limit/announced-window.ts). */
const OBJECT_REQUESTS = 1 / 8;

export const formula =
  '$ a million calls = 0.30 (request) + 0.15 / 8 (rate window) + 0.02 × CPU ms + 0.001 × rows read + 1.00 × rows written';

interface Spent {
  readonly rowsRead: number;
  readonly rowsWritten: number;
  /** Null where it is unknown. */
  readonly cpuMs: number | null;
}

/** Dollars of a million such calls. */
export function dollarsAMillion({ rowsRead, rowsWritten, cpuMs }: Spent): number {
  return (
    PER_MILLION_REQUESTS +
    OBJECT_REQUESTS * PER_MILLION_OBJECT_REQUESTS +
    (cpuMs ?? 0) * PER_MILLION_CPU_MS +
    rowsRead * PER_MILLION_ROWS_READ +
    rowsWritten * PER_MILLION_ROWS_WRITTEN
  );
}
