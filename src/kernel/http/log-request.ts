import { matchedRoutes } from 'hono/route';
import type { Caller } from '../access/access.ts';
import { log } from '../operation/log.ts';
import { writeDataPoint } from '../telemetry/data-points.ts';
import type { HttpContext } from './http.ts';

const SLOW_REQUEST_MS = 1_000;

/**
 * Writes a data point for every request, and a log line for errors, slow requests and a sample of the others. Neither
 * contains a body, an IP address or a person's name.
 */
export function logRequest(c: HttpContext): void {
  const { id, env, config, meter, now } = c.get('scope');
  const caller: Caller | undefined = c.get('caller');
  const { status } = c.res;
  const { method } = c.req;
  const route = c.get('route') ?? `${method} ${findRoutePattern(c) ?? '(none)'}`;
  const credential = caller?.credential.kind;
  const ms = Date.now() - now;
  const { trips, databaseMs, rowsRead, rowsWritten } = meter;
  const cell = caller && config.cells.get(caller.cell);
  writeDataPoint(env, {
    kind: 'request',
    name: route,
    method,
    outcome: String(status),
    ...(caller && { cell: String(caller.cell) }),
    ...(credential && { credential }),
    status,
    ms,
    database_ms: databaseMs,
    trips,
    rows_read: rowsRead,
    rows_written: rowsWritten,
    ...(cell && { database_bytes: meter.getDatabaseBytes(cell) }),
  });
  // Samples 429s and client errors without a caller, such as 401s and 404s, because anyone can cause any number of
  // them.
  const isCallersError = status >= 400 && status !== 429 && caller !== undefined;
  // Ignores the total duration, because long polls and uploads are expected to take a long time.
  const isAlwaysLogged = status >= 500 || isCallersError || databaseMs >= SLOW_REQUEST_MS;
  const sampleRate = isAlwaysLogged ? 1 : config.logSampleRate;
  if (sampleRate < 1 && Math.random() >= sampleRate) return;
  log('info', 'request', {
    id,
    route,
    status,
    caller: caller ? `${credential}:${caller.userId}` : null,
    workspace: caller?.workspaceId ?? null,
    trips,
    rows_read: rowsRead,
    rows_written: rowsWritten,
    ms,
    database_ms: databaseMs,
    sample_rate: sampleRate,
  });
}

/** For requests whose handler sets no route. Ignores wildcard routes, which also match paths that don't exist. */
function findRoutePattern(c: HttpContext): string | undefined {
  const method = c.req.method === 'HEAD' ? 'GET' : c.req.method;
  return matchedRoutes(c).findLast((route) => route.method === method && !route.path.includes('*'))?.path;
}
