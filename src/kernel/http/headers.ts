import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import type { HttpContext, HttpEnv } from './http.ts';

const allowedHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Prefer',
  'X-Chunk-SHA256',
];

const exposedHeaders = [
  'WWW-Authenticate',
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'Error-Field',
  'Preference-Applied',
  'Idempotent-Replayed',
  'Deprecation',
  'Sunset',
  'Link',
  'ETag',
  'Server-Timing',
  'X-Cost',
  'Allow',
];

const preflightMiddleware = cors({
  origin: '*',
  allowMethods: ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS'],
  allowHeaders: allowedHeaders,
  maxAge: 86_400,
});

/** `/v1` accepts bearer tokens and ignores cookies, so pages from any origin can call it. */
export const corsMiddleware: MiddlewareHandler<HttpEnv> = async (c, next) => {
  if (c.req.method === 'OPTIONS') return preflightMiddleware(c, next);
  await next();
  // Must come last, because Hono copies the response if a header is set earlier.
  const headers = getWritableHeaders(c);
  headers.set('Access-Control-Allow-Origin', '*');
  headers.set('Access-Control-Expose-Headers', exposedHeaders.join(','));
};

export async function setResponseHeaders(c: HttpContext) {
  const { id, meter, config } = c.get('scope');
  const announced = await c.get('rateLimiter')?.headers();
  const headers = getWritableHeaders(c);
  headers.set('X-Request-Id', id);
  for (const [name, value] of Object.entries(announced ?? {})) headers.set(name, value);
  headers.set('X-Content-Type-Options', 'nosniff');
  headers.set('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
  setDefaultHeader(headers, 'Referrer-Policy', 'no-referrer');
  setDefaultHeader(headers, 'Cache-Control', 'no-store');
  setDefaultHeader(headers, 'Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
  if (config.exposeCost && meter.statements > 0) {
    headers.append('Server-Timing', `db;dur=${meter.databaseMs}`);
    headers.set('X-Cost', meter.toHeader());
  }
}

function setDefaultHeader(headers: Headers, name: string, value: string) {
  if (!headers.has(name)) headers.set(name, value);
}

/** Builds a new response only if the headers are immutable, unlike `c.header()`, which always builds one. */
function getWritableHeaders(c: HttpContext): Headers {
  try {
    c.res.headers.delete('X-Powered-By');
  } catch {
    c.res = new Response(c.res.body, c.res);
  }
  return c.res.headers;
}
