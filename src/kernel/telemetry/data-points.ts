/**
 * The columns `blob1`, `blob2` and so on of the Analytics Engine dataset. `doubleColumns` lists `double1` and so on.
 * Only append columns, because stored points keep their positions and `docs/observability/` queries them.
 */
export const blobColumns = [
  'kind',
  /** A route, a cron expression, a kind of email, an email queue or a log event. */
  'name',
  'method',
  /** The HTTP status, or the outcome of a job or email. */
  'outcome',
  'cell',
  'credential',
  'version',
  'place',
] as const;

export const doubleColumns = [
  'count',
  'ms',
  'database_ms',
  'trips',
  'rows_read',
  'rows_written',
  'database_bytes',
  'status',
] as const;

export const pointKinds = ['request', 'cron', 'mail', 'error'] as const;

export type DataPoint = { readonly kind: (typeof pointKinds)[number]; readonly name: string } & Partial<
  Record<Exclude<(typeof blobColumns)[number], 'kind' | 'name' | 'version'>, string>
> &
  Partial<Record<(typeof doubleColumns)[number], number>>;

const INDEX_BYTES_MAX = 96;

/** Ignores failures, because losing a point is better than failing a request. */
export function writeDataPoint({ METRICS, VERSION }: Pick<Env, 'METRICS' | 'VERSION'>, point: DataPoint) {
  if (!METRICS) return;
  const values = { count: 1, ...point, version: VERSION?.id };
  try {
    METRICS.writeDataPoint({
      blobs: blobColumns.map((column) => values[column] ?? ''),
      doubles: doubleColumns.map((column) => values[column] ?? 0),
      // With this index, rare names keep all their points when the platform samples frequent names.
      indexes: [point.name.slice(0, INDEX_BYTES_MAX)],
    });
  } catch {}
}
