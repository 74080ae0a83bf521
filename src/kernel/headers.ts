import { cors } from 'hono/cors';
import type { HttpContext } from './http.ts';

/** Bearer tokens travel in a header and no cookie opens `/v1`, so any origin may call it. */
export const crossOrigin = cors({
  origin: '*',
  allowMethods: ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'],
  allowHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'If-None-Match'],
  exposeHeaders: [
    'X-Request-Id',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'Retry-After',
    'Idempotent-Replayed',
    'Link',
    'ETag',
    'Server-Timing',
    'X-Cost',
    'Allow',
  ],
  maxAge: 86_400,
});

/** Headers of every answer: the request id, the cost where it may be shown, and nothing sniffed, framed or cached. */
export async function answerHeaders(c: HttpContext) {
  const { id, meter, config } = c.get('scope');
  c.header('X-Request-Id', id);
  for (const [name, value] of Object.entries((await c.get('gate')?.headers()) ?? {})) c.header(name, value);
  c.header('X-Content-Type-Options', 'nosniff');
  c.header('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
  if (!c.res.headers.has('Referrer-Policy')) c.header('Referrer-Policy', 'no-referrer');
  if (!c.res.headers.has('Cache-Control')) c.header('Cache-Control', 'no-store');
  if (!c.res.headers.has('Content-Security-Policy')) {
    c.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  }
  if (config.exposeCost && meter.statements > 0) {
    c.header('Server-Timing', `db;dur=${meter.databaseMs}`);
    c.header('X-Cost', meter.toHeader());
  }
}
